// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-ports-figure.h"

#include "ddl-csv-table.h"
#include "ddl-gnuplot.h"

#include "ns3/ddl-csv-writer.h"
#include "ns3/ddl-priority.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(PortsFigure);

namespace
{

constexpr std::size_t MOST_BARS = 40;         //!< that can be told apart
constexpr std::size_t FURTHER = MAX_QUEUES;   //!< the part of a bar for all queues from 8 on
constexpr std::size_t PARTS = MAX_QUEUES + 1; //!< of a bar

/** One bar: bytes by queue. */
struct Stack
{
    std::string label;
    std::array<double, PARTS> bytes{}; //!< by part

    double GetTotal() const
    {
        double total = 0;
        for (const double part : bytes)
        {
            total += part;
        }
        return total;
    }
};

Stack&
FindStack(std::vector<Stack>& stacks, const std::string& label)
{
    const auto found = std::find_if(stacks.begin(), stacks.end(), [&label](const Stack& stack) {
        return stack.label == label;
    });
    return found != stacks.end() ? *found : *stacks.insert(stacks.end(), Stack{label, {}});
}

/** \return a stack a port, in the order of the file, or a single one of all ports together */
std::vector<Stack>
ReadStacks(const ResultSet& set, bool together)
{
    std::vector<Stack> stacks;
    const auto runs = static_cast<double>(
        std::count_if(set.folders.begin(), set.folders.end(), [](const std::string& folder) {
            return !folder.empty();
        }));
    for (const auto& folder : set.folders)
    {
        if (folder.empty())
        {
            continue;
        }
        const CsvTable table(folder + "/ports.csv");
        for (std::size_t row = 0; row < table.GetRows(); ++row)
        {
            const std::string port =
                table.GetText(row, "node") + " to " + table.GetText(row, "peer");
            auto& stack = FindStack(stacks, together ? set.label : port);
            const auto queue = static_cast<std::size_t>(table.GetNumber(row, "queue").value_or(0));
            stack.bytes[std::min(queue, FURTHER)] +=
                table.GetNumber(row, "bytes").value_or(0) / runs;
        }
    }
    return stacks;
}

/** Leave out idle ports and, where there are many, all but the busiest. */
void
KeepBusiest(std::vector<Stack>& stacks)
{
    stacks.erase(std::remove_if(stacks.begin(),
                                stacks.end(),
                                [](const Stack& stack) { return stack.GetTotal() == 0; }),
                 stacks.end());
    if (stacks.size() > MOST_BARS)
    {
        std::stable_sort(stacks.begin(), stacks.end(), [](const Stack& a, const Stack& b) {
            return a.GetTotal() > b.GetTotal();
        });
        stacks.resize(MOST_BARS);
    }
}

/** \return true if any bar has bytes in this part */
bool
IsUsed(const std::vector<Stack>& stacks, std::size_t part)
{
    return std::any_of(stacks.begin(), stacks.end(), [part](const Stack& stack) {
        return stack.bytes[part] > 0;
    });
}

/** The label comes last: gnuplot cannot read the quotes that may be in it. */
std::string
FormatData(const std::vector<Stack>& stacks)
{
    const std::size_t parts = IsUsed(stacks, FURTHER) ? PARTS : MAX_QUEUES;
    std::string header;
    for (std::size_t part = 0; part < parts; ++part)
    {
        header += "queue_" + std::to_string(part) + (part == FURTHER ? "_on" : "") + "_bytes,";
    }
    CsvWriter csv(header + "label");
    for (const auto& stack : stacks)
    {
        for (std::size_t part = 0; part < parts; ++part)
        {
            csv.Cell(stack.bytes[part]);
        }
        csv.Cell(stack.label).EndRow();
    }
    return csv.GetText();
}

/** \return what a part of a bar is, for the key */
std::string
NamePart(std::size_t part)
{
    const std::string name = "queue " + std::to_string(part);
    return part == FURTHER         ? "queues from " + std::to_string(part) + " on"
           : part == CONTROL_QUEUE ? name + " (control)"
                                   : name;
}

/** \return true if the names below the bars need to be turned */
bool
AreTicsLong(const std::vector<Stack>& stacks)
{
    constexpr std::size_t PLACE = 80; //!< characters of that size that go into one line
    return std::any_of(stacks.begin(), stacks.end(), [&stacks](const Stack& stack) {
        return stack.label.size() * stacks.size() > PLACE;
    });
}

/** \return 'h0 to leaf0' 0, 'h1 to leaf0' 1, ..., long names cut */
std::string
FormatTics(const std::vector<Stack>& stacks)
{
    constexpr std::size_t LONGEST = 28; //!< characters that leave room for the bars
    std::string tics;
    for (std::size_t i = 0; i < stacks.size(); ++i)
    {
        std::string shown = stacks[i].label;
        shown = shown.size() > LONGEST ? shown.substr(0, LONGEST - 3) + "..." : shown;
        for (auto at = shown.find('%'); at != std::string::npos; at = shown.find('%', at + 2))
        {
            shown.insert(at, "%"); // gnuplot takes the names of tics for formats
        }
        tics += (i == 0 ? "" : ", ") + QuoteForGnuplot(shown) + " " + std::to_string(i);
    }
    return tics;
}

std::string
FormatScript(const std::string& name, const std::vector<Stack>& stacks, const std::string& title)
{
    std::ostringstream script;
    script << BeginGnuplotScript(name, title)
           << "set style data histograms\nset style histogram rowstacked\n"
           << "set style fill solid 0.9 noborder\nset boxwidth 0.8\n"
           << "set key bmargin center horizontal Left reverse samplen 1.5 height 0.7\nset ylabel "
              "'MB sent'\n"
           << "set yrange [0:*]\nset xtics scale 0"
           << (AreTicsLong(stacks) ? " rotate by 55 right font ',11'" : "") << " ("
           << FormatTics(stacks) << ")\nplot \\\n";
    std::string separator;
    for (std::size_t part = 0; part < PARTS; ++part)
    {
        if (IsUsed(stacks, part))
        {
            script << separator << "  " << QuoteForGnuplot(name + "-data.csv") << " skip 1 using ($"
                   << part + 1 << " / 1e6) linetype " << part + 1 << " title '" << NamePart(part)
                   << "'";
            separator = ", \\\n";
        }
    }
    script << "\n" << EndGnuplotScript();
    return script.str();
}

} // namespace

TypeId
PortsFigure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::PortsFigure")
                            .SetParent<Figure>()
                            .SetGroupName("Ddl")
                            .AddConstructor<PortsFigure>();
    return tid;
}

std::string
PortsFigure::GetSummary() const
{
    return "bytes in each queue of each port; of several results, all ports together";
}

FigureFiles
PortsFigure::DoMake(const std::vector<ResultSet>& sets) const
{
    std::vector<Stack> stacks;
    for (const auto& set : sets)
    {
        const auto more = ReadStacks(set, sets.size() > 1);
        stacks.insert(stacks.end(), more.begin(), more.end());
    }
    const std::size_t all = stacks.size();
    KeepBusiest(stacks);
    if (stacks.empty())
    {
        return {"", "", "no port has sent anything"};
    }
    const std::string scale = DescribeScale(sets);
    const std::string title =
        (sets.size() > 1 ? "Bytes sent, by queue"
                         : "Bytes sent by each port, by queue: " + sets[0].label) +
        (stacks.size() < all && stacks.size() == MOST_BARS
             ? " (busiest " + std::to_string(MOST_BARS) + " of " + std::to_string(all) + ")"
             : "") +
        (scale.empty() ? "" : "\n" + scale);
    return {FormatData(stacks), FormatScript(GetName(), stacks, title), ""};
}

} // namespace ddl
} // namespace ns3
