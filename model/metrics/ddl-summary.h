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

/** What was simulated, as summary.json states it: name, seed, scale, scenario and program. */
struct RunIdentity
{
    std::string name;
    uint32_t seed{1};
    double modelScale{1};
    double iterationScale{1};
    std::string resolvedScenario{"null"}; //!< the scenario as JSON text; null: a script made it
    std::string program{"{}"};            //!< build, overrides, hashes of other input, as JSON text
};

/** Sizes of result files in bytes, by name. */
using FileSizes = std::map<std::string, uint64_t>;

/**
 * \param identity what was simulated
 * \return JSON text with those keys of summary.json that identify the simulation
 */
std::string FormatIdentity(const RunIdentity& identity);

/**
 * \param identity what was simulated
 * \param result the results
 * \param files the files with the rest of the results; they are listed, so that a reader can notice
 *        a missing one
 * \return the text of summary.json: byte for byte the same for equal simulations
 */
std::string FormatSummary(const RunIdentity& identity,
                          const RunResult& result,
                          const FileSizes& files = {});

/** \return the text of cost.json: CPU time, memory and so on, which differ each time */
std::string FormatCost(const RunResult& result);

/** Name of the folder of packet captures, in the folder of results. */
constexpr const char* PCAP_FOLDER = "pcap";

/** \return names of all files that may hold results of a simulation */
std::vector<std::string> ListResultFiles();

/**
 * Write the standard files of a simulation: the result tables whose rows were not written as they
 * came, cost.json and summary.json. The summary comes last: a folder that has one is complete. It
 * names all other result files in the folder.
 *
 * \param folder folder of the results, made if there is none; files that an earlier simulation left
 *        there and this one does not write stay
 * \throws RunError when a file cannot be written
 */
void WriteResults(const std::filesystem::path& folder,
                  const RunIdentity& identity,
                  const RunResult& result);

} // namespace ns3::ddl

#endif // DDL_SUMMARY_H
