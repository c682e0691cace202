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
    double size{0};        //!< MB
    double memory{0};      //!< MB on each GPU
    int64_t task[2]{0, 0}; //!< ms, forward and backward
    int64_t arrival{0};    //!< ms
    std::vector<uint32_t> gpus;
    std::vector<uint32_t> nodes;
    std::vector<uint32_t> phase; //!< of each worker: 0 forward, 1 backward, 2 has computed
    uint32_t iteration{1};
    double left{0}; //!< ms of compute time, of all workers
    bool isSending{false};
    double moved{0};    //!< MB of the transfer
    double speed{0};    //!< MB a ms
    double end{0};      //!< ms
    int64_t changed{0}; //!< ms, when `moved` was reckoned
};

/** \return the 160 jobs of §V-A; the seed draws models, iterations / 100 and arrivals */
std::vector<SlottedJob> MakeSlottedJobs(uint32_t seed);

/** How transfers start, and what they cost. */
struct SlottedOptions
{
    uint32_t others{0};      //!< a transfer starts beside so many others at most
    bool isAdaDual{false};   //!< with others 1: only if Theorem 2 says so
    bool asksForFree{false}; //!< asking for the rest of a transfer moves it on, see below
    double memory{16000};    //!< of a GPU, MB
    double eta{0.235};       //!< ms a MB, for each further transfer
};

/** What came of a run, in the paper's seconds. */
struct SlottedResult
{
    std::vector<double> jct;
    double makespan{0};
    double utilisation{0}; //!< of the GPUs
};

/**
 * Ada-SRSF's own simulation (Algorithm 1 to 3), in slots of 1 ms and with iterations / 100, from
 * the paper and the program to which its footnote 1 leads: LWF-1, SRSF, one forward and one
 * backward task a GPU and iteration; a transfer between machines takes k b + (k - 1) eta a MB,
 * whatever the number of GPUs, where k is the most transfers at any of its machines.
 *
 * `asksForFree` is what that program does: AdaDUAL's question for the rest of the old transfer adds
 * the time since the last slot to what was transferred, and the slot's own account adds it again.
 * So an old transfer moves at twice its speed while one waits for it, at thrice while two do.
 *
 * \param seed of models, iterations and arrivals of the 160 jobs (§V-A)
 */
SlottedResult RunSlotted(uint32_t seed, const SlottedOptions& options);

} // namespace ns3::ddl

#endif // DDL_SLOTTED_CLUSTER_H
