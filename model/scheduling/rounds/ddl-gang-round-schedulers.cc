// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-round-scheduler.h"

#include "ns3/attribute-container.h"
#include "ns3/boolean.h"
#include "ns3/ddl-list-accessor.h"
#include "ns3/ddl-policy-source.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace ns3::ddl
{

namespace
{

/** \return whether a task of the job's present round has been assigned */
bool
IsInRound(const RoundJob& job)
{
    return job.open < job.tasks;
}

void
Hold(const std::vector<uint32_t>& gpus, std::vector<bool>& isHeld)
{
    for (const uint32_t gpu : gpus)
    {
        isHeld[gpu] = true;
    }
}

/** \return numbers of idle GPUs that no job holds, ascending */
std::vector<uint32_t>
ListIdle(const RoundView& view, const std::vector<bool>& isHeld)
{
    std::vector<uint32_t> idle;
    for (uint32_t gpu = 0; gpu < view.gpus.size(); ++gpu)
    {
        if (view.gpus[gpu].idle && !isHeld[gpu])
        {
            idle.push_back(gpu);
        }
    }
    return idle;
}

} // namespace

/**
 * Base of gang policies: all tasks of a round run at once, each on a GPU of its own, and a job
 * keeps its GPUs from round to round (scale-fixed synchronisation, Hare §II-B). The baselines with
 * which Hare is compared derive from it.
 *
 * Jobs are taken in the policy's order, as long as the cluster has GPUs for all of them together. A
 * taken job without GPUs waits until enough GPUs are idle that no other taken job holds. Under a
 * preemptive policy, jobs that are not taken begin no further round, and the GPUs that they leave
 * at the ends of their rounds are kept for taken jobs; otherwise jobs that have GPUs are taken
 * first.
 */
class GangRoundScheduler : public RoundScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::GangRoundScheduler").SetParent<RoundScheduler>().SetGroupName("Ddl");
        return tid;
    }

    bool IsGang() const override
    {
        return true;
    }

    bool NeedsAllAtOnce() const override
    {
        return true;
    }

  private:
    std::vector<RoundAssignment> DoAssign(const RoundView& view) override;
    static std::vector<RoundAssignment> GoOn(const RoundView& view);
    std::vector<const RoundJob*> TakeJobs(const RoundView& view);

    /** \return the sort key of a job: the least is first, of equals by arrival and id */
    virtual double GetKey(const RoundView& view, const RoundJob& job) const = 0;

    /** \return whether later jobs wait while there are not enough GPUs for one (head-of-line
     * blocking) */
    virtual bool BlocksAtHead() const
    {
        return false;
    }

    virtual bool IsPreemptive() const
    {
        return false;
    }

    /**
     * \param view the GPUs and jobs
     * \param job the job that gets GPUs
     * \param idle numbers of GPUs that the job may have, ascending, at least as many as its tasks
     * \return as many of them as it has tasks; fewer: it waits. By default the first ones
     */
    virtual std::vector<uint32_t> PickGpus(const RoundView& /* view */,
                                           const RoundJob& job,
                                           const std::vector<uint32_t>& idle) const
    {
        return {idle.begin(), idle.begin() + job.tasks};
    }
};

NS_OBJECT_ENSURE_REGISTERED(GangRoundScheduler);

std::vector<RoundAssignment>
GangRoundScheduler::DoAssign(const RoundView& view)
{
    if (!IsPreemptive() && view.changed < view.now)
    {
        return GoOn(view); // no GPU has become free for waiting jobs
    }
    const std::vector<const RoundJob*> taken = TakeJobs(view);
    std::vector<bool> isHeld(view.gpus.size(), false);
    for (const RoundJob* job : taken)
    {
        Hold(job->gpus, isHeld);
    }
    for (const RoundJob& job : view.jobs)
    {
        if (IsInRound(job))
        {
            Hold(job.gpus, isHeld); // until the round ends, also those whose task has ended
        }
    }
    std::vector<RoundAssignment> answer;
    for (const RoundJob* job : taken)
    {
        if (IsInRound(*job))
        {
            continue;
        }
        std::vector<uint32_t> picked = job->gpus;
        if (picked.empty())
        {
            const std::vector<uint32_t> idle = ListIdle(view, isHeld);
            picked = idle.size() < job->tasks ? picked : PickGpus(view, *job, idle);
            if (picked.size() < job->tasks)
            {
                if (BlocksAtHead())
                {
                    break; // later jobs that wait for GPUs have to wait for this one
                }
                continue;
            }
            Hold(picked, isHeld);
        }
        answer.push_back({job->id, picked});
    }
    return answer;
}

/** \return assignments of the next rounds of jobs that have GPUs */
std::vector<RoundAssignment>
GangRoundScheduler::GoOn(const RoundView& view)
{
    std::vector<RoundAssignment> answer;
    for (const RoundJob& job : view.jobs)
    {
        if (!IsInRound(job) && !job.gpus.empty())
        {
            answer.push_back({job.id, job.gpus});
        }
    }
    return answer;
}

/** \return the taken jobs, in their order; jobs that cannot lose their GPUs first */
std::vector<const RoundJob*>
GangRoundScheduler::TakeJobs(const RoundView& view)
{
    std::vector<std::tuple<bool, double, Time, JobId, const RoundJob*>> order;
    for (const RoundJob& job : view.jobs)
    {
        const bool keeps = !IsPreemptive() && !job.gpus.empty();
        order.emplace_back(!keeps, GetKey(view, job), job.arrival, job.id, &job);
    }
    std::sort(order.begin(), order.end());
    std::vector<const RoundJob*> taken;
    std::size_t free = view.gpus.size();
    for (const auto& entry : order)
    {
        const RoundJob* job = std::get<const RoundJob*>(entry);
        if (job->tasks <= free)
        {
            taken.push_back(job);
            free -= job->tasks;
        }
        else if (BlocksAtHead())
        {
            break;
        }
    }
    return taken;
}

/** `fifo`: gangs in FIFO order; the first that does not fit blocks the later ones. */
class FifoRoundScheduler : public GangRoundScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::FifoRoundScheduler")
                                .SetParent<GangRoundScheduler>()
                                .SetGroupName("Ddl")
                                .AddConstructor<FifoRoundScheduler>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "gangs, first come, first served; the first in the queue holds up the others";
    }

  private:
    double GetKey(const RoundView& /* view */, const RoundJob& /* job */) const override
    {
        return 0; // jobs are ordered by arrival
    }

    bool BlocksAtHead() const override
    {
        return true;
    }
};

NS_OBJECT_ENSURE_REGISTERED(FifoRoundScheduler);
DDL_POLICY_SOURCE(FifoRoundScheduler, "", 0, "nothing");

/** `gavel-fifo`: `fifo` that gives a job the GPUs that are fastest for it (Gavel, OSDI 2020). */
class GavelFifoRoundScheduler : public FifoRoundScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::GavelFifoRoundScheduler")
                .SetParent<FifoRoundScheduler>()
                .SetGroupName("Ddl")
                .AddConstructor<GavelFifoRoundScheduler>()
                .AddAttribute("OneType",
                              "whether a job's GPUs are of one type, as in Gavel, unless no type "
                              "has enough; false: they are the fastest idle ones",
                              BooleanValue(false),
                              MakeBooleanAccessor(&GavelFifoRoundScheduler::m_isOneType),
                              MakeBooleanChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "gangs, first come, first served, on the fastest idle GPUs (Gavel's FIFO)";
    }

  private:
    std::vector<uint32_t> PickGpus(const RoundView& view,
                                   const RoundJob& job,
                                   const std::vector<uint32_t>& idle) const override
    {
        std::map<uint32_t, uint32_t> count;
        for (const RoundGpu& gpu : view.gpus)
        {
            ++count[gpu.type];
        }
        const bool fitsOneType =
            std::any_of(count.begin(), count.end(), [&job](const auto& ofType) {
                return ofType.second >= job.tasks;
            });
        std::map<uint32_t, uint32_t> idleOf;
        for (const uint32_t gpu : idle)
        {
            ++idleOf[view.gpus[gpu].type];
        }
        std::vector<uint32_t> may;
        for (const uint32_t gpu : idle)
        {
            if (!m_isOneType || !fitsOneType || idleOf[view.gpus[gpu].type] >= job.tasks)
            {
                may.push_back(gpu);
            }
        }
        // By type, too, so that a job gets one of several types that are equally fast.
        std::stable_sort(may.begin(), may.end(), [&](uint32_t a, uint32_t b) {
            const uint32_t typeOfA = view.gpus[a].type;
            const uint32_t typeOfB = view.gpus[b].type;
            return std::make_pair(job.taskTime[typeOfA], m_isOneType ? typeOfA : 0) <
                   std::make_pair(job.taskTime[typeOfB], m_isOneType ? typeOfB : 0);
        });
        may.resize(std::min<std::size_t>(may.size(), job.tasks));
        return may;
    }

    bool m_isOneType{false};
};

NS_OBJECT_ENSURE_REGISTERED(GavelFifoRoundScheduler);
DDL_POLICY_SOURCE(GavelFifoRoundScheduler, "Gavel, OSDI", 2020, "speeds of GPUs");

/** `srtf`: the gang with the least remaining time, rounds x mean time of a round, first
 * (clairvoyant). */
class SrtfRoundScheduler : public GangRoundScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::SrtfRoundScheduler")
                .SetParent<GangRoundScheduler>()
                .SetGroupName("Ddl")
                .AddConstructor<SrtfRoundScheduler>()
                .AddAttribute("Preemptive",
                              "whether a job with less left preempts others at the end of their "
                              "round",
                              BooleanValue(false),
                              MakeBooleanAccessor(&SrtfRoundScheduler::m_isPreemptive),
                              MakeBooleanChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "gangs, least remaining rounds x mean round time first (clairvoyant)";
    }

    bool IsClairvoyant() const override
    {
        return true;
    }

  private:
    double GetKey(const RoundView& /* view */, const RoundJob& job) const override
    {
        return static_cast<double>(job.rounds - job.done) * job.roundTime.seconds;
    }

    bool IsPreemptive() const override
    {
        return m_isPreemptive;
    }

    bool m_isPreemptive{false};
};

NS_OBJECT_ENSURE_REGISTERED(SrtfRoundScheduler);
DDL_POLICY_SOURCE(SrtfRoundScheduler, "Hare, TCC", 2024, "remaining rounds");

/**
 * `sched-homo`: the gang with the least work over weight first, as if all GPUs were alike
 * (Sched_Homo in Hare, §VI-A, after Zhang et al., Mobihoc 2020; our reading). A job keeps its GPUs
 * until it ends.
 */
class SchedHomoRoundScheduler : public GangRoundScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::SchedHomoRoundScheduler")
                .SetParent<GangRoundScheduler>()
                .SetGroupName("Ddl")
                .AddConstructor<SchedHomoRoundScheduler>()
                .AddAttribute("UnitSize",
                              "whether all jobs count as having one round left, as if sizes were "
                              "unknown (Hare §VI-D)",
                              BooleanValue(false),
                              MakeBooleanAccessor(&SchedHomoRoundScheduler::m_isUnitSize),
                              MakeBooleanChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "gangs, least work over weight at mean speed first (Sched_Homo; clairvoyant)";
    }

    bool IsClairvoyant() const override
    {
        return true;
    }

  private:
    double GetKey(const RoundView& /* view */, const RoundJob& job) const override
    {
        // The groups are single GPUs: the mean round time is that of the tasks at mean speed.
        const double rounds = m_isUnitSize ? 1 : static_cast<double>(job.rounds - job.done);
        return rounds * job.roundTime.seconds / job.weight;
    }

    bool m_isUnitSize{false};
};

NS_OBJECT_ENSURE_REGISTERED(SchedHomoRoundScheduler);
DDL_POLICY_SOURCE(SchedHomoRoundScheduler, "Hare, TCC", 2024, "remaining rounds");

/**
 * `2d-las`: the gang with the least attained service, GPUs x time, first, in queues; takes GPUs at
 * the end of rounds (Tiresias, NSDI 2019, §3.2; 2D-LAS in Hare, §VI-D).
 */
class TwoDimensionalLasRoundScheduler : public GangRoundScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::2dLasRoundScheduler")
                .SetParent<GangRoundScheduler>()
                .SetGroupName("Ddl")
                .AddConstructor<TwoDimensionalLasRoundScheduler>()
                .AddAttribute(
                    "Thresholds",
                    "GPU time at which a job falls into the next queue, ascending "
                    "(the default is that of Tiresias' simulator); scaled by m x i",
                    AttributeContainerValue<TimeValue>(
                        std::vector<Time>{Seconds(3250), Seconds(7200)}),
                    MakeListAccessor<TimeValue>(&TwoDimensionalLasRoundScheduler::m_thresholds),
                    MakeAttributeContainerChecker<TimeValue>(MakeTimeChecker(Time(0))));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "gangs, least attained service (GPUs x time) first, in queues, preemptive "
               "(Tiresias)";
    }

  private:
    double GetKey(const RoundView& /* view */, const RoundJob& job) const override
    {
        return static_cast<double>(
            std::upper_bound(m_thresholds.begin(), m_thresholds.end(), job.attained) -
            m_thresholds.begin());
    }

    bool IsPreemptive() const override
    {
        return true;
    }

    std::vector<Time> m_thresholds;
};

NS_OBJECT_ENSURE_REGISTERED(TwoDimensionalLasRoundScheduler);
DDL_POLICY_SOURCE(TwoDimensionalLasRoundScheduler, "Tiresias, NSDI", 2019, "nothing");

} // namespace ns3::ddl
