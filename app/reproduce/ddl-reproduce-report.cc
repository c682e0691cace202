// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-reproduce-report.h"

#include "app/compare/ddl-comparison.h"
#include "app/plot/ddl-figure.h"
#include "app/results/ddl-run-summary.h"
#include "app/text/ddl-text-table.h"
#include "ddl-figure-outcome.h"
#include "ddl-outcome-text.h"
#include "ddl-paper.h"
#include "ddl-published-marks.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-metric.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <iterator>
#include <set>
#include <sstream>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;

/** \return the text, escaped so that it does not end a cell of a Markdown table */
std::string
EscapeCell(const std::string& text)
{
    return boost::replace_all_copy(text, "|", "\\|");
}

std::string
FormatRow(const FigureValue& value, const ValueOutcome& outcome)
{
    return "| " + EscapeCell(value.name) + FormatPlace(outcome) + " | " + FormatPublished(value) +
           " | " + FormatOurs(value, outcome) + " | " + FormatGap(value, outcome) + " | " +
           FormatVerdict(outcome) + " |\n";
}

/** \return the warnings of a figure, as sentences */
std::vector<std::string>
FindWarnings(const FigureReport& report)
{
    std::vector<std::string> warnings;
    for (const auto& problem : FindProblems(*report.figure, report.outcome))
    {
        const auto colon = problem.find(':') + 1;
        warnings.push_back("**" + problem.substr(0, colon) + "**" + problem.substr(colon));
    }
    for (const auto& problem : report.problems)
    {
        warnings.push_back("**Incomplete:** " + problem);
    }
    return warnings;
}

std::string
FormatOrders(const FigureReport& report)
{
    std::string text;
    for (std::size_t i = 0; i < report.outcome.orders.size(); ++i)
    {
        const auto& order = report.figure->orders[i];
        const auto& outcome = report.outcome.orders[i];
        text += "- Order, " + order.name + ". Published (" + order.source +
                "): " + boost::join(order.ascending, " < ") +
                ". Ours: " + FormatAscending(outcome) + " — " + FormatVerdict(outcome.verdict) +
                ".\n";
    }
    return text.empty() ? "" : text + "\n";
}

std::string
FormatSweep(const SweepTable& table)
{
    const Sweep& sweep = table.sweep;
    std::ostringstream text;
    text << table.title << ", relative to " << sweep.relativeTo << ":\n\n| " << sweep.key;
    for (const auto& line : sweep.lines)
    {
        text << " | " << EscapeCell(line.label);
    }
    text << " |\n|---";
    for (std::size_t i = 0; i < sweep.lines.size(); ++i)
    {
        text << "|---";
    }
    text << "|\n";
    for (std::size_t x = 0; x < sweep.texts.size(); ++x)
    {
        text << "| " << sweep.texts[x];
        for (const auto& line : sweep.lines)
        {
            text << " | " << (line.points[x] ? FormatRatio(*line.points[x]) : "-");
        }
        text << " |\n";
    }
    return text.str() + "\n";
}

std::string
FormatNotes(const FigureReport& report)
{
    std::string text = "Runs:\n\n";
    for (const auto& note : report.notes)
    {
        text += "- " + note.text + "; " + std::to_string(note.done) + " of " +
                std::to_string(note.asked) + " runs are complete, " +
                FormatNumber(note.cpuSeconds, 3) + " CPU s.\n";
    }
    const std::size_t rows = report.figure->expected.size();
    if (rows > 0)
    {
        text += "- " + std::to_string(rows - report.missed.size()) + " of " + std::to_string(rows) +
                " rows of `expected.csv` are met.\n";
    }
    for (const auto& missed : report.missed)
    {
        text += "- **Not as expected:** " + missed + "\n";
    }
    return text + "\n";
}

std::string
FormatFigure(const FigureReport& report)
{
    const PaperFigure& figure = *report.figure;
    std::string text = "## " + figure.number + ": " + figure.title + "\n\n" + figure.claim + "\n\n";
    for (const auto& warning : FindWarnings(report))
    {
        text += "> " + warning + "\n\n";
    }
    if (!figure.values.empty())
    {
        text += "| | published | ours | gap | |\n|---|---|---|---|---|\n";
    }
    for (std::size_t i = 0; i < figure.values.size(); ++i)
    {
        text += FormatRow(figure.values[i], report.outcome.values[i]);
    }
    text += figure.values.empty() ? "" : "\n";
    text += FormatOrders(report);
    for (const auto& table : report.tables)
    {
        text += FormatSweep(table);
    }
    for (const auto& picture : report.pictures)
    {
        text += "![" + figure.number + "](" + picture + ")\n\n";
    }
    return text + FormatNotes(report);
}

/** \return Markdown table of all numbers: a row per published value or order */
std::string
FormatSummary(const std::vector<FigureReport>& figures)
{
    std::string text = "| figure | | published | ours | gap | |\n|---|---|---|---|---|---|\n";
    for (const auto& report : figures)
    {
        const std::string cell = "| " + report.figure->number + " ";
        for (std::size_t i = 0; i < report.outcome.values.size(); ++i)
        {
            const auto& value = report.figure->values[i];
            text += value.published ? cell + FormatRow(value, report.outcome.values[i]) : "";
        }
        for (std::size_t i = 0; i < report.outcome.orders.size(); ++i)
        {
            const auto& order = report.figure->orders[i];
            const auto& outcome = report.outcome.orders[i];
            text += cell + "| order, " + EscapeCell(order.name) + " | " +
                    boost::join(order.ascending, " < ") + " | " + FormatAscending(outcome) +
                    " | | " + FormatVerdict(outcome.verdict) + " |\n";
        }
    }
    return text + "\n";
}

/** \return sentences that sum up a reproduction, and a table of missed numbers with reasons */
std::string
FormatConclusion(const std::vector<FigureReport>& figures)
{
    const Conclusion conclusion = Conclude(figures);
    std::string text = "**" + FormatCounts(conclusion.numbers, "published numbers") + ".**";
    for (const auto& more : FormatOtherCounts(conclusion))
    {
        text += " " + more;
    }
    text += "\n" + GetVerdictRule() + "\n\n";
    if (conclusion.missed.empty())
    {
        return text;
    }
    std::string rows = "| missed | | published | ours | gap |\n|---|---|---|---|---|\n";
    text += "| figure | missed | why |\n|---|---|---|\n";
    for (const auto& missed : conclusion.missed)
    {
        const std::string cell = "| " + missed.figure->number + " | ";
        text += cell + std::to_string(missed.rows.size()) + " | " +
                EscapeCell(GetReason(*missed.figure)) + " |\n";
        for (const auto& row : missed.rows)
        {
            rows += cell + EscapeCell(row.name) + " | " + EscapeCell(row.published) + " | " +
                    EscapeCell(row.ours) + " | " + row.gap + " |\n";
        }
    }
    return text + "\n" + rows + "\n";
}

/** \return the runs of a comparison, in words */
std::string
DescribeRuns(const PaperFigure& figure, const FigureComparison& comparison)
{
    std::string text = "`" + comparison.name + "`: scenario `" + comparison.scenario + "`";
    for (const auto& variation : comparison.variations)
    {
        std::vector<std::string> values;
        for (const auto& value : variation.values)
        {
            values.push_back(NameValue(figure, value));
        }
        text += ", `" + variation.path + "` = " + boost::join(values, " / ");
    }
    for (const auto& [path, value] : comparison.settings)
    {
        text += ", `" + path + "` = " + NameValue(figure, value);
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

/** Note in the report where pictures are, and why others are missing. */
void
AddDrawn(const DrawnFigures& drawn, FigureReport& report)
{
    for (const auto& path : drawn.pictures)
    {
        report.pictures.push_back(report.figure->folder + "/" + path.filename().string());
    }
    for (const auto& sentences : {drawn.warnings, drawn.empty})
    {
        for (const auto& sentence : sentences)
        {
            report.problems.push_back(sentence + ".");
        }
    }
}

/** Draw the published numbers beside ours: those of each unit in a picture of their own. */
void
DrawPublished(const fs::path& folder, const std::vector<ResultSet>& sets, FigureReport& report)
{
    const Chart chart = ChartPublished({{report.figure, &report.outcome}}, report.figure->number);
    const auto getName = [](std::size_t panel) {
        return panel == 0 ? "published" : "published-" + std::to_string(panel + 1);
    };
    for (std::size_t i = 0; i < chart.panels.size(); ++i)
    {
        const Chart one{chart.title, ns3::ddl::DescribeRuns(sets), {chart.panels[i]}, chart.mark};
        AddDrawn(DrawChart(getName(i), one, folder), report);
    }
    // an old picture must not stand for new results
    for (std::size_t i = chart.panels.size(); fs::exists(folder / (getName(i) + ".gp")); ++i)
    {
        DrawChart(getName(i), NothingToDraw("no numbers of a further unit"), folder);
    }
}

/** Add a picture's chart, for report.html, and the table of a sweep, to the report. */
void
AddShown(const FigurePicture& picture, const std::vector<ResultSet>& sets, FigureReport& report)
{
    Chart chart = CreatePolicy<Figure>(picture.type)->Make(sets);
    if (!chart.panels.empty())
    {
        report.charts.push_back(std::move(chart));
    }
    const bool isByValue = picture.type == "growth";
    if (picture.type != "load-sweep" && !isByValue)
    {
        return;
    }
    for (const std::string metric : {"sct_s", "jct_s"})
    {
        const Sweep sweep = MakeSweep(sets,
                                      {metric, "mean", ""},
                                      isByValue ? SweepBase::FIRST_VALUE : SweepBase::FIRST_LINE);
        if (sweep.HasPoints()) // jobs of tasks have no stages, for example
        {
            report.tables.push_back({"Mean " + FindMetric(metric).label, sweep});
        }
    }
}

} // namespace

Conclusion
Conclude(const std::vector<FigureReport>& figures)
{
    Conclusion conclusion;
    for (const auto& report : figures)
    {
        const PaperFigure& figure = *report.figure;
        MissedFigure missed{&figure, {}};
        for (std::size_t i = 0; i < report.outcome.values.size(); ++i)
        {
            const auto& value = figure.values[i];
            const auto& outcome = report.outcome.values[i];
            if (!value.published)
            {
                continue;
            }
            (value.isProgram ? conclusion.program : conclusion.numbers)
                .Add(Conclude(outcome.verdict));
            if (Conclude(outcome.verdict) == Agreement::MISSED)
            {
                missed.rows.push_back({value.name + FormatPlace(outcome),
                                       FormatPublished(value),
                                       FormatOurs(value, outcome),
                                       FormatGap(value, outcome)});
            }
        }
        for (std::size_t i = 0; i < report.outcome.orders.size(); ++i)
        {
            const auto& order = figure.orders[i];
            const auto& outcome = report.outcome.orders[i];
            conclusion.orders.Add(Conclude(outcome.verdict));
            if (Conclude(outcome.verdict) == Agreement::MISSED)
            {
                missed.rows.push_back({"order, " + order.name,
                                       boost::join(order.ascending, " < "),
                                       FormatAscending(outcome),
                                       ""});
            }
        }
        if (!missed.rows.empty())
        {
            conclusion.missed.push_back(std::move(missed));
        }
    }
    return conclusion;
}

std::vector<std::string>
FormatOtherCounts(const Conclusion& conclusion)
{
    std::vector<std::string> sentences;
    if (conclusion.program.GetSum() > 0)
    {
        sentences.push_back(
            FormatCounts(conclusion.program, "numbers of the authors' program (\"program\")") +
            ".");
    }
    if (conclusion.orders.GetSum() > 0)
    {
        sentences.push_back(FormatCounts(conclusion.orders, "published orders") + ".");
    }
    return sentences;
}

std::string
GetVerdictRule()
{
    return "A number is met if it lies in our 95 % interval, or differs from our mean by no more "
           "than the tolerance: a percentage point of a change and 2 % of another number, unless "
           "figure.json says otherwise. It is not decided where our interval includes both the "
           "number and no change at all. One seed has no interval: then the tolerance alone "
           "decides.";
}

std::string
GetReason(const PaperFigure& figure)
{
    return figure.why.empty() ? "not known" : figure.why;
}

std::string
GetReproduceCommand(const std::string& paper, FigureVariant variant)
{
    return "./ddl reproduce " + paper +
           (variant == FigureVariant::FULL ? "" : " --" + GetVariantName(variant));
}

std::string
DescribeSet(FigureVariant variant, const std::vector<FigureReport>& figures)
{
    if (variant == FigureVariant::QUICK)
    {
        return "Quick: fewer seeds and values than the default set, so wider intervals";
    }
    if (variant == FigureVariant::ALL)
    {
        return "All: every seed and value that the figures declare";
    }
    std::set<fs::path> more; // folders of the comparisons that have more runs
    for (const auto& report : figures)
    {
        for (const auto& comparison : report.figure->comparisons)
        {
            if (comparison.hasMore)
            {
                more.insert(GetComparisonFolder({}, *report.figure, comparison));
            }
        }
    }
    return "Default set: " +
           (more.empty() ? "all that the figures declare"
                         : "`--all` has more seeds or values of " + std::to_string(more.size()) +
                               (more.size() == 1 ? " comparison" : " comparisons"));
}

double
SumCost(const std::vector<FigureReport>& figures)
{
    double cpu = 0;
    for (const auto& report : figures)
    {
        for (const auto& note : report.notes)
        {
            cpu += note.isShared ? 0 : note.cpuSeconds;
        }
    }
    return cpu;
}

std::string
FormatReport(const std::string& paper,
             FigureVariant variant,
             const std::vector<FigureReport>& figures)
{
    const double cpu = SumCost(figures);
    std::string sections;
    for (const auto& report : figures)
    {
        sections += FormatFigure(report);
    }
    return "# " + paper + ": published and measured\n\n" + "Written by `" +
           GetReproduceCommand(paper, variant) + "`, " + FormatNumber(cpu, 3) + " CPU s.\n**" +
           DescribeSet(variant, figures) + ".**\n" +
           "A change is the mean, over seeds, of the ratio to the same seed's run of the other, "
           "less "
           "1; ± is its 95 %\nconfidence interval. The gap is ours less the published number, in "
           "percentage points.\n\n" +
           FormatConclusion(figures) + "## All numbers\n\n" + FormatSummary(figures) + sections;
}

std::string
FormatOverview(const std::vector<FigureReport>& figures)
{
    TextTable table({"", "published", "ours", "gap", ""});
    for (const auto& report : figures)
    {
        for (std::size_t i = 0; i < report.outcome.values.size(); ++i)
        {
            const auto& value = report.figure->values[i];
            const auto& outcome = report.outcome.values[i];
            if (value.published)
            {
                table.AddRow({report.figure->number + " " + value.name,
                              FormatPublished(value),
                              FormatOurs(value, outcome),
                              FormatGap(value, outcome),
                              FormatVerdict(outcome)});
            }
        }
        for (std::size_t i = 0; i < report.outcome.orders.size(); ++i)
        {
            table.AddRow({report.figure->number + " order, " + report.figure->orders[i].name,
                          "",
                          "",
                          "",
                          FormatVerdict(report.outcome.orders[i].verdict)});
        }
    }
    std::ostringstream text;
    table.Print(text);
    return text.str();
}

FigureReport
ReportFigure(const fs::path& results, const PaperFigure& figure, bool draws)
{
    FigureReport report;
    report.figure = &figure;
    const auto sets = OpenFigureResults(results, figure);
    report.outcome = Evaluate(figure, sets);
    report.missed = FindMissed(figure, report.outcome);
    for (const auto& comparison : figure.comparisons)
    {
        const auto note = MakeNote(figure, comparison, sets);
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
        const auto shown = TakeShown(figure, picture, sets);
        if (shown.empty())
        {
            continue;
        }
        if (draws)
        {
            AddDrawn(DrawFigures({picture.type}, shown, results / figure.folder), report);
        }
        try
        {
            AddShown(picture, shown, report);
        }
        catch (const InputError& error) // if drawn, it is reported already
        {
            if (!draws)
            {
                report.problems.push_back("no figure " + picture.type + ": " + error.what() + ".");
            }
        }
    }
    if (draws)
    {
        DrawPublished(results / figure.folder, TakeSets(sets), report);
    }
    return report;
}

} // namespace ns3::ddl
