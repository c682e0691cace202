// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FORECAST_H
#define DDL_FORECAST_H

#include "ddl-scenario.h"

#include <ostream>

namespace ns3
{
namespace ddl
{

/** What a scenario amounts to, before it is run; scale applied. */
struct Forecast
{
    uint32_t hosts{0};
    uint32_t switches{0};
    uint32_t cables{0};
    uint32_t gpus{0};
    std::size_t cojobs{0};
    std::size_t jobs{0};       //!< those of cojobs included
    uint64_t workers{0};       //!< of all jobs
    std::size_t stages{0};     //!< of cojobs and jobs that will really run
    uint64_t iterations{0};    //!< likewise
    uint64_t bytes{0};         //!< of all messages, those within a machine included
    uint64_t messages{0};      //!< likewise
    double streams{0};         //!< that may send at the same time, as far as there are GPUs
    bool hasPackets{true};     //!< of the transport; otherwise what follows is 0
    uint64_t dataPackets{0};   //!< full ones, if nothing is sent twice
    uint64_t packetHops{0};    //!< at most: data and acknowledgements, all on the longest path
    double cpuSeconds{0};      //!< of the run itself, on the machine of doc/performance.md
    double aloneCpuSeconds{0}; //!< of the runs alone, at most
};

/** \param scenario a valid one */
Forecast MakeForecast(const Scenario& scenario);

/** For people, a line a subject. */
void PrintForecast(std::ostream& os, const Scenario& scenario, const Forecast& forecast);

} // namespace ddl
} // namespace ns3

#endif // DDL_FORECAST_H
