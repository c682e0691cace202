// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-figure-report.h"

#include "app/compare/ddl-comparison.h"
#include "app/plot/ddl-figure.h"
#include "app/results/ddl-run-summary.h"
#include "ddl-figure-outcome.h"
#include "ddl-paper.h"
#include "ddl-published-marks.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <iterator>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;

/** \return the runs of a comparison, in words */
std::string
DescribeRuns(const PaperFigure& figure, const FigureComparison& comparison)
{
    std::string text = comparison.name + ": scenario " + comparison.scenario;
    for (const auto& variation : comparison.variations)
    {
        std::vector<std::string> values;
        for (const auto& value : variation.values)
        {
            values.push_back(NameValue(figure, value));
        }
        text += ", " + variation.path + " = " + boost::join(values, " / ");
    }
    for (const auto& [path, value] : comparison.settings)
    {
        text += ", " + path + " = " + NameValue(figure, value);
    }
    text += ", " + std::to_string(comparison.seeds) + (comparison.seeds == 1 ? " seed" : " seeds");
    return text + (comparison.from.empty() ? "" : " (runs of " + comparison.from + ")");
}

/** \return results of the comparisons of these names; of all comparisons if no name is given */
std::vector<SelectedSet>
SelectSets(const std::vector<std::string>& names, const std::vector<SelectedSet>& sets)
{
    std::vector<SelectedSet> chosen;
    std::copy_if(sets.begin(), sets.end(), std::back_inserter(chosen), [&names](const auto& set) {
        return names.empty() ||
               std::find(names.begin(), names.end(), set.comparison) != names.end();
    });
    return chosen;
}

/** \return the results without comparison and selection */
std::vector<ResultSet>
TakeSets(const std::vector<SelectedSet>& selected)
{
    std::vector<ResultSet> sets;
    for (const auto& one : selected)
    {
        sets.push_back(one.set);
    }
    return sets;
}

/** \return the results that a picture shows, marked with the published numbers */
std::vector<ResultSet>
TakeShown(const PaperFigure& figure,
          const FigurePicture& picture,
          const std::vector<SelectedSet>& sets)
{
    auto shown = SelectSets(picture.comparisons, sets);
    if (picture.hasPanels)
    {
        for (auto& one : shown)
        {
            one.set.panel = one.comparison;
            one.set.label = one.label; // the panel names the comparison
        }
    }
    AddPublished(figure, shown);
    return TakeSets(shown);
}

ComparisonNote
MakeNote(const PaperFigure& figure,
         const FigureComparison& comparison,
         const std::vector<SelectedSet>& sets)
{
    ComparisonNote note;
    note.text = DescribeRuns(figure, comparison);
    note.asked = CountRuns(comparison);
    note.isShared = !comparison.from.empty();
    const auto own = TakeSets(SelectSets({comparison.name}, sets));
    std::string transport;
    for (const auto& set : own)
    {
        for (const auto& run : set.ListRuns())
        {
            ++note.done;
            note.cpuSeconds += ReadCost(run);
            transport = transport.empty() ? RunSummary(run).transport : transport;
        }
    }
    const std::string scale = DescribeScale(own);
    note.text +=
        (scale.empty() ? "" : "; " + scale) + (transport.empty() ? "" : "; transport " + transport);
    return note;
}

/** Note in the report why pictures are missing. \return paths of those that were drawn */
std::vector<std::string>
TakeDrawn(const DrawnFigures& drawn, FigureReport& report)
{
    std::vector<std::string> files;
    for (const auto& path : drawn.pictures)
    {
        files.push_back(report.figure->folder + "/" + path.filename().string());
    }
    for (const auto& sentences : {drawn.warnings, drawn.empty})
    {
        for (const auto& sentence : sentences)
        {
            report.problems.push_back(sentence + ".");
        }
    }
    return files;
}

/** Draw the published numbers beside ours: those of each unit in a picture of their own. */
void
DrawPublished(const fs::path& folder, const std::vector<ResultSet>& sets, FigureReport& report)
{
    const Chart& chart = report.beside.chart;
    const auto getName = [](std::size_t panel) {
        return panel == 0 ? "published" : "published-" + std::to_string(panel + 1);
    };
    for (std::size_t i = 0; i < chart.panels.size(); ++i)
    {
        const Chart one{chart.title, ns3::ddl::DescribeRuns(sets), {chart.panels[i]}, chart.mark};
        const auto files = TakeDrawn(DrawChart(getName(i), one, folder), report);
        report.beside.files.insert(report.beside.files.end(), files.begin(), files.end());
    }
    // an old picture must not stand for new results
    for (std::size_t i = chart.panels.size(); fs::exists(folder / (getName(i) + ".gp")); ++i)
    {
        DrawChart(getName(i), NothingToDraw("no numbers of a further unit"), folder);
    }
}

/** Add a picture to the report. \param folder folder where gnuplot draws it; "": it is not drawn */
void
AddPicture(const FigurePicture& picture,
           const std::vector<ResultSet>& shown,
           const fs::path& folder,
           FigureReport& report)
{
    Report::Picture made{{}, report.figure->folder};
    try
    {
        made.chart = CreatePolicy<Figure>(picture.type)->Make(shown);
    }
    catch (const InputError& error)
    {
        made.chart = NothingToDraw(error.what());
    }
    if (!folder.empty())
    {
        made.files = TakeDrawn(DrawChart(picture.type, made.chart, folder), report);
    }
    else if (!made.chart.nothing.empty())
    {
        report.problems.push_back("no figure " + picture.type + ": " + made.chart.nothing + ".");
    }
    if (!made.chart.panels.empty())
    {
        report.pictures.push_back(std::move(made));
    }
}

} // namespace

bool
FigureReport::IsComplete() const
{
    return std::all_of(notes.begin(), notes.end(), [](const ComparisonNote& note) {
        return note.done == note.asked;
    });
}

FigureReport
ReportFigure(const fs::path& results, const PaperFigure& figure, bool draws)
{
    FigureReport report;
    report.figure = &figure;
    const auto sets = OpenFigureResults(results, figure);
    report.outcome = Evaluate(figure, sets);
    report.missed = FindMissed(figure, report.outcome);
    report.beside.chart = ChartPublished(figure, report.outcome);
    for (const auto& comparison : figure.comparisons)
    {
        const auto note = MakeNote(figure, comparison, sets);
        report.notes.push_back(note);
        if (note.done < note.asked)
        {
            report.problems.push_back(std::to_string(note.done) + " of " +
                                      std::to_string(note.asked) + " runs of " + comparison.name +
                                      " have results.");
        }
    }
    const fs::path folder = draws ? results / figure.folder : fs::path();
    for (const auto& picture : figure.pictures)
    {
        const auto shown = TakeShown(figure, picture, sets);
        if (!shown.empty())
        {
            AddPicture(picture, shown, folder, report);
        }
    }
    if (draws)
    {
        DrawPublished(folder, TakeSets(sets), report);
    }
    return report;
}

} // namespace ns3::ddl
