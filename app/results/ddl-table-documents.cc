// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-table-documents.h"

#include "app/text/ddl-markdown.h"
#include "ddl-comparison-file.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-metric.h"
#include "ns3/ddl-result-tables.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ns3::ddl
{

namespace
{

using SchemaJson = nlohmann::ordered_json;

std::string
ListAllTables()
{
    std::string list = FormatMarkdownRow({"file", "a row is", "written with"}) + "|---|---|---|\n";
    for (const auto& table : ListTables())
    {
        const std::string& key = table->key;
        list += FormatMarkdownRow(
            {"`" + table->GetFile() + "`", table->row, key.empty() ? "always" : "`" + key + "`"});
    }
    return list;
}

std::string
ListAllMetrics()
{
    std::string list =
        FormatMarkdownRow({"metric", "over", "unit", "meaning", "in `compare.csv`"}) +
        "|---|---|---|---|---|\n";
    for (const Metric& metric : ListMetrics())
    {
        list += FormatMarkdownRow({"`" + metric.name + "`",
                                   !metric.table.empty()
                                       ? "`" + metric.column + "` of `" + metric.table + ".csv`"
                                   : metric.values ? "rows"
                                                   : "",
                                   metric.GetUnit(),
                                   metric.meaning,
                                   metric.isCompared ? "yes" : ""});
    }
    return list;
}

std::string
ListColumns(const ResultTable& table)
{
    std::string list = FormatMarkdownRow({"column", "unit", "meaning"}) + "|---|---|---|\n";
    for (const ResultColumn& column : table.columns)
    {
        const std::string unit = column.type == "string"    ? "text"
                                 : column.type == "boolean" ? "0 or 1"
                                                            : column.GetUnit();
        list += FormatMarkdownRow(
            {"`" + column.name + "`",
             unit,
             column.meaning + (column.empty.empty() ? "" : ". Empty " + column.empty)});
    }
    return list;
}

/** \return a column as a field of a table schema */
SchemaJson
DescribeColumn(const ResultColumn& column)
{
    SchemaJson field = {
        {"name", column.name},
        {"type", column.type},
        {"title", column.GetTitle()},
        {"description", column.meaning + (column.empty.empty() ? "" : ". Empty " + column.empty)}};
    if (!column.GetUnit().empty())
    {
        field["unit"] = column.GetUnit();
    }
    if (column.type == "boolean")
    {
        field["trueValues"] = {"1"};
        field["falseValues"] = {"0"};
    }
    if (column.empty.empty())
    {
        field["constraints"] = {{"required", true}};
    }
    return field;
}

/** \return a table as a resource of a data package */
SchemaJson
DescribeTable(const ResultTable& table)
{
    SchemaJson fields = SchemaJson::array();
    for (const ResultColumn& column : table.columns)
    {
        fields.push_back(DescribeColumn(column));
    }
    SchemaJson resource = {{"name", table.name},
                           {"path", table.GetFile()},
                           {"description", "A row is " + table.row + "."},
                           {"profile", "tabular-data-resource"}};
    if (!table.key.empty())
    {
        resource["writtenWith"] = table.key;
    }
    resource["schema"] = {{"fields", fields}, {"missingValues", {""}}};
    return resource;
}

} // namespace

std::string
RenewResultTables(const std::string& page)
{
    for (const auto& table : ListTables())
    {
        const std::string mark = "<!-- columns of " + table->name + " -->\n";
        if (page.find("<!-- list of tables -->\n") != std::string::npos &&
            page.find(mark) == std::string::npos)
        {
            throw InputError("the page lacks the columns of " + table->GetFile() + " (" +
                             mark.substr(0, mark.size() - 1) + ")");
        }
    }
    const auto list = [](const std::string& what) {
        return what == "metrics" ? ListAllMetrics() : ListAllTables();
    };
    const auto columns = [](const std::string& name) {
        return name == "compare"
                   ? ListColumns(DescribeComparisonFile({"PATH"}, {{"METRIC", "metric", ""}}, true))
                   : ListColumns(FindTable(name));
    };
    return RenewParts(RenewParts(page, "list", list), "columns", columns);
}

std::string
FormatResultSchema()
{
    SchemaJson resources = SchemaJson::array();
    for (const auto& table : ListTables())
    {
        resources.push_back(DescribeTable(*table));
    }
    auto metrics = ListComparedMetrics();
    metrics.erase(std::remove_if(metrics.begin(),
                                 metrics.end(),
                                 [](const Metric& metric) { return metric.isOptional; }),
                  metrics.end());
    SchemaJson comparison = DescribeTable(DescribeComparisonFile({}, metrics, false));
    comparison["writtenWith"] = "ddl compare";
    comparison["moreColumns"] = "one for each varied key, behind seed; metrics that only some jobs "
                                "have; those of --until";
    resources.push_back(comparison);
    const SchemaJson package = {{"profile", "tabular-data-package"},
                                {"name", "ddl-results"},
                                {"resources", resources}};
    return package.dump(2) + "\n";
}

} // namespace ns3::ddl
