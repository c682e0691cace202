// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-layer-file.h"

#include "ddl-trace-columns.h"

#include <cmath>
#include <fstream>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr uint64_t MOST_LAYER_BYTES = 1000000000000000; //!< most bytes of a layer: a petabyte

/** A column of times; its name ends with the unit. */
struct TimeColumn
{
    std::string name;  //!< name of the column, "" when there is none
    double seconds{0}; //!< seconds per unit of the column
};

/** \return the column of a pass's times. \param pass "forward" or "backward" */
TimeColumn
FindTimeColumn(const TraceColumns& columns, const std::string& pass, TraceLines& lines)
{
    TimeColumn found;
    for (const auto& [unit, seconds] :
         {std::make_pair("_ns", 1e-9), {"_us", 1e-6}, {"_ms", 1e-3}, {"_s", 1.0}})
    {
        if (columns.Has(pass + unit) && !found.name.empty())
        {
            lines.Refuse("has both " + found.name + " and " + pass + unit + " (one of them)");
        }
        else if (columns.Has(pass + unit))
        {
            found = {pass + unit, seconds};
        }
    }
    if (columns.Has(pass))
    {
        lines.Refuse("column \"" + pass + "\" has no unit (" + pass + "_ns, " + pass + "_us, " +
                     pass + "_ms or " + pass + "_s)");
    }
    return found;
}

Time
ReadTime(const TraceRow& row, const TimeColumn& column)
{
    if (column.name.empty() || row.IsEmpty(column.name))
    {
        return Time(0);
    }
    const double seconds = ParseReal(row.Text(column.name)).value_or(-1) * column.seconds;
    if (seconds < 0 || seconds > MOST_SECONDS)
    {
        row.Refuse(column.name, "a number, 0 or more");
        return Time(0);
    }
    return NanoSeconds(std::llround(seconds * 1e9));
}

} // namespace

std::string
CheckLayers(const std::vector<Layer>& layers)
{
    long double bytes = 0;
    double seconds = 0;
    for (const Layer& layer : layers)
    {
        bytes += layer.bytes;
        seconds += layer.forward.GetSeconds() + layer.backward.GetSeconds();
    }
    if (layers.empty())
    {
        return "has no layers (at least one)";
    }
    if (layers.size() > MOST_LAYERS)
    {
        return "has " + std::to_string(layers.size()) + " layers (at most " +
               std::to_string(MOST_LAYERS) + ")";
    }
    if (bytes == 0)
    {
        return "has no layer with bytes";
    }
    if (bytes > 9.2e18L || seconds > MOST_SECONDS)
    {
        return "has layers that add up to more than 2^63 bytes, or a century";
    }
    return "";
}

LayerTable
ReadLayers(std::istream& input, const std::string& name)
{
    TraceLines lines(input, name);
    const TraceColumns columns(lines.Next().value_or(""));
    columns.Require({"bytes"}, lines);
    const TimeColumn forward = FindTimeColumn(columns, "forward", lines);
    const TimeColumn backward = FindTimeColumn(columns, "backward", lines);
    lines.Finish(); // end here on errors: without its columns no line can be read
    std::vector<Layer> layers;
    while (const auto line = lines.Next())
    {
        const TraceRow row(columns, *line, lines);
        layers.push_back({row.Text("name"),
                          row.Whole("bytes", 0, MOST_LAYER_BYTES).value_or(0),
                          ReadTime(row, forward),
                          ReadTime(row, backward)});
    }
    lines.Finish();
    const std::string complaint = CheckLayers(layers);
    if (!complaint.empty())
    {
        throw InputError({{name, "", complaint}});
    }
    return LayerTable(std::move(layers));
}

LayerTable
ReadLayers(const std::string& path)
{
    std::ifstream file(path);
    if (!file)
    {
        throw InputError({{path, "", "cannot be read"}});
    }
    return ReadLayers(file, path);
}

} // namespace ns3::ddl
