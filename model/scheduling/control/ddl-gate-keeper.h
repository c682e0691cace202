// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GATE_KEEPER_H
#define DDL_GATE_KEEPER_H

#include "ddl-control-plane.h"
#include "ddl-end-of-instant.h"
#include "ddl-job-record.h"
#include "ddl-trace-records.h"

#include "ns3/data-rate.h"
#include "ns3/ddl-communication-gate.h"

#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace ns3::ddl
{

/**
 * The coordinator's side of a communication gate: it keeps the waiting and the running transfers,
 * asks the gate policy which may start, and sends the grants.
 *
 * Whenever a transfer is requested or ends, all waiting ones are tried in SRSF order (Ada-SRSF
 * Algorithm 3, lines 16 to 22), once per instant. A granted transfer counts as running from the
 * grant until the coordinator receives the message of its end. When the stop message of a job is
 * sent, its waiting transfers are dropped; its running ones are dropped when the job has stopped.
 *
 * A transfer to which the gate has given a date is not asked about again, and granted then.
 *
 * The iterations of a gang ask one after the other, for all that they send. Of a job whose rounds
 * consist of tasks, each task on a GPU asks for itself, for its parameters and then for its
 * gradients, which use the NICs of its machine and of the parameter server's.
 */
class GateKeeper
{
  public:
    /** \param end of the instants at which it answers; shared with the coordinator */
    explicit GateKeeper(EndOfInstant& end)
        : m_end(end)
    {
    }

    GateKeeper(const GateKeeper&) = delete;
    GateKeeper& operator=(const GateKeeper&) = delete;

    /**
     * Call once, before the first job. Without this call no job has to ask.
     *
     * \param gate that answers
     * \param plane to the agents, installed
     * \param model of contention, calibrated for the cluster
     * \param links of the cluster, for gates that want the traffic of jobs
     */
    void Install(Ptr<CommunicationGate> gate,
                 Ptr<ControlPlane> plane,
                 const ContentionModel& model,
                 LinkMap links);

    /** \return true if jobs that use the network have to ask */
    bool IsAsked() const
    {
        return m_gate && m_gate->IsAsked();
    }

    /** Call once, before the first job. \param table of all jobs; with an oracle, it tells gates
     * that want it how many bytes running transfers really have left */
    void SetTable(const JobTable* table)
    {
        m_table = table;
    }

    /** The stop message of the job is being sent: its requests, waiting and to come, are void. */
    void RemoveJob(JobId job);
    /** All machines of the job have stopped: its running transfers are over. */
    void EndJob(JobId job);
    /** Gets all messages that reach the coordinator, and handles those of the gate. \param machine
     * that sent it */
    void Handle(HostId machine, const ControlMessage& message);

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
    /** Identifies who asks. */
    struct Asker
    {
        JobId job;
        std::optional<GpuId> gpu; //!< the GPU that has the task; empty: all workers of the job ask
        uint64_t round{0};        //!< round of the task. Its end may arrive after the next one asks

        bool operator<(const Asker& other) const
        {
            return std::tie(job, gpu, round) < std::tie(other.job, other.gpu, other.round);
        }
    };

    /** A transfer that waits for its grant. */
    struct Request
    {
        CommunicationTask task;
        uint64_t iteration{1};
        std::optional<Time> start{}; //!< date at which it is granted; none: it has to ask
    };

    /** What gates get to know of a job, and the number of the run that it is known of. */
    struct KnownJob
    {
        uint32_t run{0};
        GateJob job;
    };

    static Asker MakeAsker(HostId machine,
                           JobId job,
                           std::optional<uint32_t> gpu,
                           uint64_t iteration);
    void Ask(const Asker& asker, const GateRequest& request);
    void End(const Asker& asker);
    void ScheduleAnswers();
    void Answer();
    GateView MakeView() const;
    void AddServers(GateView& view) const;
    void Grant(const Asker& asker);
    void KeepDate(const Asker& asker, Time date);
    void NoteRequest(const JobRecord& job);
    void NoteGrant(JobId job);

    Ptr<CommunicationGate> m_gate;
    Ptr<ControlPlane> m_plane;
    ContentionModel m_model;
    const JobTable* m_table{nullptr};
    std::map<Asker, Request> m_waiting;
    std::map<Asker, CommunicationTask> m_running;
    LinkMap m_links;
    std::map<JobId, KnownJob> m_known; //!< jobs that have asked, if the gate wants their traffic
    EndOfInstant& m_end;
    bool m_answerDue{false};
    GateTotals m_totals;
};

} // namespace ns3::ddl

#endif // DDL_GATE_KEEPER_H
