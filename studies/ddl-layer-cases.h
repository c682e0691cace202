// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LAYER_CASES_H
#define DDL_LAYER_CASES_H

#include "ns3/ddl-model-profile.h"
#include "ns3/ddl-overlap-spec.h"

#include <string>
#include <vector>

namespace ns3::ddl
{

constexpr uint32_t RING_WORKERS = 8; //!< number of workers of each job of Dally, Table I

/** A tier of an all-reduce: its rings, and the path from a worker to the next one. */
struct RingTier
{
    uint32_t workers{1};       //!< number of workers of each ring
    double seconds{0};         //!< delay of the path, seconds
    std::vector<double> rates; //!< rates of the path's links, in bits per second
};

/** Where the 8 GPUs of a job are, and how they reduce. */
struct RingPlace
{
    std::string name;            //!< name of the place: "server", "rack", "network"
    std::string cluster;         //!< preset of the cluster
    std::string pattern;         //!< pattern: "ring", or "tiered-ring": a ring per tier
    std::vector<uint32_t> hosts; //!< hosts of the workers, by rank
    std::vector<RingTier> tiers; //!< tiers, the lowest first
    std::size_t column{0};       //!< index of the place in TableRow::published
};

/**
 * \return the three places of Dally, Table I, on two clusters. On dally-printed they are rings of
 *         which each edge crosses the same tier. On dally-authors they are the rings that the
 *         authors' program makes: of 4 and of 2 for two servers with 4 GPUs each, in a rack or in
 *         two; of 8 in a server
 */
const std::vector<RingPlace>& ListRingPlaces();

/** A row of Dally, Table I: communication that the backward pass does not hide, in percent of
 * compute time. */
struct TableRow
{
    std::string model;             //!< name of the model for FindModel
    std::vector<double> published; //!< published percentages in a server, in a rack, across racks
};

/** \return the six rows, in the paper's order */
const std::vector<TableRow>& ListTableRows();

/**
 * Compute the time of an iteration in closed form. A layer's all-reduce takes 2 (g - 1) steps in
 * each tier of rings of g workers. A step takes the delay, M / G bytes on the slowest wire, G
 * workers sharing the layer in this tier and those below, and a packet on each other wire. One
 * after another, E_b = max(E_(b-1), r_b) + c_b; side by side max(r_b + c_b), since the wires are
 * nearly empty.
 *
 * \param model model with layers
 * \param overlap how the model's gradients are sent
 * \param place place of the workers
 * \return time of an iteration, seconds
 */
double GetIterationForm(const ModelProfile& model,
                        const OverlapSpec& overlap,
                        const RingPlace& place);

/**
 * Run two iterations of the scenario dally-table-1 with a model, and measure the second one: the
 * first one opens the connections.
 *
 * \param transport short name of the transport; rdma gets a fixed window above the bandwidth-delay
 *        product
 * \return time of an iteration, seconds
 */
double MeasureIteration(const std::string& model,
                        const OverlapSpec& overlap,
                        const RingPlace& place,
                        const std::string& transport);

/** \return communication that is not hidden, in percent of the model's compute time */
double GetExposedPercent(const ModelProfile& model, double iterationSeconds);

} // namespace ns3::ddl

#endif // DDL_LAYER_CASES_H
