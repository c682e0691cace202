// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SITUATION_WATCH_H
#define DDL_SITUATION_WATCH_H

#include "ns3/ddl-coordinator.h"
#include "ns3/ddl-fluid-stream.h"
#include "ns3/ddl-iteration-log.h"
#include "ns3/ddl-job-observer.h"
#include "ns3/ddl-rank-event.h"
#include "ns3/ddl-run-spec.h"
#include "ns3/ddl-training-cluster.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** Sets the pace of fluid streams by job (FluidStream::SetPace), also of those opened later. */
class StreamPacer
{
  public:
    /** \param cluster that has not run yet, and outlives this */
    explicit StreamPacer(Ptr<TrainingCluster> cluster);
    StreamPacer(const StreamPacer&) = delete;
    StreamPacer& operator=(const StreamPacer&) = delete;

    void Set(JobId job, double pace);
    /** Let go of the job's streams: a run of it is over. */
    void Forget(JobId job);
    /** Let go of all streams: the simulation is over. */
    void Clear();

  private:
    void NotifyStream(JobId job, Ptr<SendingStream> stream);

    std::map<JobId, double> m_paces;
    std::map<JobId, std::vector<Ptr<FluidStream>>> m_streams;
};

/** A job in a situation. */
struct SituationJob
{
    JobId job;
    std::shared_ptr<const RunSpec> run;
    std::vector<std::string> strata; //!< see WindowRow: this situation first, then ever wider ones
};

/**
 * Runs that contend with each other, directly or through others, and the order in which the network
 * serves them. Two runs contend if they share a GPU, or a port that packets or acknowledgements of
 * both may leave from.
 */
struct Situation
{
    std::string name;  //!< "1.1 3.2 | 3 1": its runs as JOB.RUN, and the order of jobs; unique
    std::string order; //!< of the jobs, as FixedOrderNetworkScheduler takes it; "" where
                       //!< the scheduler does not keep one between changes
    std::vector<SituationJob> jobs; //!< by number
};

/** From the beginning of a situation to its end. */
struct SituationVisit
{
    std::shared_ptr<const Situation> situation;
    Time begin;
    Time end;
};

/** How fast a job shall be in a situation. */
struct JobPace
{
    double pace{1}; //!< of its streams, at first; see FluidStream::SetPace()
    std::optional<double>
        iteration; //!< wanted length of an iteration on average, seconds; none: not controlled
};

/** An iteration of a job, in time steps. */
struct IterationSpan
{
    int64_t start; //!< first worker
    int64_t end;   //!< last worker
};

/**
 * Keeps the iterations of a job at a wanted length, by the pace of its streams. At the end of each
 * iteration, let b be how many iterations the job is behind, and s the sum of b so far. Then
 * pace = wanted pace x exp(-0.3 b - 0.03 s): a job that is behind sends faster. (A constant pace is
 * not enough: contending jobs fall into step with each other. Where that step changes, a small
 * change of the pace makes a large one of the length.)
 */
class IterationControl
{
  public:
    IterationControl() = default;
    explicit IterationControl(const JobPace& wanted);

    /**
     * \param end of an iteration
     * \return the pace from now on; nothing after the first iteration, or if no length is wanted
     */
    std::optional<double> Follow(Time end);

  private:
    JobPace m_wanted;
    std::optional<double> m_first; //!< end of the first iteration, seconds
    uint64_t m_iterations{0};      //!< since then
    double m_sum{0};               //!< s above
};

/**
 * Observes which situations a run goes through. A situation ends when a run of its jobs begins or
 * ends a stage, is suspended, or when the scheduler changes their order. It costs the work of
 * finding the components at each change, and 16 bytes for each iteration.
 *
 * It can also keep iterations at a wanted length, by situation and job (IterationControl).
 *
 * Create it before the run. It must outlive the cluster, which still reports ends of jobs while it
 * is destroyed.
 */
class SituationWatch
{
  public:
    /** \param strata of a job in a situation */
    using Paces = std::function<JobPace(const std::vector<std::string>& strata)>;

    /**
     * \param cluster that has not run yet
     * \param paces wanted pace and length of iterations; may be empty: streams keep their pace
     */
    SituationWatch(Ptr<TrainingCluster> cluster, Paces paces);
    SituationWatch(const SituationWatch&) = delete;
    SituationWatch& operator=(const SituationWatch&) = delete;

    /** End the visits that go on. Call it once after the run, before the simulator is destroyed. */
    void Finish();

    /** \return the visits of all situations, in the order in which they ended */
    const std::vector<SituationVisit>& GetVisits() const
    {
        return m_visits;
    }

    /** \return iterations of a job, in order; of all its runs */
    const std::vector<IterationSpan>& GetIterations(JobId job) const
    {
        return m_iterations.at(job);
    }

  private:
    struct Watched
    {
        Ptr<Job> job;
        std::shared_ptr<const RunSpec> run;
        std::vector<Ptr<Port>> ports; //!< of that run
        bool isTraining{false};       //!< it is in a stage
        uint64_t order{0};            //!< of the beginnings of stages
        std::string stratum;          //!< its own, of the situation that it is in
        IterationControl control;     //!< there
    };

    using Component = std::vector<JobId>;

    void NotifyGrant(std::shared_ptr<const RunSpec> run);
    void NotifyJobStart(Ptr<Job> job);
    void NotifyRank(const RankEvent& event);
    void NotifyIteration(const IterationRecord& record);
    void NotifyStageEnd(Ptr<const Job> job, uint32_t stage);
    void NotifyStopped(Ptr<const Job> job);
    void NotifySchedule(const ScheduleRecord& schedule);
    void EndTraining(JobId job);
    void NoteChange();
    void Refresh();
    std::vector<Component> FindComponents() const;
    std::shared_ptr<const Situation> FindSituation(const Component& jobs);
    std::string FormatOrder(const Component& jobs, std::map<JobId, uint32_t>& ahead) const;
    void FindPorts(Watched& watched) const;

    Ptr<TrainingCluster> m_cluster;
    Paces m_paces;
    StreamPacer m_pacer;
    bool m_keepsOrder; //!< the scheduler's order stands from one change to the next
    UnitKind m_unit;   //!< of that order
    std::map<std::string, uint32_t> m_places; //!< of units in it, by label
    std::string m_order;                      //!< as last reported
    std::map<JobId, Watched> m_jobs;          //!< that have begun and not ended
    uint64_t m_came{0};
    bool m_isDirty{false};
    bool m_isOver{false};
    std::map<std::string, std::shared_ptr<const Situation>> m_known;
    std::map<std::string, SituationVisit> m_open; //!< that go on, by name
    std::vector<SituationVisit> m_visits;
    std::map<JobId, std::vector<IterationSpan>> m_iterations;
};

} // namespace ns3::ddl

#endif // DDL_SITUATION_WATCH_H
