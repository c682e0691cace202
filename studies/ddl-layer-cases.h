// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LAYER_CASES_H
#define DDL_LAYER_CASES_H

#include "ns3/ddl-model-profile.h"
#include "ns3/ddl-overlap-spec.h"

#include <string>
#include <vector>

namespace ns3::ddl
{

constexpr uint32_t RING_WORKERS = 8; //!< of each job of Dally, Table I

/** A tier of an all-reduce: its rings, and the way from a worker to the next one. */
struct RingTier
{
    uint32_t workers{1};       //!< of each ring
    double seconds{0};         //!< delay of that way
    std::vector<double> rates; //!< of its links, in bits per second
};

/** Where the 8 GPUs of a job are, and how they reduce. */
struct RingPlace
{
    std::string name;            //!< "server", "rack", "network"
    std::string cluster;         //!< preset
    std::string pattern;         //!< "ring", or "tiered-ring": a ring per tier
    std::vector<uint32_t> hosts; //!< of the workers, by rank
    std::vector<RingTier> tiers; //!< the lowest first
    std::size_t column{0};       //!< of TableRow::published
};

/**
 * \return the three places of Dally, Table I, on two clusters. On dally-printed they are rings of
 * which each edge crosses the same tier. On dally-authors they are what the authors' program makes
 * of two servers with 4 GPUs each, in a rack or in two: rings of 4 and of 2; in a server a ring of
 * 8
 */
const std::vector<RingPlace>& ListRingPlaces();

/** A row of Dally, Table I: communication that the backward pass does not hide, in percent of
 * compute time. */
struct TableRow
{
    std::string model;             //!< as FindModel knows it
    std::vector<double> published; //!< in a server, in a rack, across racks
};

/** \return the six rows, in the paper's order */
const std::vector<TableRow>& ListTableRows();

/**
 * The time of an iteration in closed form. A layer's all-reduce takes 2 (g - 1) steps in each tier
 * of rings of g workers. A step takes the delay, M / G bytes on the slowest wire, G workers sharing
 * the layer in this tier and those below, and a packet on each of the others. One after the other,
 * E_b = max(E_(b-1), r_b) + c_b; side by side max(r_b + c_b), since the wires are nearly empty.
 *
 * \param model with layers
 * \param overlap how its gradients are sent
 * \param place of the workers
 * \return seconds
 */
double GetIterationForm(const ModelProfile& model,
                        const OverlapSpec& overlap,
                        const RingPlace& place);

/**
 * Run the scenario dally-table-1 with a model, the second iteration of two: the first one opens
 * the connections.
 *
 * \param transport its short name; rdma has a fixed window beyond the bandwidth-delay product
 * \return seconds
 */
double MeasureIteration(const std::string& model,
                        const OverlapSpec& overlap,
                        const RingPlace& place,
                        const std::string& transport);

/** \return communication that is not hidden, in percent of the model's compute time */
double GetExposedPercent(const ModelProfile& model, double iterationSeconds);

} // namespace ns3::ddl

#endif // DDL_LAYER_CASES_H
