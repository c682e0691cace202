// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SLOTTED_CLUSTER_H
#define DDL_SLOTTED_CLUSTER_H

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/** A job of Ada-SRSF's own simulation, and how far it is. */
struct SlottedJob
{
    uint32_t workers{1};
    uint32_t iterations{1};
    double size{0};        //!< size of a transfer, MB
    double memory{0};      //!< memory that it takes on each GPU, MB
    int64_t task[2]{0, 0}; //!< lengths of forward and backward task, ms
    int64_t arrival{0};    //!< arrival, ms
    std::vector<uint32_t> gpus;
    std::vector<uint32_t> nodes;
    std::vector<uint32_t> phase; //!< phase of each worker: 0 forward, 1 backward, 2 has computed
    uint32_t iteration{1};
    double left{0}; //!< compute time left, of all workers, ms
    bool isSending{false};
    double moved{0};    //!< part of the transfer that is done, MB
    double speed{0};    //!< speed of the transfer, MB per ms
    double end{0};      //!< end of the job, ms
    int64_t changed{0}; //!< when `moved` was last updated, ms
};

/** \return the 160 jobs of §V-A. \param seed seed of models, iterations / 100 and arrivals */
std::vector<SlottedJob> MakeSlottedJobs(uint32_t seed);

/** How transfers start, and what they cost. */
struct SlottedOptions
{
    uint32_t others{0};      //!< most other transfers beside which a transfer starts
    bool isAdaDual{false};   //!< if `others` is 1: a transfer starts only as Theorem 2 says
    bool asksForFree{false}; //!< the program's slip (RunSlotted)
    double memory{16000};    //!< memory of a GPU, MB
    double eta{0.235};       //!< additional time for each further transfer, ms per MB
};

/** Results of a run, in the paper's seconds. */
struct SlottedResult
{
    std::vector<double> jct;
    double makespan{0};
    double utilisation{0}; //!< mean utilisation of the GPUs, 0 to 1
};

/**
 * Run Ada-SRSF's own simulation (Algorithms 1 to 3), in slots of 1 ms and with iterations / 100,
 * after the paper and the program to which its footnote 1 leads: LWF-1, SRSF, one forward and one
 * backward task per GPU and iteration. A transfer between machines takes k b + (k - 1) eta per MB,
 * whatever the number of GPUs, where k is the greatest number of transfers at any of its machines.
 *
 * `asksForFree` repeats a slip of that program: when AdaDUAL asks for the rest of the old transfer,
 * the time since the last slot counts as transferred, and the slot itself counts it again. So an
 * old transfer moves at twice its speed while one waits for it, at three times while two do.
 *
 * \param seed seed of models, iterations and arrivals of the 160 jobs (§V-A)
 */
SlottedResult RunSlotted(uint32_t seed, const SlottedOptions& options);

} // namespace ns3::ddl

#endif // DDL_SLOTTED_CLUSTER_H
