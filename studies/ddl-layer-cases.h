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

/** Where the 8 GPUs of a ring are, so that each edge of it crosses the same tier. */
struct RingPlace
{
    std::string name;      //!< "server", "rack", "network"
    uint32_t stride{1};    //!< host of worker w is w times this, in the preset dally-printed
    double seconds{0};     //!< delay of the way from a worker to the next one
    uint32_t links{2};     //!< of that way
    std::size_t column{0}; //!< of TableRow::published
};

/** \return the three places of Dally, Table I */
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
 * The time of an iteration in closed form. Each layer's all-reduce takes 2 (N - 1) steps of the
 * delay, M / N bytes on the first wire and a packet on each of the others. One after the other,
 * E_b = max(E_(b-1), r_b) + c_b; side by side max(r_b + c_b), since the wires are nearly empty.
 *
 * \param model with layers
 * \param overlap how its gradients are sent
 * \param place of the ring
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
