// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-expectation.h"

#include "ddl-csv-table.h"
#include "ddl-text-table.h"

#include "ns3/ddl-error.h"

#include <cmath>
#include <filesystem>

namespace ns3
{
namespace ddl
{

namespace
{

/** \return the outcome of the value of that name */
const ValueOutcome&
FindOutcome(const PaperFigure& figure, const FigureOutcome& outcome, const std::string& name)
{
    for (std::size_t i = 0; i < figure.values.size(); ++i)
    {
        if (figure.values[i].name == name)
        {
            return outcome.values[i];
        }
    }
    throw InputError(
        {{figure.path + "/expected.csv", "", "figure.json has no value \"" + name + "\""}});
}

} // namespace

std::vector<std::string>
CheckExpected(const PaperFigure& figure, FigureVariant variant, const FigureOutcome& outcome)
{
    const std::string path = figure.path + "/expected.csv";
    if (!std::filesystem::exists(path))
    {
        return {};
    }
    const CsvTable table(path);
    if (table.HasColumn("run"))
    {
        return {}; // of single runs, which tests look at
    }
    const std::string wanted = variant == FigureVariant::QUICK ? "quick" : "full";
    std::size_t rows = 0;
    std::vector<std::string> sentences;
    for (std::size_t row = 0; row < table.GetRows(); ++row)
    {
        if (table.GetText(row, "variant") != wanted)
        {
            continue;
        }
        ++rows;
        const std::string name = table.GetText(row, "value");
        const double expected = table.GetNumber(row, "expected").value_or(0);
        const double tolerance = table.GetNumber(row, "tolerance").value_or(0);
        const auto& ours = FindOutcome(figure, outcome, name).ours;
        if (!ours || std::abs(ours->mean - expected) > tolerance)
        {
            sentences.push_back("**Not as expected:** " + name + " is " +
                                (ours ? FormatNumber(ours->mean) : "not measured") + ", expected " +
                                FormatNumber(expected) + " within " + FormatNumber(tolerance) +
                                " (" + table.GetText(row, "source") + ").");
        }
    }
    if (rows > 0)
    {
        sentences.insert(sentences.begin(),
                         std::to_string(rows - sentences.size()) + " of " + std::to_string(rows) +
                             " rows of `expected.csv` are met.");
    }
    return sentences;
}

} // namespace ddl
} // namespace ns3
