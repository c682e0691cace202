// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COORDINATOR_H
#define DDL_COORDINATOR_H

#include "ddl-control-plane.h"
#include "ddl-end-of-instant.h"
#include "ddl-gate-keeper.h"
#include "ddl-job-record.h"
#include "ddl-path-book.h"
#include "ddl-priority-book.h"
#include "ddl-trace-records.h"

#include "ns3/data-rate.h"
#include "ns3/ddl-ids.h"
#include "ns3/ddl-machine.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/event-id.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** Hears from the coordinator what machines have reported of runs. */
class RunListener
{
  public:
    virtual ~RunListener() = default;

    /** All machines of the job have launched its run. */
    virtual void HandleLaunched(JobId job) = 0;
    /** Its leader has reported the end of that stage, from 1. */
    virtual void HandleStageDone(JobId job, uint32_t stage) = 0;
    /**
     * Its leader has reported that it paused after PauseJobs.
     * \param iterations done over all stages
     */
    virtual void HandlePaused(JobId job, uint64_t iterations) = 0;
    /** Its leader has reported a checkpoint of that run. \param iterations as above */
    virtual void HandleSaved(JobId job, uint32_t run, uint64_t iterations) = 0;
    /**
     * All its machines have stopped or failed, so its GPUs are free.
     * \param iterations as above; none: a machine failed before it reported them
     * \param noise state of the workers' random draws
     */
    virtual void HandleStopped(JobId job,
                               std::optional<uint64_t> iterations,
                               const WorkerNoise& noise) = 0;
    /** These machines have failed: end the runs that have a rank there. */
    virtual void HandleFailed(const std::set<HostId>& machines) = 0;
    /** A machine that had failed is back. */
    virtual void HandleReturned(HostId machine) = 0;
    /**
     * A returned machine has rejoined. Runs that it had lost are over, but for those of which other
     * machines have yet to say that they have stopped.
     */
    virtual void HandleSettled() = 0;
    /** The machine has reported the end of that task of that round, from 0; the GPU is free. */
    virtual void HandleTaskEnded(JobId job, GpuId gpu, uint64_t round) = 0;
    /** The machine of the job's server has reported that so many rounds are done. */
    virtual void HandleRoundEnded(JobId job, uint64_t rounds) = 0;
};

/**
 * The central part of network scheduling, on one machine (Grouper Fig. 6). It knows which stages
 * run, gets an order from the network scheduler, and sends each machine the local priorities that
 * follow from it.
 *
 * A scheduler with trigger CHANGE runs at the instant of a change, once for all changes of that
 * instant. (With the zero-delay control plane a run can itself cause changes at the same instant;
 * these lead to another run.) A scheduler with trigger PERIOD runs when the first unit appears and
 * then every Period. If the scheduler needs current loads, the coordinator first requests them from
 * the machines and runs it at the last answer. Units that arrived since the last run are appended
 * in arrival order.
 *
 * Local priorities are updated at once whenever a stage or a job comes or goes, also between two
 * runs: when the first stage ends, the others move up. Only changes are sent. Priorities beyond
 * LastPriority are sent as LastPriority, so that a unit that moves up behind the last queue causes
 * no message. A machine receives its priorities before the message that starts the stage for which
 * they hold. The same goes for paths, if the scheduler chooses them.
 */
class Coordinator : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * Call once, before the run.
     *
     * \param scheduler that gives the order
     * \param plane to the agents, installed
     * \param rates of the machines' NICs, by HostId
     * \param servers of the machines, by HostId; without it each machine is one
     */
    void Install(Ptr<NetworkScheduler> scheduler,
                 Ptr<ControlPlane> plane,
                 const std::vector<DataRate>& rates,
                 const std::vector<uint32_t>& servers = {});

    /** Let schedulers see links, and choose paths. Call before the first job. */
    void SetMap(std::shared_ptr<NetworkMap> map)
    {
        m_paths.SetMap(std::move(map));
    }

    /**
     * Call once, before the first job.
     *
     * \param table of all jobs, which outlives the run
     * \param listener who hears what machines report, and outlives the run
     */
    void Serve(JobTable& table, RunListener& listener);

    /** \return the part that answers gate requests of leaders; it has to be installed */
    GateKeeper& GetGateKeeper()
    {
        return m_gate;
    }

    /** A job has got GPUs: send the launch of its present run to all machines of that run. */
    void LaunchRun(JobRecord& job);
    /** All jobs of a group that have GPUs have been launched; follow with StartStage. */
    void AddGroup(GroupRecord& group);
    /** All live jobs of the group run its stage now, or the rest of it: send its start to their
     * machines. */
    void StartStage(GroupRecord& group);
    /**
     * Pause these live jobs after the iterations that they have begun. The coordinator asks their
     * machines for their progress, determines from all answers where each job has to stop, and
     * sends that. RunListener::HandlePaused is called when the leader has reported the stop.
     */
    void PauseJobs(const std::vector<JobId>& jobs);
    /**
     * End the present runs of these jobs, live or being launched: send StopJob to their machines.
     * \param areDone they save their results before (RunSpec::finish)
     */
    void StopJobs(const std::vector<JobId>& jobs, bool areDone = false);
    /**
     * These machines are silent, so they have failed: the coordinator expects no messages of them
     * until they ask to rejoin. No effect on machines that are known to have failed.
     */
    void NoteFailed(const std::vector<HostId>& machines);

    /** Send an order to run a task of a live job's present round, from 0, on that GPU. */
    void RunTask(JobId job, GpuId gpu, uint64_t round);
    /**
     * \param function called at the end of this instant, before any message of this instant is sent
     */
    void AtEndOfInstant(std::function<void()> function);

    /** \return whether leaders have to report the start and end of each coflow */
    bool OrdersCoflows() const;

    /** \return runs of the network scheduler so far */
    uint64_t GetRuns() const
    {
        return m_runs;
    }

    /** \return the most priorities that one machine had at one time, LastPriority or not */
    uint32_t GetMostPriorities() const
    {
        return m_priorities.GetMost();
    }

    using ScheduleCallback = void (*)(const ScheduleRecord&);

  protected:
    void DoDispose() override;

  private:
    void Handle(HostId machine, const ControlMessage& message);
    void HandleLaunched(const RunLaunched& message);
    void HandlePaused(const JobPaused& message);
    void HandleStopped(HostId machine, const JobStopped& message);
    void HandleRejoin(const RejoinRequest& message);
    void Lose(const std::vector<HostId>& machines);
    void NoteAnswer(HostId machine, uint32_t round);
    void EndRound();
    JobRecord* FindRun(JobId job, uint32_t run) const;
    void Stop(JobRecord& job, bool isDone);
    void EndStops();

    void NoteChange();
    void ScheduleFlush();
    void Flush();
    void Tick();
    bool AskForProgress();
    template <typename Request>
    bool Ask(const std::set<HostId>& machines);
    void OrderUnits();
    bool IsCertifiable() const;
    void Distribute();
    void TraceSchedule();

    Ptr<NetworkScheduler> m_scheduler;
    Ptr<ControlPlane> m_plane;
    std::vector<DataRate> m_rates;
    Time m_period;
    uint32_t m_lastPriority; //!< attribute "LastPriority"
    uint32_t m_levels;       //!< attribute "Levels"
    bool m_commonPriorities; //!< attribute "CommonPriorities"
    RunListener* m_listener{nullptr};

    JobTable* m_table{nullptr};
    EndOfInstant m_end;
    GateKeeper m_gate{m_end};
    PriorityBook m_priorities;
    PathBook m_paths;
    std::vector<std::pair<HostId, ControlMessage>> m_outbox; //!< messages sent after priorities

    std::set<JobId> m_stopping; //!< jobs that have been told to stop (JobRecord::stopping)

    bool m_flushDue{false}; //!< Flush will be called at the end of this instant
    EventId m_tick;
    bool m_runWanted{false};   //!< the next flush has to run the scheduler
    uint32_t m_round{0};       //!< number of the newest round of questions to machines
    std::set<HostId> m_asked;  //!< machines that have not answered the newest round of questions;
                               //!< the scheduler waits for them
    std::set<HostId> m_failed; //!< machines that are known to have failed
    bool m_runAgain{false};    //!< something changed while machines were asked
    uint64_t m_runs{0};
    bool m_traceDue{false}; //!< m_record is to be traced when its messages have been sent
    ScheduleRecord m_record;
    uint64_t m_messagesBefore{0}; //!< messages sent when the last record was traced
    uint64_t m_bytesBefore{0};

    TracedCallback<const ScheduleRecord&> m_schedule; //!< "Schedule"
};

} // namespace ns3::ddl

#endif // DDL_COORDINATOR_H
