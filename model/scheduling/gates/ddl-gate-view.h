// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GATE_VIEW_H
#define DDL_GATE_VIEW_H

#include "ddl-contention-model.h"

#include "ns3/ddl-ids.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace ddl
{

/** The communication of one iteration of one job, from the question until its end. */
struct CommunicationTask
{
    JobId job;
    std::vector<HostId> servers; //!< whose NICs it uses, ascending
    uint64_t bytes{0};           //!< left through its busiest NIC, as its leader last reported
    Time reported;               //!< when that was true: a task that waits has all of it left
    Time service;                //!< GPU time that its job still needs: compute and communication
                                 //!< without contention, times GPUs (Ada-SRSF §IV-A)
    std::optional<uint64_t> truth{}; //!< bytes that are really left; only if the gate wants it
};

/** One server that the task in question touches. */
struct GateServer
{
    HostId host;
    std::vector<uint32_t> tasks; //!< indices into GateView::running, of those it carries now
};

/** All that a gate may know: values, a copy of the state at one moment. */
struct GateView
{
    Time now;
    ContentionModel model;                  //!< calibrated for the cluster's transport and rate
    std::vector<CommunicationTask> ready;   //!< wait for an answer, in SRSF order
    uint32_t candidate{0};                  //!< index into `ready` of the task in question
    std::vector<CommunicationTask> running; //!< by job
    std::vector<GateServer> servers;        //!< of the task in question, ascending

    /** \return the task in question */
    const CommunicationTask& GetTask() const
    {
        return ready.at(candidate);
    }
};

} // namespace ddl
} // namespace ns3

#endif // DDL_GATE_VIEW_H
