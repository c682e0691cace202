// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-goal-operations.h"

#include <boost/lexical_cast/try_lexical_convert.hpp>
#include <cctype>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t MOST_LETTERS = 1000; //!< longest word
constexpr uint32_t MOST_RANKS = 1 << 24;

/** The words of a file, and ':', '{' and '}', without comments. */
class GoalWords
{
  public:
    explicit GoalWords(std::istream& input)
        : m_input(input)
    {
        Advance();
    }

    /** \return the next word without taking it; "" at the end */
    const std::string& Peek() const
    {
        return m_word;
    }

    std::string Take()
    {
        std::string word = m_word;
        Advance();
        return word;
    }

    /** \return whether the next word was this one, and is taken */
    bool TakeIf(const std::string& word)
    {
        const bool isThere = m_word == word;
        if (isThere)
        {
            Advance();
        }
        return isThere;
    }

    void Expect(const std::string& word)
    {
        if (!TakeIf(word))
        {
            Refuse("expects \"" + word + "\" instead of " + Describe());
        }
    }

    /** \return the next word, a whole number with this suffix, which may be a word of its own */
    uint64_t TakeNumber(const std::string& what, uint64_t most, const std::string& suffix = "")
    {
        const std::string digits = m_word.substr(0, m_word.find_first_not_of("0123456789"));
        const bool isSplit = !suffix.empty() && digits == m_word;
        uint64_t number = 0;
        if ((digits + suffix != m_word && !isSplit) ||
            !boost::conversion::try_lexical_convert(digits, number) || number > most)
        {
            Refuse(what + " must be a whole number up to " + std::to_string(most) +
                   (suffix.empty() ? "" : " followed by " + suffix) + ", is " + Describe());
        }
        Advance();
        if (isSplit)
        {
            Expect(suffix);
        }
        return number;
    }

    /** \return the line of the next word, from 1 */
    uint64_t GetLine() const
    {
        return m_line;
    }

    /** Skip the words that are left of a line, but not the end of a rank. */
    void SkipLine(uint64_t line)
    {
        while (m_line == line && !m_word.empty() && m_word != "}")
        {
            Advance();
        }
    }

    [[noreturn]] void Refuse(const std::string& what) const
    {
        throw GraphRefusal{"line " + std::to_string(m_line), what};
    }

    std::string Describe() const
    {
        return m_word.empty() ? "the end of the file" : QuoteText(m_word);
    }

  private:
    int Get()
    {
        const int letter = m_input.get();
        m_nextLine += letter == '\n' ? 1 : 0;
        return letter;
    }

    /** Skip blanks and comments. \return the first letter behind them */
    int Skip()
    {
        int letter = Get();
        while (letter != EOF)
        {
            if (letter == '/' && m_input.peek() == '/')
            {
                while (letter != EOF && letter != '\n')
                {
                    letter = Get();
                }
            }
            else if (letter == '/' && m_input.peek() == '*')
            {
                Get();
                int last = 0;
                for (letter = Get(); letter != EOF && !(last == '*' && letter == '/');)
                {
                    last = letter;
                    letter = Get();
                }
                letter = letter == EOF ? EOF : Get();
            }
            else if (std::isspace(letter))
            {
                letter = Get();
            }
            else
            {
                break;
            }
        }
        return letter;
    }

    void Advance()
    {
        const auto belongs = [](int letter) {
            return letter != EOF && (std::isalnum(letter) || letter == '_' || letter == '-');
        };
        m_word.clear();
        const int first = Skip();
        m_line = m_nextLine;
        if (first == EOF)
        {
            return;
        }
        m_word.push_back(static_cast<char>(first));
        while (belongs(first) && belongs(m_input.peek()))
        {
            m_word.push_back(static_cast<char>(Get()));
            if (m_word.size() > MOST_LETTERS)
            {
                Refuse("a word has more than " + std::to_string(MOST_LETTERS) + " letters");
            }
        }
    }

    std::istream& m_input;
    std::string m_word;
    uint64_t m_line{1};
    uint64_t m_nextLine{1};
};

} // namespace

/**
 * `goal`: GOAL as text, as LogGOPSim's txt2bin reads it.
 *
 *     num_ranks 2
 *     rank 0 {
 *       l1: calc 1000 cpu 0          nanoseconds
 *       l2: send 8b to 1 tag 3 cpu 0 nic 0
 *       l2 requires l1               after its end; irequires: after its start
 *     }
 *     rank 1 {
 *       recv 8b from 0 tag 3
 *     }
 *
 * Labels are local to their rank and defined before use. Ranks stand in ascending order. Any source
 * and any tag (-1) are refused: which message they take would depend on time. A statement that is
 * wrong is skipped up to the end of its line, so that all of them are found.
 */
class GoalGraphFormat : public GoalOperations
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::GoalGraphFormat")
                                .SetParent<GoalOperations>()
                                .SetGroupName("Ddl")
                                .AddConstructor<GoalGraphFormat>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "GOAL as text, of LogGOPSim and ATLAHS: num_ranks N, rank r { send, recv, calc, "
               "requires }";
    }

    bool Recognises(const std::string& name, const std::string& beginning) const override
    {
        return BeginsWithRanks(beginning) ||
               (name.size() > 5 && name.substr(name.size() - 5) == ".goal" &&
                beginning.find('\0') == std::string::npos);
    }

  private:
    /** The operations of a rank, and its labels. */
    struct Rank
    {
        std::vector<Operation> operations{};
        std::unordered_map<std::string, uint32_t> labels{}; //!< operations by label
    };

    static bool BeginsWithRanks(const std::string& beginning)
    {
        std::istringstream input(beginning);
        try
        {
            return GoalWords(input).Peek() == "num_ranks";
        }
        catch (const GraphRefusal&)
        {
            return false; // a word of no end
        }
    }

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
        GoalWords words(*input);
        words.Expect("num_ranks");
        const auto ranks =
            static_cast<uint32_t>(words.TakeNumber("the number of ranks", MOST_RANKS));
        GraphProgramPool pool;
        uint64_t nodes = 0;
        while (!words.Peek().empty())
        {
            words.Expect("rank");
            const auto rank = static_cast<uint32_t>(words.TakeNumber("the rank", MOST_RANKS));
            if (rank != graph.ranks.size() || rank >= ranks)
            {
                words.Refuse("rank " + std::to_string(rank) + " stands where rank " +
                             std::to_string(graph.ranks.size()) + " of " + std::to_string(ranks) +
                             " is expected");
            }
            const auto operations =
                ReadRank(words, GetMostNodes() - nodes, graph.source, complaints);
            nodes += operations.size();
            graph.ranks.push_back(
                MakeRank(rank, operations, ranks, pool, graph.source, complaints));
        }
        if (graph.ranks.size() != ranks)
        {
            words.Refuse("num_ranks promises " + std::to_string(ranks) + " ranks; there are " +
                         std::to_string(graph.ranks.size()));
        }
    }

    static std::vector<Operation> ReadRank(GoalWords& words,
                                           uint64_t most,
                                           const std::string& file,
                                           GraphComplaints& complaints)
    {
        Rank rank;
        words.Expect("{");
        while (!words.TakeIf("}"))
        {
            if (words.Peek().empty())
            {
                words.Refuse("the file ends within a rank: } is missing");
            }
            if (rank.operations.size() >= most)
            {
                words.Refuse("there are more nodes than MostNodes");
            }
            const uint64_t line = words.GetLine();
            try
            {
                ReadStatement(words, rank);
            }
            catch (const GraphRefusal& refusal)
            {
                complaints.Add(file, "line " + std::to_string(line), refusal.what);
                words.SkipLine(line);
            }
        }
        return std::move(rank.operations);
    }

    /** Read an operation, or an edge. */
    static void ReadStatement(GoalWords& words, Rank& rank)
    {
        std::string word = words.Take();
        if (words.Peek() == "requires" || words.Peek() == "irequires")
        {
            ReadEdge(words, word, rank);
            return;
        }
        auto& operations = rank.operations;
        std::string label;
        if (words.TakeIf(":"))
        {
            label = std::move(word);
            if (!std::isalpha(static_cast<unsigned char>(label[0])))
            {
                words.Refuse("the label " + QuoteText(label) + " must begin with a letter");
            }
            if (!rank.labels.emplace(label, static_cast<uint32_t>(operations.size())).second)
            {
                words.Refuse("the label " + QuoteText(label) + " stands for another operation");
            }
            word = words.Take();
        }
        operations.emplace_back(); // even if it is wrong, other lines may wait for it
        operations.back().name = label;
        ReadOperation(words, word, operations.back());
    }

    static void ReadEdge(GoalWords& words, const std::string& label, Rank& rank)
    {
        const bool isEnd = words.Take() == "requires";
        const std::string other = words.Take();
        const auto later = rank.labels.find(label);
        const auto earlier = rank.labels.find(other);
        if (later == rank.labels.end() || earlier == rank.labels.end())
        {
            words.Refuse("there is no operation " +
                         QuoteText(later == rank.labels.end() ? label : other) +
                         " before this line in its rank");
        }
        Operation& operation = rank.operations[later->second];
        (isEnd ? operation.ended : operation.started).push_back(earlier->second);
    }

    static void ReadOperation(GoalWords& words, const std::string& word, Operation& operation)
    {
        if (word == "calc")
        {
            operation.amount = words.TakeNumber("the time", INT64_MAX);
        }
        else if (word == "send" || word == "recv")
        {
            operation.kind = word == "send" ? GraphNode::Kind::SEND : GraphNode::Kind::RECEIVE;
            operation.amount = words.TakeNumber("the size", INT64_MAX, "b");
            words.Expect(word == "send" ? "to" : "from");
            if (words.Peek() == "-1")
            {
                words.Refuse("any source is not supported");
            }
            operation.peer = static_cast<uint32_t>(words.TakeNumber("the peer", MOST_RANKS));
        }
        else
        {
            words.Refuse("is no operation: " + (word.empty() ? words.Describe() : QuoteText(word)) +
                         " (send, recv, calc, or LABEL requires LABEL)");
        }
        while (words.Peek() == "tag" || words.Peek() == "cpu" || words.Peek() == "nic")
        {
            const std::string key = words.Take();
            if (key == "tag" && words.Peek() == "-1")
            {
                words.Refuse("any tag is not supported");
            }
            const uint64_t value =
                words.TakeNumber("the " + key, key == "tag" ? UINT32_MAX : UINT8_MAX);
            operation.tag = key == "tag" ? static_cast<uint32_t>(value) : operation.tag;
            operation.cpu = key == "cpu" ? static_cast<uint8_t>(value) : operation.cpu;
            operation.nic = key == "nic" ? static_cast<uint8_t>(value) : operation.nic;
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(GoalGraphFormat);

} // namespace ns3::ddl
