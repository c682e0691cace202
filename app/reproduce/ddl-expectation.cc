// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-expectation.h"

#include "app/results/ddl-csv-table.h"
#include "app/text/ddl-text-table.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace ns3
{
namespace ddl
{

namespace
{

/** \return position of the value of that name; how many there are when there is none */
std::size_t
FindValue(const PaperFigure& figure, const std::string& name)
{
    const auto found = std::find_if(figure.values.begin(),
                                    figure.values.end(),
                                    [&name](const auto& value) { return value.name == name; });
    return static_cast<std::size_t>(found - figure.values.begin());
}

/** \return what is wrong with a row, "" if nothing is */
std::string
Complain(const PaperFigure& figure, const CsvTable& table, std::size_t row)
{
    const std::string variant = table.GetText(row, "variant");
    if (variant != "full" && variant != "quick")
    {
        return "the variant is \"" + variant + "\" (one of full, quick)";
    }
    const std::string name = table.GetText(row, "value");
    if (FindValue(figure, name) == figure.values.size())
    {
        std::vector<std::string> names;
        for (const auto& value : figure.values)
        {
            names.push_back(value.name);
        }
        const std::string nearest = NearestName(name, names);
        return "figure.json has no value \"" + name + "\"" +
               (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?");
    }
    const auto tolerance = table.GetNumber(row, "tolerance");
    if (!table.GetNumber(row, "expected") || !tolerance || *tolerance < 0)
    {
        return "\"" + name + "\" needs a number in expected, and one from 0 on in tolerance";
    }
    return "";
}

} // namespace

std::vector<FigureExpectation>
ReadExpected(const PaperFigure& figure, FigureVariant variant, std::vector<Diagnostic>& diagnostics)
{
    std::vector<FigureExpectation> rows;
    const std::string path = figure.path + "/expected.csv";
    if (!std::filesystem::exists(path))
    {
        return rows;
    }
    const std::string wanted = variant == FigureVariant::QUICK ? "quick" : "full";
    try
    {
        const CsvTable table(path);
        for (std::size_t row = 0; !table.HasColumn("run") && row < table.GetRows(); ++row)
        {
            const std::string complaint = Complain(figure, table, row);
            if (!complaint.empty())
            {
                diagnostics.push_back({table.Where(row), "", complaint});
            }
            else if (table.GetText(row, "variant") == wanted)
            {
                rows.push_back({table.GetText(row, "value"),
                                *table.GetNumber(row, "expected"),
                                *table.GetNumber(row, "tolerance"),
                                table.GetText(row, "source")});
            }
        }
    }
    catch (const InputError& error)
    {
        const auto& more = error.GetDiagnostics();
        diagnostics.insert(diagnostics.end(), more.begin(), more.end());
    }
    return rows;
}

std::vector<std::string>
FindMissed(const PaperFigure& figure, const FigureOutcome& outcome)
{
    std::vector<std::string> missed;
    for (const auto& row : figure.expected)
    {
        const auto& ours = outcome.values.at(FindValue(figure, row.value)).ours;
        if (!ours || std::abs(ours->mean - row.expected) > row.tolerance)
        {
            missed.push_back(row.value + " is " +
                             (ours ? FormatNumber(ours->mean) : "not measured") + ", expected " +
                             FormatNumber(row.expected) + " within " + FormatNumber(row.tolerance) +
                             " (" + row.source + ").");
        }
    }
    return missed;
}

} // namespace ddl
} // namespace ns3
