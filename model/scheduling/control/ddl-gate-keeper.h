// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GATE_KEEPER_H
#define DDL_GATE_KEEPER_H

#include "ddl-control-plane.h"
#include "ddl-end-of-instant.h"
#include "ddl-live-cojobs.h"

#include "ns3/data-rate.h"
#include "ns3/ddl-communication-gate.h"

#include <functional>
#include <map>
#include <vector>

namespace ns3::ddl
{

/**
 * Numbers of gate requests and grants, waiting time, and messages. They do not include the reports
 * of machines to leaders (ControlPlane::GetGateReports).
 */
struct GateTotals
{
    uint64_t requests{0}; //!< that reached the coordinator
    uint64_t grants{0};
    uint64_t held{0};     //!< grants that did not go out at the instant of the request
    Time heldTime;        //!< sum of the times from a request's arrival to its grant
    uint64_t messages{0}; //!< requests, grants and ends
    uint64_t bytes{0};    //!< their lengths
};

/**
 * The coordinator's side of a communication gate: it keeps the waiting and the running transfers,
 * asks the gate policy which may start, and sends the grants.
 *
 * Whenever a transfer is requested or ends, all waiting ones are tried in SRSF order (Ada-SRSF
 * Algorithm 3, lines 16 to 22), once per instant. A granted transfer counts as running from the
 * grant until the coordinator receives the message of its end. When the stop message of a job is
 * sent, its waiting transfers are dropped; its running ones are dropped when the job has stopped.
 */
class GateKeeper
{
  public:
    using Truth = std::function<uint64_t(JobId)>;

    /** \param end of the instants at which it answers; shared with the coordinator */
    explicit GateKeeper(EndOfInstant& end);
    ~GateKeeper();
    GateKeeper(const GateKeeper&) = delete;
    GateKeeper& operator=(const GateKeeper&) = delete;

    /**
     * Call once, before the first job. Without this call no job has to ask.
     *
     * \param gate that answers
     * \param plane to the agents, installed
     * \param model of contention, calibrated for the cluster
     */
    void Install(Ptr<CommunicationGate> gate,
                 Ptr<ControlPlane> plane,
                 const ContentionModel& model);

    /**
     * \param truth function that returns the bytes that a running transfer really has left, for
     *        gates that use it
     */
    void SetTruth(Truth truth);

    /** \return true if jobs that use the network have to ask */
    bool IsAsked() const;

    void AddCojob(const LiveCojob& cojob);
    /** The stop message of the job is being sent: its requests, waiting and to come, are void. */
    void RemoveJob(JobId job);
    /** All machines of the job have stopped: its running transfers are over. */
    void EndJob(JobId job);
    /** Gets all messages that reach the coordinator, and handles those of the gate. */
    void Handle(const ControlMessage& message);

    /** \return number of waiting transfers */
    std::size_t GetWaiting() const
    {
        return m_waiting.size();
    }

    const GateTotals& GetTotals() const
    {
        return m_totals;
    }

    /** Forget everything; nothing is answered any more. */
    void Dispose();

  private:
    /** What is needed to answer the requests of a job. */
    struct KnownJob
    {
        std::vector<HostId> machines; //!< that get the grant
        std::vector<HostId> servers;  //!< whose NICs it uses
        uint64_t iterations{0};       //!< of all stages
        IterationCost cost;
    };

    /** A task that has asked. */
    struct Request
    {
        CommunicationTask task;
        uint64_t iteration{1};
    };

    void Ask(const GateRequest& request);
    void End(JobId job);
    void ScheduleAnswers();
    void Answer();
    GateView MakeView() const;
    void AddServers(GateView& view) const;
    void Grant(const Request& request);

    Ptr<CommunicationGate> m_gate;
    Ptr<ControlPlane> m_plane;
    ContentionModel m_model;
    Truth m_truth;
    std::map<JobId, KnownJob> m_known;
    std::map<JobId, Request> m_waiting;
    std::map<JobId, CommunicationTask> m_running;
    EndOfInstant& m_end;
    bool m_answerDue{false};
    GateTotals m_totals;
};

} // namespace ns3::ddl

#endif // DDL_GATE_KEEPER_H
