// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-graph-format.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <boost/algorithm/string.hpp>
#include <boost/lexical_cast/try_lexical_convert.hpp>
#include <cmath>
#include <map>
#include <optional>

namespace ns3::ddl
{

namespace
{

using Kind = GraphNode::Kind;

constexpr std::size_t COLUMNS = 12;
constexpr uint64_t MOST_WHOLE = 1ULL << 53; //!< of a number in the file, exact as a double
constexpr uint64_t MOST_LINE = 1 << 16;     //!< bytes
constexpr uint64_t LEAST_FORWARD = 4096;    //!< bytes of SimAI's forward transfers
constexpr uint64_t MOST_GPUS = 1 << 20;
const std::string KEY_TP = "model_parallel_NPU_group";
const std::string MICRO = "MICRO"; //!< policy of a list of transfers

/** Which ranks take part in a transfer. */
enum class Parallelism
{
    TENSOR,
    DATA,
    EXPERT,
    DATA_OF_EXPERTS,
    ALL
};

/** One of the three passes of a row. */
struct SimaiPass
{
    uint64_t time{0};
    std::optional<Collective> type{};
    Parallelism group{Parallelism::TENSOR};
    uint64_t bytes{0};
};

/** A row: a layer, or a part of one. */
struct SimaiRow
{
    std::string name;
    std::array<SimaiPass, 3> passes; //!< forward, input gradient, weight gradient
    uint64_t update{0};
};

/** \return the whole number that a text is ("3", "3.0"); none if it is anything else */
std::optional<uint64_t>
FindWhole(const std::string& text)
{
    double number = 0;
    const bool isNumber = boost::conversion::try_lexical_convert(text, number);
    if (!isNumber || !(number >= 0) || number > static_cast<double>(MOST_WHOLE) ||
        number != std::floor(number))
    {
        return std::nullopt;
    }
    return static_cast<uint64_t>(number);
}

std::vector<std::string>
SplitWords(const std::string& line)
{
    std::vector<std::string> words;
    const std::string trimmed = boost::trim_copy(line);
    if (!trimmed.empty())
    {
        boost::split(words, trimmed, boost::is_space(), boost::token_compress_on);
    }
    return words;
}

/** The lines of a file that are not blank. */
class SimaiLines
{
  public:
    explicit SimaiLines(std::istream& input)
        : m_input(input)
    {
    }

    /** \return the words of the next line; none at the end */
    std::vector<std::string> Next()
    {
        std::string line;
        while (std::getline(m_input, line))
        {
            ++m_number;
            if (line.size() > MOST_LINE)
            {
                Refuse("has more than " + std::to_string(MOST_LINE) + " bytes");
            }
            auto words = SplitWords(line);
            if (!words.empty())
            {
                return words;
            }
        }
        ++m_number;
        return {};
    }

    [[noreturn]] void Refuse(const std::string& what) const
    {
        throw GraphRefusal{"line " + std::to_string(m_number), what};
    }

    std::string GetPlace() const
    {
        return "line " + std::to_string(m_number);
    }

  private:
    std::istream& m_input;
    uint64_t m_number{0};
};

/** Sizes of the groups of a job. Rank = tensor index + tensor * (data index + data * stage). */
struct SimaiDegrees
{
    uint64_t ranks;
    uint64_t tensor;
    uint64_t data;
    uint64_t expert;

    /** \return members of a group */
    uint64_t Count(Parallelism group) const
    {
        switch (group)
        {
        case Parallelism::TENSOR:
            return tensor;
        case Parallelism::DATA:
            return data;
        case Parallelism::EXPERT:
            return expert;
        case Parallelism::ALL:
            return ranks;
        case Parallelism::DATA_OF_EXPERTS:
            break;
        }
        return data / expert;
    }

    /** \return number of a rank's group among those of a kind */
    uint64_t FindGroup(Parallelism group, uint64_t rank) const
    {
        const uint64_t ofTensor = rank % tensor;
        const uint64_t ofData = rank / tensor % data;
        const uint64_t stage = rank / tensor / data;
        switch (group)
        {
        case Parallelism::TENSOR:
            return rank / tensor;
        case Parallelism::DATA:
            return ofTensor + tensor * stage;
        case Parallelism::EXPERT:
            return ofTensor + tensor * (ofData / expert + data / expert * stage);
        case Parallelism::ALL:
            return 0;
        case Parallelism::DATA_OF_EXPERTS:
            break;
        }
        return ofTensor + tensor * (ofData % expert + expert * stage);
    }
};

const char*
NameOf(Parallelism group)
{
    switch (group)
    {
    case Parallelism::TENSOR:
        return "tp";
    case Parallelism::DATA:
        return "dp";
    case Parallelism::EXPERT:
        return "ep";
    case Parallelism::ALL:
        return "all";
    case Parallelism::DATA_OF_EXPERTS:
        break;
    }
    return "dp-ep";
}

} // namespace

/**
 * `simai`: the text of SimAI and AICB, and of astra-sim 1 whose header it extends.
 *
 *     HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 vpp: 1 ga: 1
 *         all_gpus: 64 checkpoints: 0 checkpoint_initiates: 0                    (in one line)
 *     number of rows
 *     name dependency  time type bytes  time type bytes  time type bytes  update
 *
 * with three passes: forward, input gradient, weight gradient. Forward, row by row: compute, then a
 * transfer that is waited for. Backward, from the last row to the first: compute the input
 * gradient, a transfer that is waited for, compute the weight gradient, a transfer in the
 * background, and the update behind it. Transfers of forward and input gradient are those of tensor
 * parallelism, of weight gradients those of data parallelism, or what a suffix _EP or _DP_EP says.
 * All ranks do the same. Collectives of groups of one rank are left out. A broadcast is one from
 * the first rank of its group; SimAI reads over it.
 *
 * A file that begins with `MICRO` has the number of rows next, and is a list of collectives of all
 * ranks: the third transfer of each row begins when that of the row before is over. Its times do
 * not count, as in SimAI, which does the first row alone.
 */
class SimaiGraphFormat : public GraphFormat
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "workloads of SimAI and AICB as text: HYBRID_TRANSFORMER_FWD_IN_BCKWD ..., rows of "
               "12 "
               "columns";
    }

    bool Recognises(const std::string&, const std::string& beginning) const override
    {
        return beginning.rfind("HYBRID_", 0) == 0 || beginning.rfind("MICRO", 0) == 0;
    }

  private:
    /** Times in a file. */
    enum Unit
    {
        NO_UNIT,
        NANOSECONDS,
        MICROSECONDS
    };

    /** Bytes of an all-gather in a file. */
    enum Size
    {
        NO_SIZE,
        INPUT,
        TOTAL
    };

    /** The first line. */
    struct Header
    {
        bool isMicro{false};
        std::map<std::string, uint64_t> values{};
    };

    static TypeId AddSwitches(TypeId tid);
    static TypeId AddUnits(TypeId tid);

    void DoRead(const std::vector<GraphFile>& files,
                TaskGraph& graph,
                GraphComplaints& complaints) const override
    {
        if (files.size() > 1)
        {
            complaints.Add(files[1].name, "", "SimAI has one file for all ranks");
            return;
        }
        const auto input = files.front().open();
        SimaiLines lines(*input);
        const Header header = ReadHeader(lines);
        const SimaiDegrees degrees = FindDegrees(header, graph.source, complaints);
        const uint64_t unit = FindUnit(header, graph.source, complaints);
        complaints.Finish();
        const auto rows = ReadRows(lines, unit, degrees, header.isMicro);
        if (header.isMicro)
        {
            MakeList(rows, degrees, graph);
        }
        else
        {
            MakeGraph(rows, degrees, graph);
        }
    }

    std::vector<SimaiRow> ReadRows(SimaiLines& lines,
                                   uint64_t unit,
                                   const SimaiDegrees& degrees,
                                   bool isMicro) const
    {
        const auto count = lines.Next();
        const auto promised = count.size() == 1 ? FindWhole(count[0]) : std::nullopt;
        if (!promised)
        {
            lines.Refuse("must be the number of rows");
        }
        std::vector<SimaiRow> rows;
        for (auto words = lines.Next(); !words.empty(); words = lines.Next())
        {
            rows.push_back(ReadRow(words, unit, degrees, lines.GetPlace()));
            if (isMicro && (rows.back().passes[0].type || rows.back().passes[1].type))
            {
                lines.Refuse("has a transfer in its first or second pass; the policy MICRO has one "
                             "in the third alone");
            }
            if (rows.size() * degrees.ranks > GetMostNodes() / 7) // nodes of a row, at most
            {
                lines.Refuse("there are more nodes than MostNodes: fewer Ranks?");
            }
        }
        if (rows.size() > *promised || (rows.size() < *promised && !m_isShort))
        {
            lines.Refuse("line 2 promises " + std::to_string(*promised) + " rows; there are " +
                         std::to_string(rows.size()) +
                         (rows.size() < *promised ? " (FewerRows reads these)" : ""));
        }
        return rows;
    }

    static Header ReadHeader(SimaiLines& lines)
    {
        auto words = lines.Next();
        Header header;
        header.isMicro = !words.empty() && words[0] == MICRO;
        if (words.empty() || (words[0] != "HYBRID_TRANSFORMER_FWD_IN_BCKWD" &&
                              words[0] != "HYBRID_TRANSFORMER" && !header.isMicro))
        {
            lines.Refuse("its policy is " + (words.empty() ? "missing" : QuoteText(words[0])) +
                         "; HYBRID_TRANSFORMER_FWD_IN_BCKWD, HYBRID_TRANSFORMER and MICRO are "
                         "supported");
        }
        words.erase(words.begin());
        const std::string text = boost::replace_all_copy(boost::join(words, " "), ":", " ");
        words = SplitWords(text);
        for (std::size_t i = 0; i < words.size(); i += 2)
        {
            const auto value = i + 1 < words.size() ? FindWhole(words[i + 1]) : std::nullopt;
            if (!value)
            {
                lines.Refuse(QuoteText(words[i]) + " must be followed by a whole number");
            }
            if (boost::starts_with(words[i], "checkpoint") && *value > 0)
            {
                lines.Refuse("has checkpoints, from which forward passes are computed again; these "
                             "are not supported");
            }
            header.values[words[i]] = *value;
        }
        return header;
    }

    /** \return the value of a key of the header, or of the attribute that replaces it; 1 if neither
     * is there, with a complaint */
    static uint64_t Choose(const Header& header,
                           const std::string& key,
                           uint64_t attribute,
                           const std::string& name,
                           const std::string& file,
                           GraphComplaints& complaints)
    {
        const auto found = header.values.find(key);
        const uint64_t value = attribute > 0                  ? attribute
                               : found != header.values.end() ? found->second
                                                              : 0;
        if (value == 0 || value > MOST_GPUS)
        {
            complaints.Add(file,
                           "line 1",
                           "has no " + key + " from 1 to " + std::to_string(MOST_GPUS) +
                               (name.empty() ? "" : ": set " + name));
            return 1;
        }
        return value;
    }

    SimaiDegrees FindDegrees(const Header& header,
                             const std::string& file,
                             GraphComplaints& complaints) const
    {
        SimaiDegrees degrees{};
        degrees.ranks = Choose(header, "all_gpus", m_ranks, "Ranks", file, complaints);
        if (header.isMicro)
        {
            degrees.tensor = 1;
            degrees.expert = 1;
            degrees.data = degrees.ranks;
            return degrees;
        }
        degrees.tensor = Choose(header, KEY_TP, 0, "", file, complaints);
        degrees.expert = Choose(header, "ep", m_expert, "ExpertParallel", file, complaints);
        const uint64_t stages =
            Choose(header, "pp", m_pipeline, "PipelineParallel", file, complaints);
        if (stages > 1 && !m_ignoresPipeline)
        {
            complaints.Add(
                file,
                "line 1",
                "has " + std::to_string(stages) +
                    " pipeline stages, and rows of one: set IgnorePipeline to have every "
                    "rank do these rows, without messages between stages");
        }
        degrees.data = degrees.ranks / degrees.tensor / stages;
        if (degrees.data * degrees.tensor * stages != degrees.ranks ||
            degrees.data % degrees.expert != 0)
        {
            complaints.Add(file,
                           "line 1",
                           std::to_string(degrees.ranks) + " ranks are not divided by " +
                               std::to_string(degrees.tensor) + " (tensor) times " +
                               std::to_string(stages) + " (pipeline), with a rest that " +
                               std::to_string(degrees.expert) + " (expert) divides");
        }
        return degrees;
    }

    /** \return nanoseconds of the file's unit of time */
    uint64_t FindUnit(const Header& header,
                      const std::string& file,
                      GraphComplaints& complaints) const
    {
        if (m_unit == NO_UNIT && header.values.count("all_gpus") == 0 && !header.isMicro)
        {
            complaints.Add(file,
                           "line 1",
                           "does not say whether times are ns, as SimAI has them, or us, as "
                           "chakra's converter does: set TimeUnit");
        }
        return m_unit == MICROSECONDS ? 1000 : 1;
    }

    SimaiRow ReadRow(const std::vector<std::string>& words,
                     uint64_t unit,
                     const SimaiDegrees& degrees,
                     const std::string& place) const
    {
        if (words.size() != COLUMNS)
        {
            throw GraphRefusal{place,
                               "has " + std::to_string(words.size()) + " columns instead of " +
                                   std::to_string(COLUMNS)};
        }
        SimaiRow row;
        row.name = words[0];
        const auto take = [&](std::size_t column, uint64_t most) {
            const auto number = FindWhole(words[column]);
            if (!number || *number > most)
            {
                throw GraphRefusal{place,
                                   "column " + std::to_string(column + 1) + " is " +
                                       QuoteText(words[column]) + ", no whole number from 0 to " +
                                       std::to_string(most)};
            }
            return *number;
        };
        const uint64_t longest = MOST_WHOLE / 1000;
        for (std::size_t i = 0; i < row.passes.size(); ++i)
        {
            SimaiPass& pass = row.passes[i];
            pass.time = take(2 + 3 * i, longest) * unit;
            ReadType(words[3 + 3 * i], i == 2, place, pass);
            pass.bytes = take(4 + 3 * i, 1ULL << 40);
            if (m_roundsUp && i == 0 && pass.bytes > 0)
            {
                pass.bytes = std::max(pass.bytes, LEAST_FORWARD);
            }
            if (pass.type == Collective::ALL_GATHER)
            {
                pass.bytes *= m_allGatherSize == INPUT ? degrees.Count(pass.group) : 1;
            }
        }
        row.update = take(COLUMNS - 1, longest) * unit;
        return row;
    }

    void ReadType(const std::string& word,
                  bool isWeight,
                  const std::string& place,
                  SimaiPass& pass) const
    {
        static const std::map<std::string, std::optional<Collective>> types{
            {"NONE", std::nullopt},
            {"ALLREDUCE", Collective::ALL_REDUCE},
            {"ALLGATHER", Collective::ALL_GATHER},
            {"REDUCESCATTER", Collective::REDUCE_SCATTER},
            {"ALLTOALL", Collective::ALL_TO_ALL},
            {"BROADCAST", Collective::BROADCAST}};
        std::string base = word;
        pass.group = isWeight ? Parallelism::DATA : Parallelism::TENSOR;
        if (boost::ends_with(word, "_DP_EP"))
        {
            pass.group = Parallelism::DATA_OF_EXPERTS;
            base = word.substr(0, word.size() - 6);
        }
        else if (boost::ends_with(word, "_EP"))
        {
            pass.group = Parallelism::EXPERT;
            base = word.substr(0, word.size() - 3);
        }
        const auto found = types.find(base);
        if (found == types.end())
        {
            throw GraphRefusal{
                place,
                "there is no transfer " + QuoteText(word) +
                    " (NONE, ALLREDUCE, ALLGATHER, REDUCESCATTER, ALLTOALL, BROADCAST, and these "
                    "with _EP or _DP_EP)"};
        }
        pass.type = found->second;
        if (pass.type == Collective::ALL_GATHER && m_allGatherSize == NO_SIZE)
        {
            throw GraphRefusal{place,
                               "does not say whether the bytes of an all-gather are the total, as "
                               "AICB writes them, or the input of one rank, as SimAI reads them: "
                               "set AllGatherSize"};
        }
    }

    /** What all ranks do, and which kinds of groups they use, in the order of their first use. */
    struct Plan
    {
        GraphProgramBuilder builder{};
        GraphIndex kinds{};
        uint16_t gpu{builder.AddLane(LaneKind::GPU)};
        uint16_t cpu{builder.AddLane(LaneKind::CPU)};
        uint16_t network{builder.AddLane(LaneKind::COMMUNICATION)};
        std::vector<uint32_t> last{}; //!< node that the next one waits for
    };

    void AddCompute(Plan& plan, uint64_t time, const std::string& name) const
    {
        if (time > 0)
        {
            plan.last = {plan.builder.Add({time, 0, 0, Kind::COMPUTE, {}, plan.gpu},
                                          plan.last,
                                          {},
                                          HasNames() ? name : "")};
        }
    }

    /** \return the collective, behind the last node; none if there is nothing to do */
    std::vector<uint32_t> AddTransfer(Plan& plan,
                                      const SimaiPass& pass,
                                      const SimaiDegrees& degrees,
                                      const std::string& name) const
    {
        if (!pass.type || pass.bytes == 0 || degrees.Count(pass.group) < 2)
        {
            return {};
        }
        const uint32_t kind = plan.kinds.Add(static_cast<uint32_t>(pass.group));
        return {plan.builder.Add({pass.bytes, kind, 0, Kind::COLLECTIVE, *pass.type, plan.network},
                                 plan.last,
                                 {},
                                 HasNames() ? name : "")};
    }

    void AddBlocking(Plan& plan,
                     const SimaiPass& pass,
                     const SimaiDegrees& degrees,
                     const std::string& name) const
    {
        AddCompute(plan, pass.time, name);
        const auto transfer = AddTransfer(plan, pass, degrees, name);
        plan.last = transfer.empty() ? plan.last : transfer;
    }

    void MakeGraph(const std::vector<SimaiRow>& rows,
                   const SimaiDegrees& degrees,
                   TaskGraph& graph) const
    {
        Plan plan;
        for (const auto& row : rows)
        {
            AddBlocking(plan, row.passes[0], degrees, row.name + " forward");
        }
        for (auto row = rows.rbegin(); row != rows.rend(); ++row)
        {
            AddBlocking(plan, row->passes[1], degrees, row->name + " input gradient");
            const std::string name = row->name + " weight gradient";
            AddCompute(plan, row->passes[2].time, name);
            const auto transfer = AddTransfer(plan, row->passes[2], degrees, name);
            if (!transfer.empty() && row->update > 0)
            {
                plan.builder.Add({row->update, 0, 0, Kind::COMPUTE, {}, plan.cpu},
                                 transfer,
                                 {},
                                 HasNames() ? row->name + " update" : "");
            }
        }
        Share(plan, degrees, graph);
    }

    /** Make the graph of a list of collectives, one after the other. */
    void MakeList(const std::vector<SimaiRow>& rows,
                  const SimaiDegrees& degrees,
                  TaskGraph& graph) const
    {
        Plan plan;
        for (const auto& row : rows)
        {
            SimaiPass pass = row.passes[2];
            pass.group = Parallelism::ALL;
            const auto transfer = AddTransfer(plan, pass, degrees, row.name);
            plan.last = transfer.empty() ? plan.last : transfer;
        }
        Share(plan, degrees, graph);
    }

    /** Give all ranks what a plan says, and the groups that it uses. */
    static void Share(Plan& plan, const SimaiDegrees& degrees, TaskGraph& graph)
    {
        const auto program = plan.builder.Build();
        for (uint64_t rank = 0; rank < degrees.ranks; ++rank)
        {
            graph.ranks.push_back({program, {}, {}, {}});
        }
        for (const uint32_t kind : plan.kinds.GetAll())
        {
            AddGroups(static_cast<Parallelism>(kind), degrees, graph);
        }
    }

    static void AddGroups(Parallelism kind, const SimaiDegrees& degrees, TaskGraph& graph)
    {
        const std::size_t first = graph.groups.size();
        for (uint64_t i = 0; i < degrees.ranks / degrees.Count(kind); ++i)
        {
            graph.groups.push_back({NameOf(kind) + std::to_string(i), {}});
        }
        for (uint32_t rank = 0; rank < degrees.ranks; ++rank)
        {
            const std::size_t group = first + degrees.FindGroup(kind, rank);
            graph.groups[group].ranks.push_back(rank);
            graph.ranks[rank].groups.push_back(static_cast<uint32_t>(group));
        }
    }

    uint64_t m_ranks{0};
    uint64_t m_expert{0};
    uint64_t m_pipeline{0};
    bool m_ignoresPipeline{false};
    bool m_isShort{false};
    bool m_roundsUp{false};
    Unit m_unit{NO_UNIT};
    Size m_allGatherSize{NO_SIZE};
};

TypeId
SimaiGraphFormat::GetTypeId()
{
    using Self = SimaiGraphFormat;
    // a checker for each: ns-3 tells attributes apart by them
    const auto degree = [] { return MakeUintegerChecker<uint64_t>(0, MOST_GPUS); };
    static TypeId tid = TypeId("ns3::ddl::SimaiGraphFormat")
                            .SetParent<GraphFormat>()
                            .SetGroupName("Ddl")
                            .AddConstructor<Self>()
                            .AddAttribute("Ranks",
                                          "number of ranks; 0: all_gpus of the file",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&Self::m_ranks),
                                          degree())
                            .AddAttribute("ExpertParallel",
                                          "ranks of a group of experts; 0: ep of the file",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&Self::m_expert),
                                          degree())
                            .AddAttribute("PipelineParallel",
                                          "pipeline stages; 0: pp of the file",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&Self::m_pipeline),
                                          degree());
    static TypeId all = AddUnits(AddSwitches(tid));
    return all;
}

TypeId
SimaiGraphFormat::AddSwitches(TypeId tid)
{
    using Self = SimaiGraphFormat;
    return tid
        .AddAttribute("IgnorePipeline",
                      "whether every rank of a pipeline does the rows of the file, without "
                      "messages between stages",
                      BooleanValue(false),
                      MakeBooleanAccessor(&Self::m_ignoresPipeline),
                      MakeBooleanChecker())
        .AddAttribute("FewerRows",
                      "whether a file may have fewer rows than it promises",
                      BooleanValue(false),
                      MakeBooleanAccessor(&Self::m_isShort),
                      MakeBooleanChecker())
        .AddAttribute("RoundUpForward",
                      "whether forward transfers below 4096 B become 4096 B, as in SimAI",
                      BooleanValue(false),
                      MakeBooleanAccessor(&Self::m_roundsUp),
                      MakeBooleanChecker());
}

TypeId
SimaiGraphFormat::AddUnits(TypeId tid)
{
    using Self = SimaiGraphFormat;
    // a class up to ns-3.40, and a template from 3.41 on
    using UnitValue = decltype(EnumValue(NO_UNIT));
    using SizeValue = decltype(EnumValue(NO_SIZE));
    return tid
        .AddAttribute("TimeUnit",
                      "unit of times: ns (as SimAI reads them), us (as chakra's converter "
                      "writes them), or unset: ns if the file has all_gpus, else an error",
                      UnitValue(NO_UNIT),
                      MakeAccessorHelper<UnitValue>(&Self::m_unit),
                      MakeEnumChecker(NO_UNIT, "unset", NANOSECONDS, "ns", MICROSECONDS, "us"))
        .AddAttribute("AllGatherSize",
                      "bytes of an all-gather: total (what each rank has after it, as AICB "
                      "writes), input (what one rank has before it, as SimAI reads), or unset: "
                      "an error if there is an all-gather",
                      SizeValue(NO_SIZE),
                      MakeAccessorHelper<SizeValue>(&Self::m_allGatherSize),
                      MakeEnumChecker(NO_SIZE, "unset", INPUT, "input", TOTAL, "total"));
}

NS_OBJECT_ENSURE_REGISTERED(SimaiGraphFormat);

} // namespace ns3::ddl
