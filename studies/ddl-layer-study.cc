// SPDX-License-Identifier: GPL-2.0-only
// Dally, Table I, on packets: what six models wait for the network, layer by layer.
//
//   ddl-layer-study [TRANSPORT...] [MODEL...]   fluid, rdma, tcp; without any: fluid and rdma.
//                                               Dally-VGG11...; without any: all six
//
// Prints CSV, communication that is not hidden in percent of compute time, on the clusters
// dally-printed and dally-authors: in closed form, on each transport, and as published
// (scenarios/dally-table-1).
#include "ddl-layer-cases.h"

#include "ns3/ddl-attribute-check.h"
#include "ns3/ddl-error.h"

#include <algorithm>
#include <cstdio>
#include <iostream>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

void
PrintRow(const TableRow& row,
         const RingPlace& place,
         const OverlapSpec& overlap,
         const std::vector<std::string>& transports)
{
    const ModelProfile& model = FindModel(row.model);
    std::printf("%s,%s,%s,%s,%s,%.4g",
                place.cluster.c_str(),
                row.model.c_str(),
                place.name.c_str(),
                overlap.serial ? "serial" : "concurrent",
                overlap.backward ? "during" : "after",
                GetExposedPercent(model, GetIterationForm(model, overlap, place)));
    for (const std::string& transport : transports)
    {
        const double seconds = MeasureIteration(row.model, overlap, place, transport);
        std::printf(",%.4g", GetExposedPercent(model, seconds));
    }
    std::printf(",%g\n", row.published[place.column]);
    std::fflush(stdout);
}

/** Transports and models that the command line chooses. */
struct Choice
{
    std::vector<std::string> transports;
    std::vector<TableRow> rows;
};

/** \throws InputError for a word that is neither a transport nor a model */
Choice
ReadChoice(const std::vector<std::string>& words)
{
    std::vector<std::string> names = {"fluid", "rdma", "tcp"};
    for (const TableRow& row : ListTableRows())
    {
        names.push_back(row.model);
    }
    Choice choice;
    for (const auto& word : words)
    {
        const auto found = std::find(names.begin(), names.end(), word);
        if (found == names.end())
        {
            throw InputError("unknown transport or model " + QuoteText(word) + " (some of " +
                             JoinNames(names) + ")" + SuggestName(word, names));
        }
        const auto position = static_cast<std::size_t>(found - names.begin());
        if (position < 3)
        {
            choice.transports.push_back(word);
        }
        else
        {
            choice.rows.push_back(ListTableRows()[position - 3]);
        }
    }
    choice.rows = choice.rows.empty() ? ListTableRows() : choice.rows;
    if (choice.transports.empty())
    {
        choice.transports = {"fluid", "rdma"}; // tcp takes hours
    }
    return choice;
}

void
PrintTable(const Choice& choice)
{
    std::printf("cluster,model,place,order,backward,closed_form");
    for (const auto& transport : choice.transports)
    {
        std::printf(",%s", transport.c_str());
    }
    std::printf(",published\n");
    for (const RingPlace& place : ListRingPlaces())
    {
        for (const TableRow& row : choice.rows)
        {
            PrintRow(row, place, {0, 0, true, true}, choice.transports);
            PrintRow(row, place, {0, 0, false, true}, choice.transports);
            PrintRow(row, place, {0, 0, true, false}, choice.transports);
        }
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    try
    {
        PrintTable(ReadChoice({argv + 1, argv + argc}));
    }
    catch (const InputError& error)
    {
        std::cerr << "ddl-layer-study: " << error.what() << "\n";
        return 2;
    }
    catch (const std::exception& error)
    {
        std::cerr << "ddl-layer-study: " << error.what() << "\n";
        return 1;
    }
    return 0;
}
