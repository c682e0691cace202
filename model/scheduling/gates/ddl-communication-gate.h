// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMMUNICATION_GATE_H
#define DDL_COMMUNICATION_GATE_H

#include "ddl-contention-model.h"

#include "ns3/ddl-gpu-id.h"
#include "ns3/ddl-ids.h"
#include "ns3/ddl-job-traffic.h"
#include "ns3/ddl-policy.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
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

/** A job that has asked before, or asks now, and what is known of its iterations. */
struct GateJob
{
    /** Foreseen traffic. The length of an iteration is the shortest time from a grant to the next
     * request in this run, as soon as there is one. */
    std::shared_ptr<const JobTraffic> traffic;
    uint64_t starts{0};              //!< transfers of its present run that have been admitted
    std::optional<Time> lastStart{}; //!< date of the last of these
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
    std::vector<GateJob> jobs{};            //!< by job; only if WantsTraffic, not for rounds

    /** \return the task in question */
    const CommunicationTask& GetTask() const
    {
        return ready.at(candidate);
    }
};

/** The answer of a gate policy: now, at a date, or when something has changed. */
class GateAnswer
{
  public:
    /** \param isNow whether the transfer starts at once; false: it is asked again when a task ends
     * or another one asks */
    GateAnswer(bool isNow) // NOLINT: a truth value is an answer
        : m_isNow(isNow)
    {
    }

    /** \return that the transfer starts at a future date, whatever happens until then */
    static GateAnswer At(Time date)
    {
        GateAnswer answer(false);
        answer.m_date = date;
        return answer;
    }

    /** \return whether the transfer starts at once */
    explicit operator bool() const
    {
        return m_isNow;
    }

    /** \return the future date at which it starts; none: at once, or not yet known */
    const std::optional<Time>& GetDate() const
    {
        return m_date;
    }

    bool operator==(const GateAnswer& other) const
    {
        return m_isNow == other.m_isNow && m_date == other.m_date;
    }

  private:
    bool m_isNow;
    std::optional<Time> m_date;
};

/**
 * Policy family: may the transfers of this iteration start now?
 *
 * A refused task is tried again when a task ends or another one asks. So a gate must not refuse a
 * task whose servers carry nothing, or the task may wait for ever. Instead of a refusal a gate may
 * name a date, at which the task starts without being asked about again.
 *
 * A policy is a function of the view. It may keep what takes long to compute.
 */
class CommunicationGate : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param view the waiting tasks, the one in question, and what its servers carry; an index out
     *        of range ends the program
     * \return whether and when the task in question may start
     * \throws RunError with the policy's name when the date is not in the future
     */
    GateAnswer MayStart(const GateView& view);

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

    /** \return true if the view has to contain the traffic of jobs */
    virtual bool WantsTraffic() const
    {
        return false;
    }

  private:
    virtual GateAnswer DoMayStart(const GateView& view) = 0;
};

} // namespace ns3::ddl

#endif // DDL_COMMUNICATION_GATE_H
