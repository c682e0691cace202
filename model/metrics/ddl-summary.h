// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SUMMARY_H
#define DDL_SUMMARY_H

#include "ddl-run-result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** What was run, as summary.json states it: name, seed, scale, scenario and program. */
struct RunIdentity
{
    std::string name;
    uint32_t seed{1};
    double modelScale{1};
    double iterationScale{1};
    std::string resolvedScenario{"null"}; //!< JSON text; null: a script made it
    std::string program{"{}"};            //!< JSON text: build, overrides, hashes of other input
};

/** Files of results, and their sizes in bytes. */
using FileSizes = std::map<std::string, uint64_t>;

/**
 * \param identity what was run
 * \return JSON text with those keys of summary.json that identify the run
 */
std::string FormatIdentity(const RunIdentity& identity);

/**
 * \param identity what was run
 * \param result what it measured
 * \param files that hold the rest of the results; they are listed, so that a reader can notice a
 *        missing one
 * \return summary.json: the same for equal runs, byte for byte
 */
std::string FormatSummary(const RunIdentity& identity,
                          const RunResult& result,
                          const FileSizes& files = {});

/** \return cost.json: CPU time, memory and so on; differs from run to run */
std::string FormatCost(const RunResult& result);

/** Folder of captures, in the folder of results. */
constexpr const char* PCAP_FOLDER = "pcap";

/** \return names of all files that may hold results of a run */
const std::vector<std::string>& ListResultFiles();

/**
 * Write the standard files of a run: stages.csv, jobs.csv, ports.csv, cost.json and summary.json,
 * and what the result has kept of remarks, scheduler runs and iterations. The summary comes last: a
 * folder that has one is complete. It names all other files of results that the folder has.
 *
 * \param folder is made if there is none; what an earlier run left there and this one does not
 *        write stays
 * \throws RunError when a file cannot be written
 */
void WriteResults(const std::filesystem::path& folder,
                  const RunIdentity& identity,
                  const RunResult& result);

} // namespace ns3::ddl

#endif // DDL_SUMMARY_H
