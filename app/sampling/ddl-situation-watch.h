// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SITUATION_WATCH_H
#define DDL_SITUATION_WATCH_H

#include "ddl-pace-control.h"

#include "ns3/ddl-coordinator.h"
#include "ns3/ddl-iteration-log.h"
#include "ns3/ddl-job-observer.h"
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

/** A job in a situation. */
struct SituationJob
{
    JobId job;
    std::shared_ptr<const RunSpec> run;
    std::vector<std::string> strata; //!< strata, narrowest first: this situation, then wider
};

/**
 * Runs that contend with each other, directly or through others, and the order in which the network
 * serves them. Two runs contend if they share a GPU, or a port that packets or acknowledgements of
 * both may leave from.
 */
struct Situation
{
    std::string name;  //!< "1.1 3.2 | 3 1": its runs as JOB.RUN, and the order of jobs; unique
    std::string order; //!< order of the jobs, as FixedOrderNetworkScheduler takes it; ""
                       //!< if the scheduler keeps no order between changes
    std::vector<SituationJob> jobs; //!< jobs by number
};

/** A period of a situation, from its beginning to its end. */
struct SituationVisit
{
    std::shared_ptr<const Situation> situation;
    Time begin;
    Time end;
};

/** An iteration of a job, in time steps. */
struct IterationSpan
{
    int64_t start; //!< begin at the first worker
    int64_t end;   //!< end at the last worker
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
    /** Gives the wanted pace of a job. \param strata its strata in a situation, narrowest first */
    using Paces = std::function<JobPace(const std::vector<std::string>& strata)>;

    /**
     * \param cluster cluster that has not run yet
     * \param paces gives pace and length of iterations; may be empty: streams keep their pace
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

    /** \return iterations of all runs of a job, in order */
    const std::vector<IterationSpan>& GetIterations(JobId job) const
    {
        return m_iterations.at(job);
    }

  private:
    struct Watched
    {
        Ptr<Job> job;
        std::shared_ptr<const RunSpec> run;
        std::vector<Ptr<Port>> ports; //!< ports that packets of the run may leave from
        bool isTraining{false};       //!< the job is in a stage
        uint64_t order{0};            //!< rank of the stage's beginning among all
        std::string stratum;          //!< narrowest stratum in the present situation
        IterationControl control;     //!< control of iterations in the present situation
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
    bool m_keepsOrder; //!< the scheduler keeps its order from one change to the next
    UnitKind m_unit;   //!< kind of the units that the scheduler orders
    std::map<std::string, uint32_t> m_places; //!< place of each unit in the order, by label
    std::string m_order;                      //!< order as last reported
    std::map<JobId, Watched> m_jobs;          //!< jobs that have begun and not ended
    uint64_t m_came{0};
    bool m_isDirty{false};
    bool m_isOver{false};
    std::map<std::string, std::shared_ptr<const Situation>> m_known;
    std::map<std::string, SituationVisit> m_open; //!< visits that go on, by name of the situation
    std::vector<SituationVisit> m_visits;
    std::map<JobId, std::vector<IterationSpan>> m_iterations;
};

} // namespace ns3::ddl

#endif // DDL_SITUATION_WATCH_H
