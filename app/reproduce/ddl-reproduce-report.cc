// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-reproduce-report.h"

#include "app/json/ddl-json-text.h"
#include "app/results/ddl-run-summary.h"
#include "app/text/ddl-text-table.h"
#include "ddl-outcome-text.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <map>
#include <set>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;

/** What a paper gives that ours is set beside. */
enum class Given
{
    NUMBER,  //!< a published number
    PROGRAM, //!< a number of the authors' program
    ORDER    //!< a published order
};

/** A number or an order of a figure: name, published, ours, gap and verdict. */
struct JudgedRow
{
    Report::Row cells;
    Agreement agreement;
    std::optional<Given> given; //!< none: nothing is published
};

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

/** \return a row for each number of a figure, and then for each order */
std::vector<JudgedRow>
ListRows(const FigureReport& report)
{
    std::vector<JudgedRow> rows;
    for (std::size_t i = 0; i < report.outcome.values.size(); ++i)
    {
        const auto& value = report.figure->values[i];
        const auto& outcome = report.outcome.values[i];
        const Agreement agreement = Conclude(outcome.verdict);
        const Given given = value.isProgram ? Given::PROGRAM : Given::NUMBER;
        rows.push_back({{{value.name + FormatPlace(outcome)},
                         {FormatPublished(value)},
                         {FormatOurs(value, outcome)},
                         {FormatGap(value, outcome)},
                         {FormatVerdict(outcome), ToTone(agreement)}},
                        agreement,
                        value.published ? std::make_optional(given) : std::nullopt});
    }
    for (std::size_t i = 0; i < report.outcome.orders.size(); ++i)
    {
        const auto& order = report.figure->orders[i];
        const auto& outcome = report.outcome.orders[i];
        const Agreement agreement = Conclude(outcome.verdict);
        rows.push_back({{{"order, " + order.name},
                         {boost::join(order.ascending, " < ") + " (" + order.source + ")"},
                         {FormatAscending(outcome)},
                         {""},
                         {FormatVerdict(outcome.verdict), ToTone(agreement)}},
                        agreement,
                        Given::ORDER});
    }
    return rows;
}

/** \return a text on which runs a variant has */
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
                         : "--all has more seeds or values of " + std::to_string(more.size()) +
                               (more.size() == 1 ? " comparison" : " comparisons"));
}

/** \return CPU seconds of all runs of these figures */
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

/** Add how many published numbers and orders are met: as tiles, and in words. */
void
AddCounts(std::map<Given, std::multiset<Agreement>> agreements, double cpuSeconds, Report& report)
{
    const auto& numbers = agreements[Given::NUMBER];
    const auto count = [&numbers](Agreement agreement) {
        const std::size_t number = numbers.count(agreement);
        return Report::Cell{std::to_string(number), number > 0 ? ToTone(agreement) : Tone::NONE};
    };
    Report::Tiles tiles{{{count(Agreement::MET), "published numbers met"},
                         {count(Agreement::MISSED), "missed"},
                         {count(Agreement::UNDECIDED), "not decided"},
                         {count(Agreement::NOT_TESTED), "not run"}}};
    std::string text = FormatCounts(numbers, "published numbers") + ".";
    for (const auto& [given, name, mark] :
         {std::tuple{Given::PROGRAM, "numbers of the authors' program", " (\"program\")"},
          std::tuple{Given::ORDER, "published orders", ""}})
    {
        const auto& others = agreements[given];
        if (!others.empty())
        {
            tiles.tiles.push_back({{std::to_string(others.count(Agreement::MET)) + " of " +
                                    std::to_string(others.size())},
                                   std::string(name) + " met"});
            text += " " + FormatCounts(others, std::string(name) + mark) + ".";
        }
    }
    tiles.tiles.push_back({{FormatNumber(cpuSeconds, 3) + " s"}, "of CPU time"});
    report.Add(tiles);
    report.Begin("Conclusion");
    report.Add(Report::Text{text});
    report.Add(Report::Text{
        "A number is met if it lies in our 95 % interval, or differs from our mean by no more than "
        "the tolerance: a percentage point of a change and 2 % of another number, unless "
        "figure.json says otherwise. It is not decided where our interval includes both the number "
        "and no change at all. One seed has no interval: then the tolerance alone decides."});
}

/** Add what is met, and a table of what is missed with reasons. */
void
AddConclusion(const std::vector<FigureReport>& figures, Report& report)
{
    std::map<Given, std::multiset<Agreement>> agreements;
    Report::Table reasons{{"figure", "missed", "why"}, {}, true};
    Report::Table missed{{"figure", "", "published", "ours", "gap"}, {}, true};
    for (const auto& figure : figures)
    {
        const std::size_t before = missed.rows.size();
        for (JudgedRow& row : ListRows(figure))
        {
            if (row.given)
            {
                agreements[*row.given].insert(row.agreement);
            }
            if (row.given && row.agreement == Agreement::MISSED)
            {
                row.cells.pop_back();
                row.cells.insert(row.cells.begin(), {figure.figure->number});
                missed.rows.push_back(std::move(row.cells));
            }
        }
        if (missed.rows.size() > before)
        {
            const std::string& why = figure.figure->why;
            reasons.rows.push_back({{figure.figure->number},
                                    {std::to_string(missed.rows.size() - before)},
                                    {why.empty() ? "not known" : why}});
        }
    }
    AddCounts(agreements, SumCost(figures), report);
    if (!missed.rows.empty())
    {
        report.Add(Report::Heading{"Missed, and why"});
        report.Add(reasons);
        report.Add(missed);
    }
}

/** Add the runs of a figure, and how they fit what is expected of them. */
void
AddNotes(const FigureReport& figure, Report& report)
{
    Report::Table runs{{"", "complete", "CPU s"}};
    for (const auto& note : figure.notes)
    {
        runs.rows.push_back({{note.text},
                             {std::to_string(note.done) + " of " + std::to_string(note.asked),
                              note.done < note.asked ? Tone::BAD : Tone::NONE},
                             {FormatNumber(note.cpuSeconds, 3)}});
    }
    report.Add(Report::Heading{"Runs"});
    report.Add(runs);
    const std::size_t expected = figure.figure->expected.size();
    if (expected > 0)
    {
        report.Add(Report::Text{std::to_string(expected - figure.missed.size()) + " of " +
                                std::to_string(expected) + " rows of expected.csv are met."});
    }
    if (!figure.missed.empty())
    {
        auto lines = figure.missed;
        lines.insert(lines.begin(), "Not as expected:");
        report.Add(Report::Warning{lines, true});
    }
}

/** Add a picture and, if it has points, a table of them for each panel. */
void
AddPicture(const Report::Picture& picture, Report& report)
{
    report.Add(picture);
    for (const auto& panel : picture.chart.panels)
    {
        if (panel.kind != Chart::Kind::POINTS)
        {
            continue;
        }
        Report::Table table{{panel.y.label + ", by " + panel.x.label}};
        for (const auto& series : panel.series)
        {
            table.header.push_back(series.name);
        }
        for (std::size_t x = 0; x < panel.names.size(); ++x)
        {
            Report::Row row{{panel.names[x]}};
            for (const auto& series : panel.series)
            {
                const auto at = std::find(series.x.begin(), series.x.end(), panel.ticks[x]);
                const auto i = static_cast<std::size_t>(at - series.x.begin());
                const bool isThere = i < series.y.size() && series.y[i];
                const bool hasHalf = i < series.halfWidths.size();
                row.push_back({isThere
                                   ? FormatRatio({*series.y[i],
                                                  hasHalf ? series.halfWidths[i] : std::nullopt})
                                   : "-"});
            }
            table.rows.push_back(std::move(row));
        }
        report.Add(table);
    }
}

void
AddFigureSection(const FigureReport& made, Report& report)
{
    const PaperFigure& figure = *made.figure;
    report.Begin(figure.number);
    report.Add(Report::Heading{figure.title});
    report.Add(Report::Text{figure.claim});
    auto warnings = FindProblems(figure, made.outcome);
    for (const auto& problem : made.problems)
    {
        warnings.push_back("Incomplete: " + problem);
    }
    if (!warnings.empty())
    {
        report.Add(Report::Warning{warnings});
    }
    if (!figure.why.empty())
    {
        report.Add(Report::Text{"Why numbers differ: " + figure.why});
    }
    if (!made.beside.chart.panels.empty())
    {
        report.Add(made.beside);
    }
    Report::Table numbers{{"", "published", "ours", "gap", ""}, {}, true};
    for (auto& row : ListRows(made))
    {
        numbers.rows.push_back(std::move(row.cells));
    }
    if (!numbers.rows.empty())
    {
        report.Add(numbers);
    }
    for (const auto& picture : made.pictures)
    {
        AddPicture(picture, report);
    }
    AddNotes(made, report);
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

std::string
GetReproduceCommand(const std::string& paper, FigureVariant variant)
{
    return "./ddl reproduce " + paper +
           (variant == FigureVariant::FULL ? "" : " --" + GetVariantName(variant));
}

Report::Table
MakeNumbersTable(const std::vector<FigureReport>& figures)
{
    Report::Table table{{"figure", "", "published", "ours", "gap", ""}, {}, true};
    for (const auto& figure : figures)
    {
        for (JudgedRow& row : ListRows(figure))
        {
            if (row.given)
            {
                row.cells.insert(row.cells.begin(), {figure.figure->number});
                table.rows.push_back(std::move(row.cells));
            }
        }
    }
    return table;
}

Report
MakeReproductionReport(const std::string& paper,
                       FigureVariant variant,
                       const std::vector<FigureReport>& figures)
{
    Report report{"Reproduction of a paper", paper + ": published and measured"};
    report.leads = {
        {GetReproduceCommand(paper, variant)},
        {DescribeSet(variant, figures), variant == FigureVariant::QUICK ? Tone::OPEN : Tone::NONE}};
    AddConclusion(figures, report);
    report.Begin("All numbers");
    report.Add(Report::Text{
        "A change is the mean, over seeds, of the ratio to the same seed's run of the other, less "
        "1; ± is its 95 % confidence interval. The gap is ours less the published number, in "
        "percentage points; of a number that is no change, in percent of the published one."});
    report.Add(MakeNumbersTable(figures));
    for (const auto& figure : figures)
    {
        AddFigureSection(figure, report);
    }
    return report;
}

Report
ReadReproductionReport(const std::string& folder)
{
    const std::string file = (fs::path(folder) / REPRODUCTION_FILE).string();
    const auto json = ReadJsonFile(file);
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
    return MakeReproductionReport(paper, *variant, reports);
}

} // namespace ns3::ddl
