// SPDX-License-Identifier: GPL-2.0-only
#include "app/results/ddl-csv-table.h"
#include "ddl-figure.h"

#include "ns3/ddl-priority.h"

#include <algorithm>
#include <array>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t MOST_BARS = 40;         //!< most bars that can be told apart
constexpr std::size_t FURTHER = MAX_QUEUES;   //!< the part of a bar for all queues from 8 on
constexpr std::size_t PARTS = MAX_QUEUES + 1; //!< number of parts of a bar

/** One bar: bytes by queue. */
struct Stack
{
    std::string label;
    std::array<double, PARTS> bytes{}; //!< bytes of each part

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

/** \return a stack per port, in the order of the file, or one of all ports together */
std::vector<Stack>
ReadStacks(const ResultSet& set, bool together)
{
    std::vector<Stack> stacks;
    const auto runs = set.ListRuns();
    for (const auto& run : runs)
    {
        const CsvTable table(run + "/ports.csv");
        for (std::size_t row = 0; row < table.GetRows(); ++row)
        {
            const std::string port =
                table.GetText(row, "node") + " to " + table.GetText(row, "peer");
            auto& stack = FindStack(stacks, together ? set.label : port);
            const auto queue = static_cast<std::size_t>(table.GetNumber(row, "queue").value_or(0));
            stack.bytes[std::min(queue, FURTHER)] +=
                table.GetNumber(row, "bytes").value_or(0) / static_cast<double>(runs.size());
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

/** \return name of a part of a bar in the key */
std::string
NamePart(std::size_t part)
{
    const std::string name = "queue " + std::to_string(part);
    return part == FURTHER         ? "queues from " + std::to_string(part) + " on"
           : part == CONTROL_QUEUE ? name + " (control)"
                                   : name;
}

/** \return true if bars are shown in gigabytes, false: in megabytes */
bool
IsMuch(const std::vector<Stack>& stacks)
{
    constexpr double MUCH = 1e10;
    return std::any_of(stacks.begin(), stacks.end(), [](const Stack& stack) {
        return stack.GetTotal() >= MUCH;
    });
}

Chart::Panel
MakePortsPanel(const std::vector<Stack>& stacks)
{
    const bool isMuch = IsMuch(stacks);
    Chart::Panel panel;
    panel.kind = Chart::Kind::STACKS;
    panel.y = isMuch ? Chart::Axis{"GB sent", "GB", "gb"} : Chart::Axis{"MB sent", "MB", "mb"};
    for (const auto& stack : stacks)
    {
        panel.names.push_back(stack.label);
    }
    for (std::size_t part = 0; part < PARTS; ++part)
    {
        if (!IsUsed(stacks, part))
        {
            continue;
        }
        Chart::Series series{NamePart(part)};
        for (const auto& stack : stacks)
        {
            series.y.emplace_back(stack.bytes[part] / (isMuch ? 1e9 : 1e6));
        }
        panel.series.push_back(std::move(series));
    }
    return panel;
}

/**
 * Bars of the bytes that ports sent, stacked by queue. Of one set of results: a bar for each egress
 * port, the busiest ports first where there are many. Of several: a bar for each set, all its ports
 * together. Bytes are the mean over seeds.
 */
Chart
MakePorts(const std::vector<ResultSet>& sets)
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
        return NothingToDraw("no port has sent anything");
    }
    const std::string title =
        (sets.size() > 1 ? "Bytes sent, by queue" : "Bytes sent by each port, by queue") +
        std::string(sets[0].folders.size() > 1 ? ", mean of the seeds" : "") +
        (stacks.size() < all && stacks.size() == MOST_BARS
             ? " (busiest " + std::to_string(MOST_BARS) + " of " + std::to_string(all) + ")"
             : "");
    return {title, DescribeRuns(sets), {MakePortsPanel(stacks)}};
}

constexpr FigureEntry PORTS{"ns3::ddl::PortsFigure",
                            "bytes in each queue of each port; of several results, all ports "
                            "together",
                            MakePorts};
const TypeId PORTS_FIGURE = FigureOf<PORTS>::GetTypeId();

} // namespace

} // namespace ns3::ddl
