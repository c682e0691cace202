// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMMUNICATION_GATE_H
#define DDL_COMMUNICATION_GATE_H

#include "ddl-contention-model.h"

#include "ns3/ddl-gpu-id.h"
#include "ns3/ddl-ids.h"
#include "ns3/ddl-policy.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/**
 * A communication task: the transfers of one iteration of one job, from its request to the gate
 * until they have ended. For a job whose rounds are made of tasks, it is the transfer of the
 * parameters of one task, or of its gradients.
 */
struct CommunicationTask
{
    JobId job;
    std::vector<HostId> servers; //!< machines whose NICs it uses, ascending
    uint64_t bytes{0}; //!< bytes left through its busiest NIC, by its leader's last report
    Time reported;     //!< date of that report; a waiting task has all its bytes left
    /** GPU time that its job still needs: compute and communication without contention, times GPUs
     * (Ada-SRSF §IV-A). */
    Time service;
    std::optional<uint64_t> truth{}; //!< bytes really left; only if WantsTruth, not for rounds
    std::optional<GpuId> gpu{};      //!< GPU of a round's task; none: all workers of the job
    uint64_t round{0};               //!< round of a round's task, from 1
};

/** A server (machine) whose NIC the requesting task would use. */
struct GateServer
{
    HostId host;
    std::vector<uint32_t> tasks; //!< tasks that its NIC carries, as indices into GateView::running
};

/** The view of a gate policy: a copy of the state at one moment. */
struct GateView
{
    Time now;
    ContentionModel model;                  //!< model calibrated for the cluster's transport, rate
    std::vector<CommunicationTask> ready;   //!< tasks that wait for an answer, in SRSF order
    uint32_t candidate{0};                  //!< index into `ready` of the task in question
    std::vector<CommunicationTask> running; //!< admitted tasks that have not ended, by job
    std::vector<GateServer> servers;        //!< servers of the task in question, ascending

    /** \return the task in question */
    const CommunicationTask& GetTask() const
    {
        return ready.at(candidate);
    }
};

/**
 * Policy family: may the transfers of this iteration start now?
 *
 * A policy is a function of the view. A refused task is tried again when a task ends or another one
 * asks. So a gate must admit a task whose servers carry nothing, or the task may wait for ever.
 */
class CommunicationGate : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param view the waiting tasks, the one in question, and what its servers carry; an index out
     *        of range ends the program
     * \return true if the task in question may start at once
     */
    bool MayStart(const GateView& view);

    /** \return false if the answer is always yes, so that jobs do not ask */
    virtual bool IsAsked() const
    {
        return true;
    }

    /** \return true if the view has to contain the bytes that running tasks really have left */
    virtual bool WantsTruth() const
    {
        return false;
    }

  private:
    virtual bool DoMayStart(const GateView& view) = 0;
};

} // namespace ns3::ddl

#endif // DDL_COMMUNICATION_GATE_H
