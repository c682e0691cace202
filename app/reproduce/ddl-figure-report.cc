// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-figure-report.h"

#include "app/plot/ddl-figures.h"
#include "app/results/ddl-run-summary.h"
#include "ddl-expectation.h"
#include "ddl-reproduce-cost.h"
#include "ddl-reproduce-text.h"
#include "ddl-selection.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

namespace
{

namespace fs = std::filesystem;

/** \return the runs of a comparison, in words */
std::string
DescribeRuns(const FigureComparison& comparison)
{
    std::string text = "`" + comparison.name + "`: scenario `" + comparison.scenario + "`";
    for (const auto& variation : comparison.variations)
    {
        text += ", `" + variation.path + "` = " + Join(variation.values, " / ");
    }
    for (const auto& [path, value] : comparison.settings)
    {
        text += ", `" + path + "` = " + value;
    }
    text += ", " + std::to_string(comparison.seeds) + (comparison.seeds == 1 ? " seed" : " seeds");
    return text + (comparison.from.empty() ? "" : " (runs of " + comparison.from + ")");
}

ComparisonNote
MakeNote(const fs::path& folder,
         const FigureComparison& comparison,
         const std::vector<SelectedSet>& sets)
{
    ComparisonNote note;
    note.text = DescribeRuns(comparison);
    note.asked = CountRuns(comparison);
    note.cpuSeconds = CostMeter::Read(folder);
    note.isShared = !comparison.from.empty();
    std::vector<ResultSet> own;
    for (const auto& selected : sets)
    {
        if (selected.comparison == comparison.name)
        {
            own.push_back(selected.set);
        }
    }
    std::string transport;
    for (const auto& set : own)
    {
        for (const auto& run : set.folders)
        {
            note.done += run.empty() ? 0 : 1;
            transport =
                run.empty() || !transport.empty() ? transport : RunSummary(run).GetTransport();
        }
    }
    const std::string scale = DescribeScale(own);
    note.text +=
        (scale.empty() ? "" : "; " + scale) + (transport.empty() ? "" : "; transport " + transport);
    return note;
}

/** \return the results that a picture shows: those of its comparisons, or all */
std::vector<ResultSet>
SelectSets(const FigurePicture& picture, const std::vector<SelectedSet>& sets)
{
    const auto& names = picture.comparisons;
    std::vector<ResultSet> chosen;
    for (const auto& selected : sets)
    {
        if (names.empty() ||
            std::find(names.begin(), names.end(), selected.comparison) != names.end())
        {
            chosen.push_back(selected.set);
        }
    }
    return chosen;
}

void
Draw(const fs::path& results,
     const FigurePicture& picture,
     const std::vector<ResultSet>& sets,
     FigureReport& report)
{
    const std::string folder = report.figure->folder;
    const auto drawn = DrawFigure(picture.type, sets, results / folder);
    for (const auto& path : drawn.pictures)
    {
        report.pictures.push_back(folder + "/" + path.filename().string());
    }
    for (const auto& sentences : {drawn.warnings, drawn.empty})
    {
        for (const auto& sentence : sentences)
        {
            report.problems.push_back(sentence + ".");
        }
    }
    if (picture.type != "load-sweep")
    {
        return;
    }
    for (const auto& [metric, title] :
         std::vector<std::pair<std::string, std::string>>{{"sct_s", "Mean SCT"},
                                                          {"jct_s", "Mean JCT"}})
    {
        const Sweep sweep = MakeSweep(sets, {metric, "mean", ""});
        if (!sweep.key.empty())
        {
            report.tables.push_back({title, sweep});
        }
    }
}

} // namespace

FigureReport
ReportFigure(const fs::path& results, const PaperFigure& figure)
{
    FigureReport report;
    report.figure = &figure;
    const auto sets = OpenFigureResults(results, figure);
    report.outcome = Evaluate(figure, sets);
    report.missed = FindMissed(figure, report.outcome);
    for (const auto& comparison : figure.comparisons)
    {
        const auto note =
            MakeNote(GetComparisonFolder(results, figure, comparison), comparison, sets);
        report.notes.push_back(note);
        if (note.done < note.asked)
        {
            report.problems.push_back(std::to_string(note.done) + " of " +
                                      std::to_string(note.asked) + " runs of `" + comparison.name +
                                      "` have results.");
        }
    }
    for (const auto& picture : figure.pictures)
    {
        const auto shown = SelectSets(picture, sets);
        if (!shown.empty())
        {
            Draw(results, picture, shown, report);
        }
    }
    return report;
}

} // namespace ddl
} // namespace ns3
