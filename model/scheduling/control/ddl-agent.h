// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_AGENT_H
#define DDL_AGENT_H

#include "ddl-control-end.h"
#include "ddl-run-leader.h"
#include "ddl-trace-records.h"

#include "ns3/abort.h"
#include "ns3/ddl-machine.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/ddl-priority.h"
#include "ns3/ddl-task-run.h"
#include "ns3/event-id.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <boost/container/flat_map.hpp>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/**
 * Carries out the coordinator's decisions on one machine (Grouper Fig. 6). It launches, starts and
 * stops the ranks that jobs have there, marks their streams, and reports the progress of its
 * workers to the leader of each job. Of other machines it knows only what control messages contain.
 *
 * It reports stopped ranks, whose GPUs are then free, at once; or, with a ReportInterval, at
 * ReportPhase and every ReportInterval after it.
 *
 * One machine of each job is its leader. As a leader, the agent reports finished stages and
 * progress to the coordinator and, behind a gate, requests grants. The progress that it reports is
 * that of its own workers.
 *
 * Marks (Grouper §IV-B): what this machine sends for a job leaves in the band of the job's priority
 * here, and carries the codepoint of the job's priority at the receiving machine. This holds for
 * data and for acknowledgements, so acknowledgements may starve behind data of higher priority from
 * the same machine; with ControlAcks they use the queue of control messages. A job whose priority
 * is not known yet has the last one; without an order, every job has priority 1. With demotion
 * thresholds, the data of a message fall by one priority at each threshold.
 */
class Agent : public Object, private RunHost
{
  public:
    static TypeId GetTypeId();

    /**
     * \param machine where it runs
     * \param streams of that machine
     * \param control its end of the control plane
     */
    Agent(Ptr<Machine> machine, Ptr<StreamHost> streams, const ControlEnd& control);
    ~Agent() override;

    HostId GetHost() const
    {
        return m_host;
    }

    /** \return the type of the machine's GPUs */
    const GpuType& GetGpuType() const
    {
        return m_machine->GetGpuType();
    }

    /**
     * \param run number of the job's run that is meant; none: any
     * \return its part of that run; null if it has none
     */
    RunPart* FindRun(JobId job, std::optional<uint32_t> run = std::nullopt) const;

    /** \return the number of jobs that have ranks on this machine */
    std::size_t CountJobs() const
    {
        return m_jobs.size();
    }

    /**
     * Call once, before the first job. If the scheduler has demotion thresholds, the streams that
     * start here get them.
     */
    void SetScheduler(Ptr<const NetworkScheduler> scheduler);

    /**
     * The machine fails: its runs end at once and are forgotten; until Return, it receives and
     * sends no messages.
     */
    void Fail();
    /**
     * The server is back, and this machine reports it. Its machines obey messages again from the
     * coordinator's answer on.
     * \param server all machines of it
     */
    void Return(const std::vector<HostId>& server);

    using RemarkCallback = void (*)(const RemarkRecord&);
    using RankCallback = void (*)(const RankEvent&);
    using NodeCallback = void (*)(const NodeEvent&);
    using OpenedCallback = void (*)(JobId, Ptr<SendingStream>);
    using AcceptedCallback = void (*)(JobId, Ptr<ReceivingStream>);

  protected:
    void DoDispose() override;

  private:
    /** What the agent knows of a job. */
    struct LocalJob
    {
        std::shared_ptr<RunPart> run;
        std::optional<RunLeader> leader; //!< the job's leader, if it is this machine
        boost::container::flat_map<HostId, uint32_t> priorities; //!< here and at its peers
        uint32_t stage{1}; //!< the stage for which the newest priority holds
    };

    void Handle(const LaunchRun& message);
    void Handle(const WorkersReport& message);
    void Handle(const StartStage& message);
    void Handle(const PauseJob& message);
    void Handle(const StopBefore& message);
    void Handle(const StopJob& message);
    void Handle(const ProgressRequest& message);
    void Handle(const BytesRequest& message);
    void Handle(const GateGrant& message);
    void Handle(const Priorities& message);
    void Handle(const PinPaths& message);
    void Handle(const RunTask& message);
    void Handle(const PullRequest& message);

    void Handle(const RejoinGrant&)
    {
        m_isAway = false;
    }

    template <typename Other>
    void Handle(const Other&)
    {
        NS_ABORT_MSG("machine " << m_host << " got a message for the coordinator");
    }

    void Stop(JobId job, uint32_t run);
    void Report(const ControlMessage& message);
    void SendReports();

    void Observe(const RankEvent& event) override;
    void ObserveNode(const NodeEvent& event) override;
    void ObserveStream(const RunSpec& run, Ptr<SendingStream> stream) override;
    void ObserveStream(const RunSpec& run, Ptr<ReceivingStream> stream) override;
    void HandleSending(const RunSpec& run, uint64_t iteration) override;
    void HandleReady(const RunSpec& run, uint64_t iteration) override;
    void HandleFinished(const RunSpec& run, uint64_t iteration) override;
    void HandleSaved(const RunSpec& run, uint64_t iterations) override;
    void HandleLoaded(const RunSpec& run) override;
    Mark GetDataMark(const RunSpec& run, HostId peer) const override;
    Mark GetAckMark(const RunSpec& run, HostId peer) const override;
    void HandleAsk(const RunSpec& run, uint64_t round, uint32_t gpu) override;
    void HandlePulled(const RunSpec& run, uint64_t round, uint32_t gpu) override;
    void HandlePull(const RunSpec& run, uint64_t round, uint32_t gpu) override;
    void HandleTaskEnded(const RunSpec& run, uint64_t round, uint32_t gpu) override;
    void HandleRoundEnded(const RunSpec& run, uint64_t rounds) override;
    bool TalksToLeader(const RunSpec& run) const;
    void TellLeader(const RunSpec& run, WorkersPoint point, uint64_t iteration, bool isForGate);
    void NotifyLaunched(JobId job, uint32_t run);
    static void NotifyDemotion(Agent* agent, JobId job);
    void Remark(const LocalJob& job);
    Mark GetMarkOfState() const;
    template <typename End>
    void Remark(const LocalJob& job, const End& end, Mark mark, bool acknowledgements);
    Mark ComputeMark(const LocalJob& job, HostId peer, uint32_t demotion) const;

    HostId m_host;
    Ptr<Machine> m_machine;
    Ptr<StreamHost> m_streams;
    std::optional<ControlEnd> m_control; //!< empty after disposal: no message is sent any more
    uint32_t m_bands;
    uint32_t m_queues;
    bool m_controlAcks;
    bool m_isOrdered{true};             //!< whether priorities come from the coordinator
    std::vector<uint64_t> m_thresholds; //!< demotion thresholds of the streams that start here
    TaskExecutor m_executor;
    std::map<JobId, LocalJob> m_jobs;
    Time m_reportInterval;
    Time m_reportPhase;
    std::vector<ControlMessage> m_unreported; //!< messages that wait for the next report
    EventId m_report;                         //!< the next report
    bool m_isAway{false};                     //!< whether it has failed and has not rejoined yet

    TracedCallback<const RemarkRecord&> m_remark;           //!< "Remark"
    TracedCallback<const RankEvent&> m_rank;                //!< "Rank"
    TracedCallback<const NodeEvent&> m_node;                //!< "Node"
    TracedCallback<JobId, Ptr<SendingStream>> m_opened;     //!< "StreamOpened"
    TracedCallback<JobId, Ptr<SendingStream>> m_pinned;     //!< "StreamPinned"
    TracedCallback<JobId, Ptr<ReceivingStream>> m_accepted; //!< "StreamAccepted"
};

} // namespace ns3::ddl

#endif // DDL_AGENT_H
