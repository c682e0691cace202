// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-goal-operations.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <numeric>
#include <tuple>

namespace ns3::ddl
{

namespace
{

constexpr uint64_t MAGIC = 4223;      //!< Parser.hpp: MAGIC_COOKIE
constexpr uint64_t MAGIC_USED = 2342; //!< Parser.hpp: MAGIC_COOKIE_INVALID
constexpr uint64_t ORIGIN = 8;        //!< byte from which a rank's begin and end are counted
constexpr uint64_t HEADER = 14;       //!< magic, ranks, greatest cpu and nic
constexpr uint64_t JUMP = 16;         //!< bytes of a rank's begin and end
constexpr uint64_t RECORD = 39;       //!< bytes of an operation

/** Numbers of a piece of a file, little-endian and unaligned. */
class GoalBytes
{
  public:
    explicit GoalBytes(std::string bytes)
        : m_bytes(std::move(bytes))
    {
    }

    template <typename T>
    T Take()
    {
        const auto* place = reinterpret_cast<const unsigned char*>(m_bytes.data()) + m_next;
        m_next += sizeof(T);
        return boost::endian::endian_load<T, sizeof(T), boost::endian::order::little>(place);
    }

    void Skip(uint64_t bytes)
    {
        m_next += bytes;
    }

    uint64_t CountLeft() const
    {
        return m_bytes.size() - m_next;
    }

  private:
    std::string m_bytes;
    std::size_t m_next{0};
};

/** \return bytes of a file, or fewer where it ends. Memory grows as they are read, not as promised
 */
std::string
ReadBytes(std::istream& input, uint64_t begin, uint64_t count)
{
    constexpr uint64_t PIECE = 1 << 20;
    std::string bytes;
    input.clear();
    input.seekg(static_cast<std::streamoff>(begin));
    while (input && bytes.size() < count)
    {
        const uint64_t had = bytes.size();
        bytes.resize(had + std::min(PIECE, count - had));
        input.read(&bytes[had], static_cast<std::streamsize>(bytes.size() - had));
        bytes.resize(had + static_cast<uint64_t>(std::max<std::streamsize>(0, input.gcount())));
    }
    return bytes;
}

} // namespace

/**
 * `goal-binary`: GOAL as LogGOPSim's txt2bin writes it (Parser.hpp, serialize_mmap).
 *
 *     u64 magic 4223, u32 ranks, u8 greatest cpu, u8 greatest nic
 *     per rank   u64 begin, u64 end, both counted from byte 8
 *     each rank  u32 operations, u32 roots, u32 root[], records of 39 bytes, u32 appendix[]
 *     record     u32 number of operations it waits for, u8 type (1 send, 2 recv, 3 calc), u32 peer,
 *                u64 size, u32 tag, u8 cpu, u8 nic, u32 followers, u32 their first place in the
 *                appendix, u32 followers of its start, u32 their first place
 */
class GoalBinaryGraphFormat : public GoalOperations
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::GoalBinaryGraphFormat")
                                .SetParent<GoalOperations>()
                                .SetGroupName("Ddl")
                                .AddConstructor<GoalBinaryGraphFormat>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "GOAL as LogGOPSim's txt2bin writes it, and ATLAHS publishes it";
    }

    bool Recognises(const std::string&, const std::string& beginning) const override
    {
        if (beginning.size() < sizeof(uint64_t))
        {
            return false;
        }
        const auto magic = GoalBytes(beginning).Take<uint64_t>();
        return magic == MAGIC || magic == MAGIC_USED;
    }

  private:
    void DoRead(const std::vector<GraphFile>& files,
                TaskGraph& graph,
                GraphComplaints& complaints) const override
    {
        if (files.size() > 1)
        {
            complaints.Add(files[1].name, "", "GOAL has one file for all ranks");
            return;
        }
        const auto input = files.front().open();
        GoalBytes header(ReadBytes(*input, 0, HEADER));
        if (header.CountLeft() < HEADER)
        {
            throw GraphRefusal{"header", "is cut off"};
        }
        const auto magic = header.Take<uint64_t>();
        if (magic != MAGIC)
        {
            throw GraphRefusal{"header",
                               magic == MAGIC_USED
                                   ? "was used up by a simulation, which changes the file"
                                   : "does not begin with GOAL's magic number 4223"};
        }
        const auto ranks = header.Take<uint32_t>();
        GoalBytes jumps(ReadBytes(*input, HEADER, ranks * JUMP));
        if (jumps.CountLeft() < ranks * JUMP)
        {
            throw GraphRefusal{"table of " + std::to_string(ranks) + " ranks", "is cut off"};
        }
        ReadRanks(*input, TakeExtents(ranks, jumps), graph, complaints);
    }

    /** Where a rank stands in the file, in bytes. */
    struct Extent
    {
        uint64_t begin{0};
        uint64_t end{0};
    };

    /** \return where each rank stands. Ranks may not overlap, or a small file could stand for a
     * huge graph */
    static std::vector<Extent> TakeExtents(uint32_t ranks, GoalBytes& jumps)
    {
        std::vector<Extent> extents(ranks);
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            const auto begin = jumps.Take<uint64_t>();
            const auto end = jumps.Take<uint64_t>();
            if (end < begin || end > INT64_MAX - ORIGIN)
            {
                throw GraphRefusal{"rank " + std::to_string(rank), "ends before it begins"};
            }
            extents[rank] = {ORIGIN + begin, ORIGIN + end};
        }
        std::vector<uint32_t> order(ranks);
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&extents](uint32_t a, uint32_t b) {
            return std::tie(extents[a].begin, a) < std::tie(extents[b].begin, b);
        });
        uint64_t next = HEADER + ranks * JUMP;
        for (uint32_t i = 0; i < ranks; ++i)
        {
            const Extent& extent = extents[order[i]];
            if (extent.begin < next)
            {
                throw GraphRefusal{
                    "rank " + std::to_string(order[i]),
                    "begins at byte " + std::to_string(extent.begin) + ", before " +
                        (i == 0 ? "the table of ranks" : "rank " + std::to_string(order[i - 1])) +
                        " ends"};
            }
            next = extent.end;
        }
        return extents;
    }

    /** Read all ranks. What is wrong with one does not keep others from being looked at. */
    void ReadRanks(std::istream& input,
                   const std::vector<Extent>& extents,
                   TaskGraph& graph,
                   GraphComplaints& complaints) const
    {
        const auto ranks = static_cast<uint32_t>(extents.size());
        GraphProgramPool pool;
        uint64_t nodes = 0;
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            const Extent& extent = extents[rank];
            const uint64_t size = extent.end - extent.begin;
            std::vector<Operation> operations;
            try
            {
                operations = ReadRank(rank, ReadBytes(input, extent.begin, size), size);
            }
            catch (const GraphRefusal& refusal)
            {
                complaints.Add(graph.source, refusal.place, refusal.what);
            }
            nodes += operations.size();
            if (nodes > GetMostNodes())
            {
                throw GraphRefusal{"rank " + std::to_string(rank),
                                   "there are more nodes than MostNodes"};
            }
            graph.ranks.push_back(
                MakeRank(rank, operations, ranks, pool, graph.source, complaints));
        }
    }

    static std::vector<Operation> ReadRank(uint32_t rank, std::string text, uint64_t promised)
    {
        const std::string place = "rank " + std::to_string(rank);
        GoalBytes bytes(std::move(text));
        const auto check = [&](bool isRight) {
            if (!isRight)
            {
                throw GraphRefusal{place, "is cut off, or its counts are wrong"};
            }
        };
        check(bytes.CountLeft() == promised && promised >= 8);
        const auto count = bytes.Take<uint32_t>();
        const auto roots = bytes.Take<uint32_t>();
        check(bytes.CountLeft() >= 4ULL * roots);
        bytes.Skip(4ULL * roots);
        check(bytes.CountLeft() >= RECORD * count);

        std::vector<Operation> operations(count);
        std::vector<uint32_t> waits(count);
        std::vector<Followers> followers(count);
        for (uint32_t node = 0; node < count; ++node)
        {
            const std::string at = place + ", node " + std::to_string(node);
            waits[node] = bytes.Take<uint32_t>();
            operations[node] = TakeOperation(bytes, at);
            followers[node] = {bytes.Take<uint32_t>(),
                               bytes.Take<uint32_t>(),
                               bytes.Take<uint32_t>(),
                               bytes.Take<uint32_t>()};
        }
        std::vector<uint32_t> appendix(bytes.CountLeft() / 4);
        for (uint32_t& follower : appendix)
        {
            follower = bytes.Take<uint32_t>();
        }
        Link(place, appendix, followers, waits, operations);
        return operations;
    }

    /** Where the operations behind one stand in the appendix. */
    struct Followers
    {
        uint32_t ended{0};
        uint32_t firstEnded{0};
        uint32_t started{0};
        uint32_t firstStarted{0};
    };

    static Operation TakeOperation(GoalBytes& bytes, const std::string& place)
    {
        Operation operation;
        const auto type = bytes.Take<uint8_t>();
        if (type < 1 || type > 3)
        {
            throw GraphRefusal{place,
                               "is of type " + std::to_string(type) + " (1 send, 2 recv, 3 calc)"};
        }
        operation.kind = type == 1   ? GraphNode::Kind::SEND
                         : type == 2 ? GraphNode::Kind::RECEIVE
                                     : GraphNode::Kind::COMPUTE;
        operation.peer = bytes.Take<uint32_t>();
        operation.amount = bytes.Take<uint64_t>();
        operation.tag = bytes.Take<uint32_t>();
        operation.cpu = bytes.Take<uint8_t>();
        operation.nic = bytes.Take<uint8_t>();
        if (operation.kind != GraphNode::Kind::COMPUTE && operation.tag == UINT32_MAX)
        {
            throw GraphRefusal{place, "any tag is not supported"};
        }
        return operation;
    }

    /** Turn followers into what each operation waits for. */
    static void Link(const std::string& place,
                     const std::vector<uint32_t>& appendix,
                     const std::vector<Followers>& followers,
                     const std::vector<uint32_t>& waits,
                     std::vector<Operation>& operations)
    {
        // Ranges may not overlap, or a small file could stand for a huge graph.
        uint64_t edges = 0;
        for (uint32_t node = 0; node < followers.size(); ++node)
        {
            const auto link = [&](uint32_t first, uint32_t count, bool isEnd) {
                edges += count;
                for (uint64_t i = first; i < static_cast<uint64_t>(first) + count; ++i)
                {
                    if (i >= appendix.size() || edges > appendix.size() ||
                        appendix[i] >= operations.size())
                    {
                        throw GraphRefusal{place + ", node " + std::to_string(node),
                                           "its followers are out of range (there are " +
                                               std::to_string(operations.size()) +
                                               " operations, and " +
                                               std::to_string(appendix.size()) + " edges)"};
                    }
                    Operation& later = operations[appendix[i]];
                    (isEnd ? later.ended : later.started).push_back(node);
                }
            };
            link(followers[node].firstEnded, followers[node].ended, true);
            link(followers[node].firstStarted, followers[node].started, false);
        }
        for (uint32_t node = 0; node < operations.size(); ++node)
        {
            const std::size_t found =
                operations[node].ended.size() + operations[node].started.size();
            if (found != waits[node])
            {
                throw GraphRefusal{place + ", node " + std::to_string(node),
                                   "says that it waits for " + std::to_string(waits[node]) +
                                       " operations; the edges of others say " +
                                       std::to_string(found)};
            }
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(GoalBinaryGraphFormat);

} // namespace ns3::ddl
