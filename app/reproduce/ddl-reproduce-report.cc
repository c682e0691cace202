// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-reproduce-report.h"

#include "app/plot/ddl-figure.h"
#include "app/results/ddl-run-summary.h"
#include "app/text/ddl-text-table.h"
#include "ddl-figure-outcome.h"
#include "ddl-paper.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <fstream>
#include <iomanip>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;

/** \return a number with so many decimals; "+0.0" and "-0.0" are "0.0" */
std::string
Fixed(double number, int decimals, bool hasSign)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(decimals) << (hasSign ? std::showpos : std::noshowpos)
         << number;
    const std::string shown = text.str();
    return shown.find_first_of("123456789") == std::string::npos ? shown.substr(hasSign ? 1 : 0)
                                                                 : shown;
}

std::string
Percent(double fraction)
{
    return Fixed(fraction * 100, 1, true);
}

bool
IsChange(const FigureValue& value)
{
    return !value.over.empty();
}

std::string
FormatSeeds(std::size_t count)
{
    return " (" + std::to_string(count) + (count == 1 ? " seed)" : " seeds)");
}

/** \return "-31.0 %", "8.000 units", or "-" where the paper gives no number */
std::string
FormatPublished(const FigureValue& value)
{
    if (!value.published)
    {
        return "-";
    }
    return IsChange(value)
               ? Percent(*value.published) + " %"
               : FormatNumber(*value.published) + (value.unit.empty() ? "" : " ") + value.unit;
}

/** \return "-12.3 ± 1.1 % (3 seeds)", or "-" where nothing was measured */
std::string
FormatOurs(const FigureValue& value, const ValueOutcome& outcome)
{
    if (!outcome.ours)
    {
        return "-";
    }
    const auto& width = outcome.ours->halfWidth;
    if (IsChange(value))
    {
        return Percent(outcome.ours->mean) + (width ? " ± " + Fixed(*width * 100, 1, false) : "") +
               " %" + FormatSeeds(outcome.replications);
    }
    return FormatNumber(outcome.ours->mean) + (width ? " ± " + FormatNumber(*width, 2) : "") +
           (value.unit.empty() ? "" : " ") + value.unit + FormatSeeds(outcome.replications);
}

/** \return "+18.7 points" of a change, "+1.2 %" of another value, "" where there is none */
std::string
FormatGap(const FigureValue& value, const ValueOutcome& outcome)
{
    if (!outcome.gap)
    {
        return "";
    }
    return Percent(*outcome.gap) + (IsChange(value) ? " points" : " %");
}

/** \return " (at 2)" for what was picked from a sweep, else "" */
std::string
FormatPlace(const ValueOutcome& outcome)
{
    return outcome.at.empty() || !outcome.ours ? "" : " (at " + outcome.at + ")";
}

/** \return a few words, in capitals where it must not be overlooked */
std::string
FormatVerdict(Verdict verdict)
{
    static const std::map<Verdict, std::string> words{
        {Verdict::MISSING, "not run"},
        {Verdict::NOT_PUBLISHED, "no number in the paper"},
        {Verdict::WITHIN, "within our interval"},
        {Verdict::SAME_SIGN, "outside our interval"},
        {Verdict::UNCERTAIN, "no change within our interval"},
        {Verdict::SINGLE, "one run: no interval"},
        {Verdict::OPPOSITE, "OPPOSITE SIGN"}};
    return words.at(verdict);
}

std::string
FormatVerdict(OrderVerdict verdict)
{
    static const std::map<OrderVerdict, std::string> words{
        {OrderVerdict::MISSING, "not run"},
        {OrderVerdict::SAME, "same order"},
        {OrderVerdict::SAME_MEANS, "same order of means"},
        {OrderVerdict::TIED, "order not certain"},
        {OrderVerdict::DIFFERENT, "OTHER ORDER"}};
    return words.at(verdict);
}

/** \return "0.690 ± 0.010" */
std::string
FormatRatio(const Estimate& ratio)
{
    const bool isExact = !ratio.halfWidth || *ratio.halfWidth == 0;
    return Fixed(ratio.mean, 3, false) + (isExact ? "" : " ± " + Fixed(*ratio.halfWidth, 3, false));
}

/** \return "grouper 0.690 ± 0.010 < fair-share 1.000", or "-" */
std::string
FormatAscending(const OrderOutcome& outcome)
{
    std::vector<std::string> texts;
    for (const auto& [name, ratio] : outcome.ascending)
    {
        texts.push_back(name + " " + FormatRatio(ratio));
    }
    return texts.empty() ? "-" : boost::join(texts, " < ");
}

/** \return text that does not end a cell of a Markdown table */
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
           FormatVerdict(outcome.verdict) + " |\n";
}

/** \return what must not be overlooked in a figure, as sentences */
std::vector<std::string>
FindWarnings(const FigureReport& report)
{
    std::vector<std::string> warnings;
    for (std::size_t i = 0; i < report.outcome.values.size(); ++i)
    {
        const auto& value = report.figure->values[i];
        const auto& outcome = report.outcome.values[i];
        if (outcome.verdict == Verdict::OPPOSITE)
        {
            warnings.push_back("**The sign differs:** " + value.name + " is " +
                               FormatOurs(value, outcome) + ", published " +
                               FormatPublished(value) + ".");
        }
    }
    for (std::size_t i = 0; i < report.outcome.orders.size(); ++i)
    {
        const auto& outcome = report.outcome.orders[i];
        if (outcome.verdict == OrderVerdict::DIFFERENT || outcome.verdict == OrderVerdict::TIED)
        {
            const bool isCertain = outcome.verdict == OrderVerdict::DIFFERENT;
            warnings.push_back(
                (isCertain ? "**The order differs:** " : "**The order is not certain:** ") +
                report.figure->orders[i].name + ": " + boost::join(outcome.swapped, ", ") + ".");
        }
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
    text << table.title << ", relative to " << sweep.lines[0].label << ":\n\n| " << sweep.key;
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

/** \return the table on top: a row a published value or order */
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

/** \return the runs of a comparison, in words */
std::string
DescribeRuns(const FigureComparison& comparison)
{
    std::string text = "`" + comparison.name + "`: scenario `" + comparison.scenario + "`";
    for (const auto& variation : comparison.variations)
    {
        text += ", `" + variation.path + "` = " + boost::join(variation.values, " / ");
    }
    for (const auto& [path, value] : comparison.settings)
    {
        text += ", `" + path + "` = " + value;
    }
    text += ", " + std::to_string(comparison.seeds) + (comparison.seeds == 1 ? " seed" : " seeds");
    return text + (comparison.from.empty() ? "" : " (runs of " + comparison.from + ")");
}

/** \return the results of the comparisons of these names; of all if none is given */
std::vector<ResultSet>
SelectSets(const std::vector<std::string>& names, const std::vector<SelectedSet>& sets)
{
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

ComparisonNote
MakeNote(const fs::path& folder,
         const FigureComparison& comparison,
         const std::vector<SelectedSet>& sets)
{
    ComparisonNote note;
    note.text = DescribeRuns(comparison);
    note.asked = CountRuns(comparison);
    note.cpuSeconds = ReadCost(folder);
    note.isShared = !comparison.from.empty();
    const auto own = SelectSets({comparison.name}, sets);
    std::string transport;
    for (const auto& set : own)
    {
        for (const auto& run : set.ListRuns())
        {
            ++note.done;
            transport = transport.empty() ? RunSummary(run).transport : transport;
        }
    }
    const std::string scale = DescribeScale(own);
    note.text +=
        (scale.empty() ? "" : "; " + scale) + (transport.empty() ? "" : "; transport " + transport);
    return note;
}

void
Draw(const fs::path& results,
     const FigurePicture& picture,
     const std::vector<ResultSet>& sets,
     FigureReport& report)
{
    const std::string folder = report.figure->folder;
    const auto drawn = DrawFigures({picture.type}, sets, results / folder);
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

std::string
FormatReport(const std::string& paper,
             FigureVariant variant,
             const std::vector<FigureReport>& figures)
{
    const bool isQuick = variant == FigureVariant::QUICK;
    double cpu = 0;
    std::string sections;
    for (const auto& report : figures)
    {
        sections += FormatFigure(report);
        for (const auto& note : report.notes)
        {
            cpu += note.isShared ? 0 : note.cpuSeconds;
        }
    }
    return "# " + paper + ": published and measured\n\n" + "Written by `./ddl reproduce " + paper +
           (isQuick ? " --quick" : "") + "`, " + FormatNumber(cpu, 3) + " CPU s.\n" +
           (isQuick ? "**Quick: fewer seeds and values than the full run, so wider intervals.**\n"
                    : "") +
           "A change is the mean, over seeds, of the ratio to the same seed's run of the other, "
           "less "
           "1; ± is its 95 %\nconfidence interval. The gap is ours less the published number, in "
           "percentage points.\n\n" +
           FormatSummary(figures) + sections;
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
                              FormatVerdict(outcome.verdict)});
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

double
ReadCost(const fs::path& folder)
{
    std::ifstream file(folder / "cost.json");
    const auto cost = nlohmann::json::parse(file, nullptr, false);
    return cost.is_object() && cost.contains("cpu_s") && cost["cpu_s"].is_number()
               ? cost["cpu_s"].get<double>()
               : 0;
}

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
        const auto shown = SelectSets(picture.comparisons, sets);
        if (!shown.empty())
        {
            Draw(results, picture, shown, report);
        }
    }
    return report;
}

} // namespace ns3::ddl
