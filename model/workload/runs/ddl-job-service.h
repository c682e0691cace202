// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_SERVICE_H
#define DDL_JOB_SERVICE_H

#include "ns3/ddl-job-spec.h"
#include "ns3/nstime.h"

namespace ns3::ddl
{

/**
 * \param time time of one repetition, 0 or more
 * \param times number of repetitions, 0 or more
 * \return the product, at most the longest time
 */
Time Multiply(Time time, double times);

/** What one iteration of a job takes on its GPUs, without noise and without contention. */
struct IterationCost
{
    Time compute;        //!< compute time of the slowest worker
    Time communication;  //!< time at the busiest NIC; 0 for a job that is not placed yet
    uint32_t gpus{1};    //!< |G_J|, number of GPUs, those of parameter servers included
    double work{0};      //!< seconds of computing on the reference GPU, sum of all workers
    double sendsFrom{1}; //!< part of the compute time after which workers begin to send, 0 to 1
};

/** \return the cost for a job that is not placed yet: it computes on GPUs of speed 1 */
IterationCost EstimateIteration(const JobSpec& job);

/**
 * The remaining service of a job, by which Ada-SRSF weighs the load of GPUs, and orders jobs, tasks
 * of GPUs and communication tasks.
 *
 * \param cost cost of one iteration
 * \param iterations number of iterations that are left, in all stages
 * \return L_J = (C_J + E_J) |G_J| (Ada-SRSF Eq. 7, 8 and §IV-A)
 */
Time GetRemainingService(const IterationCost& cost, uint64_t iterations);

/** \return C_J: time in which one worker of a job prepares the samples of so many iterations and
 * computes them (Ada-SRSF Eq. 7) */
Time GetComputeTime(const JobSpec& job, uint64_t iterations);

/** \return number of iterations of all stages together */
uint64_t CountIterations(const CojobSpec& cojob);

} // namespace ns3::ddl

#endif // DDL_JOB_SERVICE_H
