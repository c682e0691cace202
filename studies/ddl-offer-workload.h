// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_OFFER_WORKLOAD_H
#define DDL_OFFER_WORKLOAD_H

#include "ddl-offer-cluster.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * Make 500 jobs of the six models of Dally, Table I. Numbers of jobs per model and size are those
 * of the batch that the authors publish; a job's time on one GPU is drawn from the quantiles of its
 * model in that batch.
 *
 * \param seed seed of durations and of the order of the jobs
 */
std::vector<OfferJob> MakeOfferJobs(uint32_t seed);

/**
 * Read jobs of a user's own, one per line, after a first line that names the columns:
 * "model,gpus,iterations,seconds_per_iteration". Models are those of MakeOfferJobs, without
 * "Dally-".
 *
 * \param file name of the file
 * \throws InputError for a file that cannot be read, a wrong line, a model that is not known
 */
std::vector<OfferJob> ReadOfferJobs(const std::string& file);

/** Delays of a ring's steps. A step takes its delay, and its bytes at the rate. */
struct OfferNetwork
{
    double rackDelay{5e-6};     //!< delay between servers, seconds
    double acrossDelay{100e-6}; //!< delay between racks, seconds: 50 us to a switch and from it
};

/**
 * Compute an iteration in closed form. The gradients of the layers are reduced one after the
 * other, while the backward pass goes on, in rings tier by tier; each tier divides what the next
 * one has to send.
 *
 * \return compute time over the time of an iteration
 */
double GetComputeShare(const OfferJob& job, const OfferTiers& tiers, const OfferNetwork& network);

} // namespace ns3::ddl

#endif // DDL_OFFER_WORKLOAD_H
