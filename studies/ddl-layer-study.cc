// SPDX-License-Identifier: GPL-2.0-only
// Dally, Table I, on packets: what six models wait for the network, layer by layer.
//
//   ddl-layer-study [TRANSPORT...]   fluid, rdma, tcp; all of them if none is named
//
// Prints CSV, communication that is not hidden in percent of compute time: in closed form, on each
// transport, and as published (scenarios/dally-table-1).
#include "ddl-layer-cases.h"

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
    std::printf("%s,%s,%s,%s,%.4g",
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

} // namespace

int
main(int argc, char* argv[])
{
    const std::vector<std::string> known = {"fluid", "rdma", "tcp"};
    std::vector<std::string> transports(argv + 1, argv + argc);
    for (const auto& transport : transports)
    {
        if (std::find(known.begin(), known.end(), transport) == known.end())
        {
            std::cerr << "ddl-layer-study: unknown transport " << QuoteText(transport)
                      << " (one of " << JoinNames(known) << ")\n";
            return 2;
        }
    }
    transports = transports.empty() ? known : transports;
    try
    {
        std::printf("model,place,order,backward,closed_form");
        for (const auto& transport : transports)
        {
            std::printf(",%s", transport.c_str());
        }
        std::printf(",published\n");
        for (const RingPlace& place : ListRingPlaces())
        {
            for (const TableRow& row : ListTableRows())
            {
                PrintRow(row, place, {0, 0, true, true}, transports);
                PrintRow(row, place, {0, 0, false, true}, transports);
                PrintRow(row, place, {0, 0, true, false}, transports);
            }
        }
    }
    catch (const std::exception& error)
    {
        std::cerr << "ddl-layer-study: " << error.what() << "\n";
        return 1;
    }
    return 0;
}
