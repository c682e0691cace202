// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-reproduce-report.h"

#include "app/text/ddl-text-table.h"
#include "ddl-reproduce-text.h"

#include <sstream>

namespace ns3
{
namespace ddl
{

namespace
{

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
                report.figure->orders[i].name + ": " + Join(outcome.swapped) + ".");
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
                "): " + Join(order.ascending, " < ") + ". Ours: " + FormatAscending(outcome) +
                " — " + FormatVerdict(outcome.verdict) + ".\n";
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
                    Join(order.ascending, " < ") + " | " + FormatAscending(outcome) + " | | " +
                    FormatVerdict(outcome.verdict) + " |\n";
        }
    }
    return text + "\n";
}

} // namespace

std::string
FormatReport(const std::string& paper,
             FigureVariant variant,
             const std::vector<FigureReport>& figures)
{
    const bool isQuick = variant == FigureVariant::QUICK;
    double cpu = 0;
    for (const auto& report : figures)
    {
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
           FormatSummary(figures) + [&figures] {
               std::string text;
               for (const auto& report : figures)
               {
                   text += FormatFigure(report);
               }
               return text;
           }();
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

} // namespace ddl
} // namespace ns3
