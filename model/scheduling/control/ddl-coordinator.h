// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COORDINATOR_H
#define DDL_COORDINATOR_H

#include "ddl-control-plane.h"
#include "ddl-end-of-instant.h"
#include "ddl-gate-keeper.h"
#include "ddl-live-cojobs.h"
#include "ddl-priority-book.h"

#include "ns3/data-rate.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/event-id.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** What one run of the network scheduler decided, and the control messages since the run before. */
struct ScheduleRecord
{
    Time time;
    uint32_t units{0}; //!< that were ordered
    std::string
        order; //!< names as GetUnitLabel gives them, first one first; equal ones joined by '='
    std::optional<double> sctOverBound; //!< as RateOrder says; none where it says nothing
    uint64_t messages{0};     //!< control messages since the record before, both directions
    uint64_t controlBytes{0}; //!< their bytes
};

/**
 * The central part of network scheduling, on one machine (Grouper Fig. 6): it knows which stages
 * run, asks the network scheduler for an order, and tells each machine the local priorities that
 * follow from it.
 *
 * A scheduler with trigger CHANGE runs at the instant of a change, once for all changes of that
 * instant. (With the zero-delay control plane a run can itself cause changes at the same instant;
 * these lead to another run.) A scheduler with trigger PERIOD runs when the first unit appears and
 * then every Period. If loads must be current, machines are asked first, and the run waits for the
 * last answer. Units that arrived since the last run are appended in arrival order.
 *
 * Local priorities follow at once whenever a stage or a job comes or goes, also between two runs:
 * when the first stage ends, the others move up. Only changes are sent. Priorities beyond
 * LastPriority are sent as LastPriority, so that a unit that moves up behind the last queue causes
 * no message. A machine receives its priorities before the message that starts the stage for which
 * they hold.
 */
class Coordinator : public Object
{
  public:
    /** Whom to tell what the machines report. */
    struct Handlers
    {
        std::function<void(JobId)> launched;            //!< all machines have launched its run
        std::function<void(JobId, uint32_t)> stageDone; //!< by its leader: it has done that stage
        /** By its leader: it has paused after PauseJobs, so many iterations done in all. */
        std::function<void(JobId, uint64_t)> paused;
        /** By its leader: a checkpoint of that run has been made, after so many iterations. */
        std::function<void(JobId, uint32_t, uint64_t)> saved;
        /** All machines have stopped, or failed: its GPUs are free, so many iterations done in all
         * (none: a machine has failed before it said), and what its workers draw from. */
        std::function<void(JobId, std::optional<uint64_t>, const WorkerNoise&)> stopped;
        /** These machines have failed: the runs with a rank there are to be ended. */
        std::function<void(const std::set<HostId>&)> failed;
        std::function<void(HostId)> returned; //!< a machine that had failed is back
        std::function<void()> settled;        //!< and the runs that it had lost are over
        /** By its machine: that task of that round, from 0, has ended, and the GPU is free. */
        std::function<void(JobId, GpuId, uint64_t)> taskEnded{};
        /** By the machine of its server: so many rounds are done. */
        std::function<void(JobId, uint64_t)> roundEnded{};
    };

    static TypeId GetTypeId();

    /**
     * Once, before the run.
     *
     * \param scheduler that gives the order
     * \param plane to the agents, installed
     * \param rates of the machines' NICs, by HostId
     */
    void Install(Ptr<NetworkScheduler> scheduler,
                 Ptr<ControlPlane> plane,
                 const std::vector<DataRate>& rates);

    void SetHandlers(const Handlers& handlers);

    /** \return who answers the leaders that ask before they communicate; to be installed */
    GateKeeper& GetGateKeeper()
    {
        return m_gate;
    }

    /**
     * A job has got GPUs: tells the machines of that run to launch it.
     *
     * \param noise of the workers that have drawn before
     */
    void LaunchRun(std::shared_ptr<const RunSpec> run, const WorkerNoise& noise);
    /** All jobs of a cojob that have GPUs have been launched; follow with StartStage. */
    void AddCojob(const LiveCojob& cojob);
    /** Tells the machines of all its live jobs to run that stage now, or what they have left of it.
     */
    void StartStage(CojobId cojob, uint32_t stage);
    /**
     * These live jobs of the cojob finish the iterations that they have begun, and begin no more.
     * The coordinator asks their machines how far they are; from all answers it knows where the job
     * has to stop, and tells them. When the leader says that the job has stopped there, the
     * coordinator tells the handler.
     */
    void PauseJobs(CojobId cojob, const std::vector<JobId>& jobs);
    /** Tells the machines of these live jobs to end their present runs now. With the last one the
     * cojob is absent. \param areDone they save their results before (RunSpec::finish) */
    void StopJobs(CojobId cojob, const std::vector<JobId>& jobs, bool areDone = false);

    /** Likewise runs of jobs that have not been added, since they are being launched. */
    void AbandonRuns(const std::vector<std::shared_ptr<const RunSpec>>& runs);
    /** These machines are silent, so they have failed: nothing is expected of them until they ask
     * to be let in again. No effect on those that are known to have. */
    void NoteFailed(const std::vector<HostId>& machines);

    /** Tells the machine of a GPU to run a task of a live job's present round, from 0, on it. */
    void RunTask(JobId job, GpuId gpu, uint64_t round);
    /** \param function called at the end of this instant, before the coordinator tells machines
     * anything */
    void AtEndOfInstant(std::function<void()> function);

    /** \return whether leaders have to report the start and end of each coflow */
    bool OrdersCoflows() const;

    /** \return true from AddCojob until StopJobs */
    bool IsLive(JobId job) const
    {
        return m_live.IsLive(job);
    }

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
    void HandleReport(HostId machine, const ProgressReport& message);
    void HandleReport(HostId machine, const BytesReport& message);
    void NoteAnswer(HostId machine, uint32_t round);
    void EndRound();
    void Stop(JobId job, uint32_t run, const std::vector<HostId>& machines, bool isDone);
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
    Handlers m_handlers;

    LiveCojobs m_live;
    EndOfInstant m_end;
    GateKeeper m_gate{m_end};
    PriorityBook m_priorities;
    std::vector<std::pair<HostId, ControlMessage>> m_outbox; //!< to go out behind the priorities

    /** A job that has been asked to pause. */
    struct Pausing
    {
        uint32_t run{1};
        std::vector<HostId> machines;
        std::size_t unanswered{0};
        uint64_t begun{0}; //!< iterations that its foremost worker has begun, as far as known
    };

    /** A run that the coordinator has told its machines to stop. */
    struct Stopping
    {
        uint32_t run{1};
        std::set<HostId> unanswered{};
        bool hasFailed{false};                                     //!< a machine of it
        uint64_t iterations{std::numeric_limits<uint64_t>::max()}; //!< done by all machines so far
        WorkerNoise noise{};
    };

    /** A run that the coordinator has told its machines to launch. */
    struct Launching
    {
        uint32_t run{1};
        std::size_t unanswered{0};
    };

    std::map<JobId, Launching> m_launching;
    std::map<JobId, Pausing> m_pausing;
    std::map<JobId, Stopping> m_stopping;

    bool m_flushDue{false}; //!< Flush will be called at the end of this instant
    EventId m_tick;
    bool m_runWanted{false};   //!< the next flush has to run the scheduler
    uint32_t m_round{0};       //!< number of the newest round of questions to machines
    std::set<HostId> m_asked;  //!< of that round, not answered; the run waits until there are none
    std::set<HostId> m_failed; //!< machines of which that is known
    bool m_runAgain{false};    //!< something changed meanwhile
    uint64_t m_runs{0};
    bool m_traceDue{false}; //!< m_record is to be traced when its messages have been sent
    ScheduleRecord m_record;
    uint64_t m_messagesBefore{0}; //!< at the record before
    uint64_t m_bytesBefore{0};

    TracedCallback<const ScheduleRecord&> m_schedule; //!< "Schedule"
};

} // namespace ns3::ddl

#endif // DDL_COORDINATOR_H
