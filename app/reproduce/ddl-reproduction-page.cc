// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-reproduction-page.h"

#include "app/json/ddl-json-text.h"
#include "app/text/ddl-text-table.h"
#include "ddl-outcome-text.h"
#include "ddl-published-marks.h"

#include "ns3/ddl-error.h"

#include <boost/algorithm/string.hpp>
#include <fstream>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;

using PageRow = std::vector<PageCell>;

Tone
ToTone(Agreement agreement)
{
    switch (agreement)
    {
    case Agreement::MET:
        return Tone::GOOD;
    case Agreement::MISSED:
        return Tone::BAD;
    case Agreement::UNDECIDED:
        return Tone::OPEN;
    default:
        return Tone::NONE;
    }
}

PageRow
MakeRow(const FigureValue& value, const ValueOutcome& outcome)
{
    return {{value.name + FormatPlace(outcome)},
            {FormatPublished(value)},
            {FormatOurs(value, outcome)},
            {FormatGap(value, outcome)},
            {FormatVerdict(outcome), ToTone(Conclude(outcome.verdict))}};
}

PageRow
MakeRow(const FigureOrder& order, const OrderOutcome& outcome)
{
    return {{"order, " + order.name},
            {boost::join(order.ascending, " < ")},
            {FormatAscending(outcome)},
            {""},
            {FormatVerdict(outcome.verdict), ToTone(Conclude(outcome.verdict))}};
}

void
AddConclusion(const std::vector<FigureReport>& figures, Page& page)
{
    const Conclusion conclusion = Conclude(figures);
    const auto count = [](std::size_t number, Tone tone) {
        return PageCell{std::to_string(number), number > 0 ? tone : Tone::NONE};
    };
    std::vector<std::pair<PageCell, std::string>> tiles{
        {count(conclusion.numbers.met, Tone::GOOD), "published numbers met"},
        {count(conclusion.numbers.missed, Tone::BAD), "missed"},
        {count(conclusion.numbers.undecided, Tone::OPEN), "not decided"},
        {count(conclusion.numbers.notTested, Tone::NONE), "not run"}};
    if (conclusion.program.GetSum() > 0)
    {
        tiles.push_back({{std::to_string(conclusion.program.met) + " of " +
                          std::to_string(conclusion.program.GetSum())},
                         "numbers of the authors' program met"});
    }
    if (conclusion.orders.GetSum() > 0)
    {
        tiles.push_back({{std::to_string(conclusion.orders.met) + " of " +
                          std::to_string(conclusion.orders.GetSum())},
                         "published orders met"});
    }
    tiles.push_back({{FormatNumber(SumCost(figures), 3) + " s"}, "of CPU time"});
    page.AddTiles(tiles);

    page.AddSection("Conclusion");
    auto counts = FormatOtherCounts(conclusion);
    counts.insert(counts.begin(), FormatCounts(conclusion.numbers, "published numbers") + ".");
    page.AddText(boost::join(counts, " "));
    page.AddText(GetVerdictRule());
    if (conclusion.missed.empty())
    {
        return;
    }
    page.AddHeading("Missed, and why");
    std::vector<PageRow> reasons;
    std::vector<PageRow> rows;
    for (const auto& missed : conclusion.missed)
    {
        reasons.push_back({{missed.figure->number},
                           {std::to_string(missed.rows.size())},
                           {GetReason(*missed.figure)}});
        for (const auto& row : missed.rows)
        {
            rows.push_back(
                {{missed.figure->number}, {row.name}, {row.published}, {row.ours}, {row.gap}});
        }
    }
    page.AddTable({"figure", "missed", "why"}, reasons, true);
    page.AddTable({"figure", "", "published", "ours", "gap"}, rows, true);
}

void
AddNumbers(const std::vector<FigureReport>& figures, Page& page)
{
    page.AddSection("All numbers");
    std::vector<FigureNumbers> numbers;
    std::vector<PageRow> rows;
    const auto add = [&rows](const FigureReport& report, PageRow row) {
        row.insert(row.begin(), {report.figure->number});
        rows.push_back(std::move(row));
    };
    for (const auto& report : figures)
    {
        numbers.push_back({report.figure, &report.outcome});
        for (std::size_t i = 0; i < report.outcome.values.size(); ++i)
        {
            if (report.figure->values[i].published)
            {
                add(report, MakeRow(report.figure->values[i], report.outcome.values[i]));
            }
        }
        for (std::size_t i = 0; i < report.outcome.orders.size(); ++i)
        {
            add(report, MakeRow(report.figure->orders[i], report.outcome.orders[i]));
        }
    }
    page.AddText("A change is the mean, over seeds, of the ratio to the same seed's run of the "
                 "other, less 1; ± is its 95 % confidence interval. The gap is ours less the "
                 "published number, in percentage points; of a number that is no change, in "
                 "percent of the published one.");
    page.AddTable({"figure", "", "published", "ours", "gap", ""}, rows, true);
}

void
AddNotes(const FigureReport& report, Page& page)
{
    std::vector<PageRow> rows;
    for (const auto& note : report.notes)
    {
        rows.push_back({{boost::erase_all_copy(note.text, "`")},
                        {std::to_string(note.done) + " of " + std::to_string(note.asked),
                         note.done < note.asked ? Tone::BAD : Tone::NONE},
                        {FormatNumber(note.cpuSeconds, 3)}});
    }
    page.AddHeading("Runs");
    page.AddTable({"", "complete", "CPU s"}, rows);
    const std::size_t expected = report.figure->expected.size();
    if (expected > 0)
    {
        page.AddText(std::to_string(expected - report.missed.size()) + " of " +
                     std::to_string(expected) + " rows of expected.csv are met.");
    }
    if (!report.missed.empty())
    {
        auto lines = report.missed;
        lines.insert(lines.begin(), "Not as expected:");
        page.AddWarning(lines, true);
    }
}

void
AddSweep(const SweepTable& table, Page& page)
{
    const Sweep& sweep = table.sweep;
    std::vector<std::string> header{sweep.key};
    for (const auto& line : sweep.lines)
    {
        header.push_back(line.label);
    }
    std::vector<PageRow> rows;
    for (std::size_t x = 0; x < sweep.texts.size(); ++x)
    {
        PageRow row{{sweep.texts[x]}};
        for (const auto& line : sweep.lines)
        {
            row.push_back({line.points[x] ? FormatRatio(*line.points[x]) : "-"});
        }
        rows.push_back(std::move(row));
    }
    page.AddText(table.title + ", relative to " + sweep.relativeTo + ":");
    page.AddTable(header, rows);
}

void
AddFigureSection(const FigureReport& report, Page& page)
{
    const PaperFigure& figure = *report.figure;
    page.AddSection(figure.number);
    page.AddHeading(figure.title);
    page.AddText(figure.claim);
    auto warnings = FindProblems(figure, report.outcome);
    for (const auto& problem : report.problems)
    {
        warnings.push_back("Incomplete: " + boost::erase_all_copy(problem, "`"));
    }
    if (!warnings.empty())
    {
        page.AddWarning(warnings);
    }
    if (!figure.why.empty())
    {
        page.AddText("Why numbers differ: " + figure.why);
    }
    const Chart beside = ChartPublished({{&figure, &report.outcome}}, figure.number);
    if (!beside.panels.empty())
    {
        page.AddChart(beside);
    }
    std::vector<PageRow> rows;
    for (std::size_t i = 0; i < figure.values.size(); ++i)
    {
        rows.push_back(MakeRow(figure.values[i], report.outcome.values[i]));
    }
    for (std::size_t i = 0; i < figure.orders.size(); ++i)
    {
        rows.push_back(MakeRow(figure.orders[i], report.outcome.orders[i]));
    }
    if (!rows.empty())
    {
        page.AddTable({"", "published", "ours", "gap", ""}, rows, true);
    }
    for (const auto& table : report.tables)
    {
        AddSweep(table, page);
    }
    for (const auto& chart : report.charts)
    {
        page.AddChart(chart, figure.folder);
    }
    AddNotes(report, page);
}

} // namespace

std::string
FormatReproductionFile(const std::string& paper, FigureVariant variant)
{
    Json json;
    json["paper"] = paper;
    json["variant"] = GetVariantName(variant);
    return DumpJson(json);
}

bool
IsReproduction(const std::string& folder)
{
    std::error_code failure;
    return fs::is_regular_file(fs::path(folder) / REPRODUCTION_FILE, failure);
}

Page
MakeReproductionPage(const std::string& paper,
                     FigureVariant variant,
                     const std::vector<FigureReport>& figures)
{
    Page page("Reproduction of a paper", paper + ": published and measured");
    page.AddLead(GetReproduceCommand(paper, variant));
    page.AddLead(boost::erase_all_copy(DescribeSet(variant, figures), "`"),
                 variant == FigureVariant::QUICK ? Tone::OPEN : Tone::NONE);
    AddConclusion(figures, page);
    AddNumbers(figures, page);
    for (const auto& report : figures)
    {
        AddFigureSection(report, page);
    }
    return page;
}

Page
ReadReproductionPage(const std::string& folder)
{
    const std::string file = (fs::path(folder) / REPRODUCTION_FILE).string();
    std::ifstream stream(file);
    const auto json = nlohmann::json::parse(stream, nullptr, false);
    const auto find = [&json](const char* key) {
        return json.is_object() && json.contains(key) && json[key].is_string()
                   ? json[key].get<std::string>()
                   : "";
    };
    const std::string paper = find("paper");
    const auto variant = FindVariant(find("variant"));
    if (paper.empty() || !variant)
    {
        throw InputError({{file,
                           "",
                           "does not say which paper, and full, quick or all (run ddl "
                           "reproduce again)"}});
    }
    const auto figures = OpenPaper(paper, *variant);
    std::vector<FigureReport> reports;
    for (const auto& figure : figures)
    {
        if (HasResults(folder, figure))
        {
            reports.push_back(ReportFigure(folder, figure, false));
        }
    }
    return MakeReproductionPage(paper, *variant, reports);
}

} // namespace ns3::ddl
