// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SLOTTED_JOBS_H
#define DDL_SLOTTED_JOBS_H

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

} // namespace ns3::ddl

#endif // DDL_SLOTTED_JOBS_H
