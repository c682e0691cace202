// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_READ_GENERATOR_H
#define DDL_READ_GENERATOR_H

#include "app/json/ddl-json-object.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-scenario.h"

#include <vector>

namespace ns3
{
namespace ddl
{

/** What generated jobs have in common with those that are written out. */
struct GeneratorContext
{
    const ClusterSpec& cluster;
    double computeRatio;
    bool ratioForAll;
    ComputeNoise noise;
    uint32_t buckets;
    uint32_t firstCojob; //!< id, not below any other
    uint32_t firstJob;   //!< likewise
};

/**
 * \param json "generator" of a workload
 * \param context the rest of the scenario
 * \param diagnostics for what the reader does not see itself
 */
GeneratorSpec ReadGenerator(const JsonObject& json,
                            const GeneratorContext& context,
                            std::vector<Diagnostic>& diagnostics);

} // namespace ddl
} // namespace ns3

#endif // DDL_READ_GENERATOR_H
