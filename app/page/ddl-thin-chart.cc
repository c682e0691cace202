// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-thin-chart.h"

#include <algorithm>
#include <map>
#include <set>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t MOST_PER_DETAIL = 400; //!< 200,000 numbers of links in 500 sections

/** \return number of the section of an axis in which a value lies, 0 to sections - 1 */
std::size_t
FindSection(double value, double first, double last, std::size_t sections)
{
    const double part = last > first ? (value - first) / (last - first) : 0;
    const auto section =
        static_cast<std::size_t>(std::max(0.0, part) * static_cast<double>(sections));
    return std::min(section, sections - 1);
}

/** Add a sentence to a note. */
void
AddSentence(std::string& note, const std::string& sentence)
{
    note += (note.empty() ? "" : " ") + sentence;
}

std::string
Count(std::size_t kept, std::size_t all, const std::string& what)
{
    return std::to_string(kept) + " of " + std::to_string(all) + " " + what;
}

/** \return the intervals, ascending, in which a curve has an extreme of its section */
std::set<std::size_t>
FindExtremes(const Chart::Panel& panel, std::size_t detail)
{
    const auto& times = panel.times;
    std::set<std::size_t> kept{0, times.size() - 1};
    for (const auto& series : panel.series)
    {
        for (std::size_t begin = 0; begin < times.size();)
        {
            const std::size_t section = FindSection(times[begin], 0, times.back(), detail);
            std::size_t least = begin;
            std::size_t greatest = begin;
            std::size_t i = begin;
            for (; i < times.size() && FindSection(times[i], 0, times.back(), detail) == section;
                 ++i)
            {
                least = series.y[i] < series.y[least] ? i : least;
                greatest = series.y[i] > series.y[greatest] ? i : greatest;
            }
            kept.insert({least, greatest});
            begin = i;
        }
    }
    return kept;
}

template <typename T>
std::vector<T>
Pick(const std::vector<T>& all, const std::set<std::size_t>& places)
{
    std::vector<T> picked;
    for (const std::size_t place : places)
    {
        picked.push_back(all[place]);
    }
    return picked;
}

void
ThinTimes(Chart::Panel& panel, std::size_t detail, std::string& note)
{
    const std::size_t all = panel.times.size();
    if (all <= 2 * detail)
    {
        return;
    }
    const auto kept = FindExtremes(panel, detail);
    panel.times = Pick(panel.times, kept);
    for (auto& series : panel.series)
    {
        series.y = Pick(series.y, kept);
    }
    AddSentence(note,
                Count(kept.size(),
                      all,
                      "intervals are drawn: those with the least and the greatest value of each "
                      "curve in each of ") +
                    std::to_string(detail) + " sections of time.");
}

void
ThinSteps(Chart::Panel& panel, std::size_t detail, std::string& note)
{
    for (auto& series : panel.series)
    {
        const std::size_t all = series.x.size();
        if (all <= 2 * detail)
        {
            continue;
        }
        std::set<std::size_t> kept;
        std::size_t before = detail;
        for (std::size_t i = 0; i < all; ++i)
        {
            const std::size_t section =
                FindSection(series.x[i], series.x.front(), series.x.back(), detail);
            if (section != before && i > 0)
            {
                kept.insert(i - 1);
            }
            if (section != before)
            {
                kept.insert(i);
            }
            before = section;
        }
        kept.insert(all - 1);
        series.x = Pick(series.x, kept);
        series.y = Pick(series.y, kept);
        AddSentence(note, series.name + ": " + Count(kept.size(), all, "steps are drawn."));
    }
}

/** Keep every step-th row, so that at most `detail` remain. */
void
ThinRows(Chart::Panel& panel, std::size_t detail, std::string& note)
{
    const std::size_t all = panel.names.size();
    if (all <= detail)
    {
        return;
    }
    const std::size_t step = (all + detail - 1) / detail;
    std::vector<std::string> names;
    std::string pending; // name of the machine, if its first row is left out
    for (std::size_t row = 0; row < all; ++row)
    {
        pending = panel.names[row].empty() ? pending : panel.names[row];
        if (row % step == 0)
        {
            names.push_back(pending);
            pending.clear();
        }
    }
    panel.names = std::move(names);
    auto& boxes = panel.boxes;
    boxes.erase(std::remove_if(boxes.begin(),
                               boxes.end(),
                               [step](const Chart::Box& box) { return box.row % step != 0; }),
                boxes.end());
    for (auto& box : boxes)
    {
        box.row /= step;
    }
    AddSentence(note,
                Count(panel.names.size(), all, "rows are drawn: one of every ") +
                    std::to_string(step) + ".");
}

/** Merge the boxes of a row that lie within one section. */
void
MergeBoxes(Chart::Panel& panel, std::size_t detail, std::string& note)
{
    const std::size_t all = panel.boxes.size();
    if (all <= 10 * detail)
    {
        return;
    }
    double last = 0;
    for (const auto& box : panel.boxes)
    {
        last = std::max(last, box.end);
    }
    // fewer rows get more sections each, so that the number of boxes stays about the same
    const std::size_t sections = std::max<std::size_t>(1, 5 * detail / panel.names.size());
    std::map<std::pair<std::size_t, std::size_t>, std::vector<Chart::Box>> small; // by row, section
    std::vector<Chart::Box> kept;
    for (const auto& box : panel.boxes)
    {
        const std::size_t first = FindSection(box.start, 0, last, sections);
        if (first == FindSection(box.end, 0, last, sections))
        {
            small[{box.row, first}].push_back(box);
        }
        else
        {
            kept.push_back(box);
        }
    }
    for (const auto& [place, boxes] : small)
    {
        Chart::Box one = boxes.front();
        for (const auto& box : boxes)
        {
            one.start = std::min(one.start, box.start);
            one.end = std::max(one.end, box.end);
        }
        if (boxes.size() > 1)
        {
            one.colour = std::nullopt;
            one.shade = 1;
            one.name = std::to_string(boxes.size()) + " runs";
            one.text = one.name + ", drawn as one";
        }
        kept.push_back(one);
    }
    panel.boxes = std::move(kept);
    AddSentence(note,
                Count(panel.boxes.size(),
                      all,
                      "boxes are drawn: those that lie close together as one, in grey."));
}

/** Merge the intervals of a wire from \p begin to \p end into one. */
void
MergeIntervals(const std::vector<double>& times,
               std::size_t begin,
               std::size_t end,
               const Chart::Wire& whole,
               Chart::Wire& merged)
{
    double used = 0;
    double bytes = 0;
    bool isDown = true;
    for (std::size_t i = begin; i < end; ++i)
    {
        used += whole.usedOver[i] * (times[i] - (i == 0 ? 0 : times[i - 1]));
        bytes += whole.bytesOver[i];
        isDown = isDown && whole.isDown[i];
    }
    const double length = times[end - 1] - (begin == 0 ? 0 : times[begin - 1]);
    merged.usedOver.push_back(length > 0 ? used / length : 0);
    merged.bytesOver.push_back(bytes);
    merged.isDown.push_back(isDown);
}

/** Merge intervals of a network's links, so that the numbers of all links are not too many. */
void
MergeWireTimes(Chart::Panel& panel, std::size_t detail, std::string& note)
{
    const Chart::Panel whole = panel;
    const std::size_t all = whole.times.size();
    const std::size_t most = std::clamp<std::size_t>(
        MOST_PER_DETAIL * detail / std::max<std::size_t>(1, whole.wires.size()),
        1,
        detail);
    if (all <= most)
    {
        return;
    }
    const std::size_t step = (all + most - 1) / most;
    panel.times.clear();
    for (auto& wire : panel.wires)
    {
        wire.usedOver.clear();
        wire.bytesOver.clear();
        wire.isDown.clear();
    }
    for (std::size_t begin = 0; begin < all; begin += step)
    {
        const std::size_t end = std::min(all, begin + step);
        panel.times.push_back(whole.times[end - 1]);
        for (std::size_t w = 0; w < whole.wires.size(); ++w)
        {
            MergeIntervals(whole.times, begin, end, whole.wires[w], panel.wires[w]);
        }
    }
    AddSentence(note,
                "Of " + std::to_string(all) + " intervals, each " + std::to_string(step) +
                    " are shown as one, with their mean.");
}

/** Keep the links of the first jobs, so that the numbers of all jobs are not too many. */
void
CutTrails(Chart::Panel& panel, std::size_t detail, std::string& note)
{
    const std::size_t all = panel.trails.size();
    std::size_t numbers = 0;
    std::size_t kept = 0;
    while (kept < all)
    {
        numbers += panel.trails[kept].wires.size();
        if (numbers > MOST_PER_DETAIL * detail)
        {
            break;
        }
        ++kept;
    }
    if (kept < all)
    {
        panel.trails.resize(kept);
        AddSentence(note, Count(kept, all, "jobs can be chosen."));
    }
}

/** Leave out series and places of the axis beyond the first ones. */
void
CutLists(Chart::Panel& panel, std::size_t detail, std::string& note)
{
    constexpr std::size_t MOST_SERIES = 100;
    const std::size_t series = panel.series.size();
    if (series > std::min(detail, MOST_SERIES))
    {
        panel.series.resize(std::min(detail, MOST_SERIES));
        AddSentence(note, Count(panel.series.size(), series, "series are drawn."));
    }
    const std::size_t names = panel.names.size();
    if (names <= detail || panel.kind == Chart::Kind::BOXES)
    {
        return;
    }
    const auto cut = [detail](auto& list) { list.resize(std::min(list.size(), detail)); };
    cut(panel.names);
    cut(panel.ticks);
    for (auto& one : panel.series)
    {
        cut(one.x);
        cut(one.y);
        cut(one.halfWidths);
        cut(one.texts);
        cut(one.marks);
    }
    AddSentence(note, Count(panel.names.size(), names, "places of the axis are drawn."));
}

} // namespace

ThinnedChart
ThinChart(Chart chart, std::size_t detail)
{
    ThinnedChart thinned{std::move(chart), ""};
    for (auto& panel : thinned.chart.panels)
    {
        CutLists(panel, detail, thinned.note);
        switch (panel.kind)
        {
        case Chart::Kind::CURVES:
        case Chart::Kind::AREAS:
            ThinTimes(panel, detail, thinned.note);
            break;
        case Chart::Kind::STEPS:
            ThinSteps(panel, detail, thinned.note);
            break;
        case Chart::Kind::BOXES:
            ThinRows(panel, detail, thinned.note);
            MergeBoxes(panel, detail, thinned.note);
            break;
        case Chart::Kind::NETWORK:
            MergeWireTimes(panel, detail, thinned.note);
            CutTrails(panel, detail, thinned.note);
            break;
        default:
            break;
        }
    }
    return thinned;
}

} // namespace ns3::ddl
