// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-page.h"

#include "app/text/ddl-text-table.h"
#include "ddl-html.h"
#include "ddl-page-files.h"
#include "ddl-thin-chart.h"

#include "ns3/ddl-version.h"

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace ns3::ddl
{

namespace
{

using PageJson = nlohmann::ordered_json;

constexpr std::size_t MOST_DETAIL = 500; //!< greatest level of detail: axis sections, table rows
constexpr std::size_t CODE_PER_DETAIL = 1000; //!< characters of a long text per unit of detail

/** \return the HTML attribute `class` for a tone, or "" */
std::string
FormatTone(Tone tone, const std::string& more = "")
{
    static const std::map<Tone, std::string> names{{Tone::NONE, ""},
                                                   {Tone::GOOD, "good"},
                                                   {Tone::OPEN, "open"},
                                                   {Tone::BAD, "bad"}};
    const std::string& name = names.at(tone);
    const std::string both = more + (more.empty() || name.empty() ? "" : " ") + name;
    return both.empty() ? "" : " class=\"" + both + "\"";
}

/** \return a number rounded to so many significant digits, so that its text is short */
double
Round(double value, int digits)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    return std::strtod(text, nullptr);
}

constexpr int VALUE_DIGITS = 6;
constexpr int PLACE_DIGITS = 9; //!< significant digits of x values: times may be close together

PageJson
ListNumbers(const std::vector<double>& numbers, int digits)
{
    PageJson list = PageJson::array();
    for (const double number : numbers)
    {
        list.push_back(Round(number, digits));
    }
    return list;
}

PageJson
ListNumbers(const std::vector<std::optional<double>>& numbers)
{
    PageJson list = PageJson::array();
    for (const auto& number : numbers)
    {
        list.push_back(number ? PageJson(Round(*number, VALUE_DIGITS)) : PageJson());
    }
    return list;
}

PageJson
DescribeSeries(const Chart::Series& series, bool needsAll)
{
    PageJson json;
    json["name"] = series.name;
    if (!series.x.empty())
    {
        json["x"] = ListNumbers(series.x, PLACE_DIGITS);
    }
    json["y"] = ListNumbers(series.y);
    if (needsAll || HasAny(series.halfWidths))
    {
        json["half"] = ListNumbers(series.halfWidths);
    }
    if (!series.texts.empty())
    {
        json["texts"] = series.texts;
    }
    if (needsAll || HasAny(series.marks))
    {
        json["marks"] = ListNumbers(series.marks);
    }
    if (!series.markXs.empty())
    {
        json["markXs"] = ListNumbers(series.markXs, PLACE_DIGITS);
    }
    return json;
}

/** \return a wire as a list, in the order in which the page's script reads it */
PageJson
DescribeWire(const Chart::Wire& wire)
{
    constexpr int BYTE_DIGITS = 4;
    constexpr int DOWN = -1; // instead of a utilisation
    PageJson queues = PageJson::array();
    for (const auto& [queue, bytes] : wire.queues)
    {
        queues.push_back({queue, Round(bytes, VALUE_DIGITS)});
    }
    PageJson used = PageJson::array(); // in thousandths
    for (std::size_t i = 0; i < wire.usedOver.size(); ++i)
    {
        const auto thousandths = static_cast<int>(std::lround(1000 * wire.usedOver[i]));
        used.push_back(wire.isDown[i] ? DOWN : thousandths);
    }
    return {wire.from,
            wire.to,
            wire.name,
            wire.cables,
            Round(wire.rate, VALUE_DIGITS),
            Round(wire.used, BYTE_DIGITS),
            Round(wire.bytes, VALUE_DIGITS),
            queues,
            wire.busiest,
            Round(wire.busiestUsed, BYTE_DIGITS),
            used,
            ListNumbers(wire.bytesOver, BYTE_DIGITS)};
}

/** Add nodes, wires and jobs of a panel of kind NETWORK. */
void
DescribeNetwork(const Chart::Panel& panel, PageJson& json)
{
    json["nodes"] = PageJson::array();
    for (const auto& node : panel.nodes)
    {
        json["nodes"].push_back({node.name, Round(node.x, VALUE_DIGITS), node.y, node.hosts});
    }
    json["wires"] = PageJson::array();
    for (const auto& wire : panel.wires)
    {
        json["wires"].push_back(DescribeWire(wire));
    }
    json["jobs"] = PageJson::array();
    for (const auto& trail : panel.trails)
    {
        json["jobs"].push_back({trail.name, trail.links, trail.wires});
    }
}

/** \param most value that the axis of bars reaches at least; none: the panel's own greatest one */
PageJson
DescribePanel(const Chart::Panel& panel, std::optional<double> most)
{
    static const std::map<Chart::Kind, std::string> kinds{{Chart::Kind::BARS, "bars"},
                                                          {Chart::Kind::STACKS, "stacks"},
                                                          {Chart::Kind::STEPS, "steps"},
                                                          {Chart::Kind::POINTS, "points"},
                                                          {Chart::Kind::CURVES, "curves"},
                                                          {Chart::Kind::AREAS, "areas"},
                                                          {Chart::Kind::BOXES, "boxes"},
                                                          {Chart::Kind::ROWS, "rows"},
                                                          {Chart::Kind::NETWORK, "network"}};
    PageJson json;
    json["kind"] = kinds.at(panel.kind);
    json["xLabel"] = panel.x.label;
    json["xUnit"] = panel.x.unit;
    json["yLabel"] = panel.y.label;
    json["log"] = panel.x.isLogarithmic;
    if (panel.reference)
    {
        json["reference"] = *panel.reference;
    }
    if (most)
    {
        json["most"] = *most;
    }
    json["names"] = panel.names;
    json["ticks"] = ListNumbers(panel.ticks, PLACE_DIGITS);
    json["times"] = ListNumbers(panel.times, PLACE_DIGITS);
    json["series"] = PageJson::array();
    for (const auto& series : panel.series)
    {
        json["series"].push_back(DescribeSeries(series, panel.kind == Chart::Kind::ROWS));
    }
    json["boxes"] = PageJson::array();
    for (const auto& box : panel.boxes)
    {
        json["boxes"].push_back({box.row,
                                 Round(box.start, PLACE_DIGITS),
                                 Round(box.end, PLACE_DIGITS),
                                 box.colour ? static_cast<int>(*box.colour) : -1,
                                 box.name,
                                 box.text,
                                 box.hatching ? 0 : Round(box.shade, 2)});
    }
    if (panel.kind == Chart::Kind::NETWORK)
    {
        DescribeNetwork(panel, json);
    }
    json["key"] = PageJson::array();
    for (const auto& entry : panel.key)
    {
        json["key"].push_back({entry.name,
                               entry.colour ? static_cast<int>(*entry.colour) : -1,
                               entry.hatching ? 0 : Round(entry.shade, 2)});
    }
    return json;
}

/** \return HTML of a figure: caption, place for the chart, and its numbers */
std::string
FormatBlock(const Report::Picture& picture, std::size_t detail)
{
    if (picture.chart.panels.empty())
    {
        return "";
    }
    const auto [chart, note] = ThinChart(picture.chart, detail);
    const bool isShared = chart.panels.size() > 1 && chart.panels[0].kind == Chart::Kind::BARS;
    const auto most = isShared ? std::make_optional(FindHighest(picture.chart)) : std::nullopt;
    PageJson json;
    json["group"] = picture.group;
    json["mark"] = chart.mark;
    json["panels"] = PageJson::array();
    for (const auto& panel : chart.panels)
    {
        json["panels"].push_back(DescribePanel(panel, most));
    }
    return "<figure class=\"chart\">\n<figcaption><b>" + EscapeHtml(chart.title) + "</b>" +
           (chart.note.empty() ? ""
                               : "<span class=\"note\">" + EscapeHtml(chart.note) + "</span>") +
           (note.empty() ? "" : "<span class=\"thinned\">" + EscapeHtml(note) + "</span>") +
           "<span class=\"tools\"></span></figcaption>\n<div class=\"plot\"></div>\n"
           "<noscript><p>Figures are drawn by a script within this page.</p></noscript>\n"
           "<script type=\"application/json\">" +
           DumpForScript(json) + "</script>\n</figure>\n";
}

std::string
FormatCell(const Report::Cell& cell)
{
    constexpr std::size_t LONG = 30; // characters, from which on lines are broken
    std::string text = EscapeHtml(cell.text);
    boost::replace_all(text, " ±", "\u00A0±"); // a number stays with its interval
    return (cell.text.size() > LONG ? "<td class=\"long\">" : "<td>") +
           (cell.tone == Tone::NONE
                ? text
                : "<span" + FormatTone(cell.tone, "badge") + ">" + text + "</span>") +
           "</td>";
}

std::string
FormatBlock(const Report::Table& table, std::size_t detail)
{
    const auto& rows = table.rows;
    std::string html = "<div class=\"scroll\"><table" +
                       std::string(table.isText ? " class=\"texts\"" : "") + ">\n<thead><tr>";
    for (const auto& name : table.header)
    {
        html += name.empty() ? "<td></td>" : "<th>" + EscapeHtml(name) + "</th>";
    }
    html += "</tr></thead>\n<tbody>\n";
    const std::size_t shown = std::min(rows.size(), detail);
    for (std::size_t i = 0; i < shown; ++i)
    {
        html += "<tr>";
        for (const auto& cell : rows[i])
        {
            html += FormatCell(cell);
        }
        html += "</tr>\n";
    }
    return html + "</tbody></table></div>\n" +
           (shown < rows.size() ? "<p class=\"thinned\">The first " + std::to_string(shown) +
                                      " of " + std::to_string(rows.size()) + " rows.</p>\n"
                                : "");
}

std::string
FormatBlock(const Report::Heading& heading, std::size_t)
{
    return "<h3>" + EscapeHtml(heading.text) + "</h3>\n";
}

std::string
FormatBlock(const Report::Text& text, std::size_t)
{
    return "<p>" + EscapeHtml(text.text) + "</p>\n";
}

std::string
FormatBlock(const Report::Warning& warning, std::size_t detail)
{
    const auto& lines = warning.lines;
    std::string html = "<div" + FormatTone(warning.isBad ? Tone::BAD : Tone::NONE, "warning") + ">";
    const std::size_t shown = std::min(lines.size(), detail);
    for (std::size_t i = 0; i < shown; ++i)
    {
        html += "<p>" + EscapeHtml(lines[i]) + "</p>";
    }
    return html +
           (shown < lines.size() ? "<p>And " + std::to_string(lines.size() - shown) + " more.</p>"
                                 : "") +
           "</div>\n";
}

std::string
FormatBlock(const Report::Tiles& tiles, std::size_t)
{
    std::string html = "<div class=\"tiles\">";
    for (const auto& [number, name] : tiles.tiles)
    {
        html += "<div" + FormatTone(number.tone, "tile") + "><b>" + EscapeHtml(number.text) +
                "</b><span>" + EscapeHtml(name) + "</span></div>";
    }
    return html + "</div>\n";
}

std::string
FormatBlock(const Report::Code& code, std::size_t detail)
{
    const auto shown = code.text.substr(0, FindCharacter(code.text, CODE_PER_DETAIL * detail));
    return "<details><summary>" + EscapeHtml(code.summary) + "</summary>\n" +
           (shown.size() < code.text.size()
                ? "<p class=\"thinned\">The first " + std::to_string(shown.size()) + " of " +
                      std::to_string(code.text.size()) + " bytes.</p>"
                : "") +
           "<pre>" + EscapeHtml(shown) + "</pre></details>\n";
}

/** \return HTML of all sections. */
std::string
FormatSections(const Report& report, std::size_t detail)
{
    std::string html;
    for (std::size_t i = 0; i < report.sections.size(); ++i)
    {
        const auto& section = report.sections[i];
        html += i == 0 ? ""
                       : "<h2 id=\"s" + std::to_string(i) + "\">" + EscapeHtml(section.title) +
                             "</h2>\n";
        for (const auto& block : section.blocks)
        {
            html +=
                std::visit([detail](const auto& one) { return FormatBlock(one, detail); }, block);
        }
    }
    return html;
}

} // namespace

std::string
FormatPage(const Report& report, std::size_t most)
{
    std::string leads;
    for (const auto& [text, tone] : report.leads)
    {
        leads += tone == Tone::NONE ? "<p>" + EscapeHtml(text) + "</p>\n"
                                    : "<p><span" + FormatTone(tone, "badge") + ">" +
                                          EscapeHtml(text) + "</span></p>\n";
    }
    std::string head =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; form-action "
        "'none'; base-uri 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
        EscapeHtml(report.title) + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n" +
        PAGE_STYLE +
        "</style>\n</head>\n<body>\n<header>\n<div>\n<div class=\"top\">"
        "<div><span class=\"kind\">" +
        EscapeHtml(report.kind) + "</span>\n<h1>" + EscapeHtml(report.title) + "</h1>\n" + leads +
        "</div><button id=\"theme\" type=\"button\">theme</button></div>\n</div>\n</header>\n"
        "<nav><div>";
    for (std::size_t i = 1; i < report.sections.size(); ++i)
    {
        head += "<a href=\"#s" + std::to_string(i) + "\">" + EscapeHtml(report.sections[i].title) +
                "</a>";
    }
    head += "</div></nav>\n<main>\n";
    const std::string foot = std::string("</main>\n<footer>Written by ddl ") + GetVersion() +
                             ". The page loads nothing: it may be copied, mailed and printed. "
                             "Drag in a chart over time to zoom, with Shift to pan; a double click "
                             "shows all.</footer>\n<script>\n" +
                             PAGE_SCRIPT + "</script>\n</body>\n</html>\n";
    std::string page;
    for (std::size_t detail = MOST_DETAIL; detail > 0; detail /= 2)
    {
        const std::string body = FormatSections(report, detail);
        const bool isThinned = body.find(" class=\"thinned\"") != std::string::npos;
        page =
            head +
            (isThinned ? "<p class=\"thinned\">Long series, tables and texts are thinned on this "
                         "page, and say so; the files of results have all of them.</p>\n"
                       : "") +
            body + foot;
        if (page.size() <= most)
        {
            break;
        }
    }
    return page;
}

} // namespace ns3::ddl
