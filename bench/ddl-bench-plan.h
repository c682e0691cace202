// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BENCH_PLAN_H
#define DDL_BENCH_PLAN_H

#include "app/text/ddl-arguments.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/** One line of the table. */
struct BenchCase
{
    std::string work;      //!< as MakeBenchWork takes it
    std::string transport; //!< "stock", or the short name of one of ours
    uint32_t hosts{16};
    uint32_t mtu{1500};
    uint64_t bytes{0}; //!< of the application

    /** \return "W-16-1500-tcp": for files and messages */
    std::string GetName() const;
};

/** What is run: each case so many times, round robin. */
struct BenchPlan
{
    std::vector<BenchCase> cases;
    uint32_t repetitions{1};
};

constexpr const char* STOCK = "stock"; //!< in place of a transport: ns-3 without us

/** \return "stock", and the short names of all transports */
std::vector<std::string> ListBenchTransports();

/** Declare the options that MakeBenchPlan reads. */
void AddBenchOptions(Arguments& arguments);

/**
 * \param arguments parsed
 * \return what they ask for
 * \throws InputError with everything that makes no sense, or when no case is left
 */
BenchPlan MakeBenchPlan(const Arguments& arguments);

} // namespace ddl
} // namespace ns3

#endif // DDL_BENCH_PLAN_H
