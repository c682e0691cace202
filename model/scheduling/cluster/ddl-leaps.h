// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LEAPS_H
#define DDL_LEAPS_H

#include "ddl-iteration-series.h"
#include "ddl-job-observer.h"

#include "ns3/ddl-agent.h"
#include "ns3/ddl-fabric.h"
#include "ns3/ddl-iteration-log.h"
#include "ns3/ddl-job.h"
#include "ns3/ddl-leaping-run.h"
#include "ns3/ddl-transport.h"
#include "ns3/event-id.h"
#include "ns3/object.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

class JobManager;

/**
 * Lets jobs leap: a job with which no other contends, and whose iterations repeat, sleeps, and the
 * skipped iterations are counted instead of simulated. doc/leaps.md has the rules and what differs
 * from a run without leaps. It observes the cluster from outside; no other part depends on it.
 * LeapingRun says what a run offers for that.
 *
 * A job is awake until its last iterations were alike (FindCycle) and nobody contended with it.
 * Then it falls asleep: its workers stay at the end of their current iteration. When those of all
 * machines are there, it sleeps, until the end of its stage, the iteration before its next
 * checkpoint, or Guard iterations before a change whose time is known and that may bring a
 * contending job. Anything else that happens to it wakes it at the end of the iteration in which it
 * would be. Its reported progress is at all times that of a job that did not leap.
 *
 * With Memo, a run of a known kind (DescribeKind) falls asleep silently when its stage begins: it
 * computes one iteration and sends nothing. A part that ends wakes the job, so no part that is gone
 * is called; a job that falls asleep silently cannot wake, and forgets its parts (GiveUp).
 *
 * With Error, jobs that contend leap, too. Jobs that are joined by ports or GPUs are a Component.
 * It is watched from the last change that concerned it (Restart), until the mean iteration of each
 * of its jobs is known (IterationSeries) and the ways in which they meet will not change
 * (FindHorizon). Then all its jobs fall asleep, and count iterations of their mean length until the
 * next change. A job that has something to do itself, such as to begin its next stage, wakes alone,
 * does it, and falls asleep again.
 */
class Leaps : public Object, public RunLeap
{
  public:
    /** What it observes; all of it must outlive the run. */
    struct Parts
    {
        Ptr<Fabric> fabric;
        Ptr<Transport> transport;
        std::vector<Ptr<Agent>> agents; //!< one per machine, in host order
        Ptr<JobManager> manager;
        Ptr<JobObserver> observer;
        bool isFair{false};          //!< streams share ports evenly, whatever jobs they belong to
        bool choosesPaths{false};    //!< streams may be moved to other paths
        bool areTasksTimeless{true}; //!< which task a shared GPU does next depends on no progress
    };

    static TypeId GetTypeId();
    Leaps();
    ~Leaps() override;

    /** Call once, before the run, after the observer has begun to watch. */
    void Watch(const Parts& parts);

    void HandleHeld(JobId job) override;
    void Wake(JobId job) override;

    /**
     * Other traffic takes the paths between these hosts from now on: jobs with a port on them do
     * not leap.
     */
    void AddTraffic(HostId from, HostId to);
    /** Call when paths change: all jobs wake. */
    void WakeAll();
    /** Call at the end of the run: count the iterations of leaps that have not ended. */
    void Settle();

    /** \return number of leaps that have ended */
    uint64_t GetLeaps() const
    {
        return m_leaps;
    }

    /** \return iterations skipped in these leaps */
    uint64_t GetIterations() const
    {
        return m_iterations;
    }

    /**
     * \return upper bound of the delay by other jobs, as a fraction of the time of all leaps; see
     *         Shared
     */
    double GetDelayBound() const
    {
        return m_leapt > 0 ? m_delay / m_leapt : 0;
    }

    /**
     * \return half of the 95 % interval around a job's present time, s, if it or a job that it
     * waited for has leapt by its mean; none: it has not
     */
    std::optional<double> GetHalfWidth(JobId job) const;

    /** \return number of leaps by the mean that have ended */
    uint64_t GetMeanLeaps() const
    {
        return m_meanLeaps;
    }

  protected:
    void DoDispose() override;

  private:
    /** What an iteration uses, or counters at one moment. */
    struct Counts
    {
        std::vector<QueueCredit> queues; //!< counters of the queues of its ports, without queue 0
        StreamCounters streams;

        Counts& operator+=(const Counts& other);
    };

    /** Lengths of iterations of runs of one kind, without contention. */
    struct Known
    {
        Time period;        //!< time from the end of one iteration to that of the next
        Time communication; //!< time from the end of the last worker's computing to the end of the
                            //!< iteration
    };

    /** Bytes that an iteration sends from a port, and the streams that send them. */
    struct Usage
    {
        double bytes{0};
        std::vector<const JobPlan::Channel*> channels; //!< the streams, as channels of the plan
    };

    /** Jobs that run and are joined by ports or GPUs, directly or by others. */
    struct Component
    {
        std::map<JobId, IterationSeries> series; //!< its jobs, and their iterations since then:
        Time since;                              //!< the last change that concerned it
        Time settled;                            //!< iterations that begin later count
        Time watched;                            //!< time awake since then, until it slept last
        Time awakeSince;
        double gain{0};       //!< longest leap, in times watched
        uint32_t samples{0};  //!< how often it fell asleep since then
        bool isAsleep{false}; //!< its jobs count iterations of their mean length
        Time asleepSince;
        EventId wake;                 //!< when it has to be watched again
        std::vector<Ptr<Port>> ports; //!< where packets travel: all ports of its jobs
        Counts before;                //!< their counters when it woke last
        Counts seen;                  //!< what they counted while it was awake
    };

    /** How long a component may sleep. */
    struct Outlook
    {
        std::string reason;  //!< why it may not; "": it may
        double length{0};    //!< for how long, s, if nothing else happens
        bool isMixed{false}; //!< what was seen stands for all ways in which its jobs meet
    };

    enum class State
    {
        AWAKE,
        FALLING, //!< its workers stop at the end of their current iteration
        ASLEEP
    };

    struct Sleeper
    {
        Ptr<Job> job;
        std::shared_ptr<const RunSpec> run;
        std::vector<Ptr<Port>> ports; //!< ports on its paths, and those that share their buffers
        std::map<const Port*, Usage> usage; //!< its use of the ports that it sends from
        std::set<HostId> moving;    //!< machines that move its state to the storage, or from there
        std::string kind;           //!< kind of its run; "": nothing can be known of it
        std::optional<Known> known; //!< what is known of that kind
        uint32_t stage{0};          //!< the stage that has begun in the present run
        Time settled;               //!< the jobs that contend with it have not changed since then
        Time shortest;              //!< its shortest simulated iteration in this run
        std::deque<IterationRecord> last; //!< its last iterations without contention
        std::size_t least{1};             //!< the shortest cycle that may repeat
        double delay{0}; //!< part of the time of its leap by which others delay it, at most
        State state{State::AWAKE};
        std::size_t cycle{0};           //!< iterations after which they repeat
        uint64_t iteration{0};          //!< the iteration to sleep in, from 0
        std::vector<LeapingRun*> parts; //!< parts of its run that sleep; none when it is awake
        uint32_t asleep{0};             //!< machines that sleep
        bool isSilent{false}; //!< whether it sends nothing in the iteration where it falls asleep
        bool mustWake{false}; //!< whether it wakes as soon as it is asleep
        Time first;           //!< the time at which the first machine's workers were held
        Repetition ahead;     //!< iterations that it skips if nothing happens
        EventId wake;
        Counts before; //!< counters at the end of the iteration before
        Counts each;   //!< what one iteration uses

        std::shared_ptr<Component> component; //!< none while it does not run, and without Error
        uint64_t stageBegin{0};               //!< iterations done before the present stage
        uint64_t done{0};                     //!< iterations done at lastEnd
        Time lastEnd;          //!< end of its last simulated iteration, or beginning of its stage
        bool isRevoked{false}; //!< whether it has to give back the GPUs of its present run
        bool isByMean{false};  //!< whether its iterations have their mean length in this leap
        double spent{0};       //!< variance of its time, by its leaps by the mean, s^2
        double variance{0};    //!< the same, with those of ends that it waited for or felt, s^2
        double ofMean{0};      //!< error of the mean in all leaps of this situation, s
        double ofWays{0};      //!< error of how its jobs meet in this situation, s
        double lastMean{0};    //!< mean iteration when its component slept last, s
        double unsure{0};      //!< variance of times of changes since then, s^2
    };

    void NotifyArrival(const CojobSpec& cojob);
    void NotifyRevocation(const RevocationRecord& revocation);
    void NotifyGrant(std::shared_ptr<const RunSpec> run);
    void NotifyJobStart(Ptr<Job> job);
    void NotifyRunEnd(const JobRunRecord& run);
    static void GiveUp(Sleeper& sleeper);
    void NotifyRank(const RankEvent& event);
    void NotifyIteration(const IterationRecord& record);
    void NoteStage(Sleeper& sleeper);
    void NoteState(Sleeper& sleeper, HostId machine, bool isMoving);
    static void Unsettle(Sleeper& sleeper);
    std::set<JobId> ListNear(const Sleeper& sleeper) const;
    static std::vector<Ptr<Port>> AddSharing(std::vector<Ptr<Port>> ports);
    void SetPorts(Sleeper& sleeper);
    void RemoveTraffic(HostId from, HostId to);
    void Disturb(HostId from, HostId to);
    void FindDisturbed();
    void ClearPorts(Sleeper& sleeper);
    bool IsAlone(const Sleeper& sleeper) const;
    static double GetLoad(const Sleeper& sleeper, const Port* port);
    double GetDelay(const Sleeper& sleeper) const;
    static bool IsPlainRing(const Sleeper& sleeper);
    std::string DescribeKind(const Sleeper& sleeper) const;
    std::string DescribeRanks(const Sleeper& sleeper) const;
    void Learn(Sleeper& sleeper);
    std::size_t FindCycle(const Sleeper& sleeper) const;
    std::size_t GetLongestCycle() const;
    static Time GetMeanLength(const Sleeper& sleeper, std::size_t iterations);
    bool AreAlike(Time a, Time b, Time length) const;
    uint64_t CountAhead(const Sleeper& sleeper) const;
    bool IsWorthIt(const Sleeper& sleeper, Time period) const;
    bool IsInLastStage(const Sleeper& sleeper) const;
    uint64_t CountUntil(const Sleeper& sleeper, Time change) const;
    Time GetEnd(const Sleeper& sleeper) const;
    void LimitToChanges(Sleeper& sleeper);
    void Plan(Sleeper& sleeper);
    void NoteNearEnd(const Sleeper& sleeper, Time length);
    void FallAsleep(Sleeper& sleeper, std::optional<Time> silent);
    Time FindPeriod(Sleeper& sleeper) const;
    void End(Sleeper& sleeper, uint64_t skipped);
    Counts Count(const std::vector<Ptr<Port>>& ports, const std::vector<JobId>& jobs) const;
    Counts CountSince(const Counts& before,
                      const std::vector<Ptr<Port>>& ports,
                      const std::vector<JobId>& jobs) const;
    void Credit(const std::vector<Ptr<Port>>& ports, const Counts& each, uint64_t times);

    void NoteForCycle(Sleeper& sleeper, const IterationRecord& record);
    void NotifyRemark(const RemarkRecord& remark);
    void Join(Sleeper& sleeper);
    void JoinAll();
    void Split(Component& component);
    void CreditPorts(const Component& component);
    void WakeUp(Component& component);
    void Resume(Component& component);
    void Restart(Component& component);
    void RestartAt(const std::set<JobId>& jobs);
    void NoteForMean(Sleeper& sleeper, const IterationRecord& record);
    static double GetTimeLeft(const Sleeper& sleeper, const IterationSeries& series);
    bool IsKnown(const Sleeper& sleeper, const IterationSeries& series, double length) const;
    Outlook ForeseePhases(const Component& component, double longest) const;
    Outlook Foresee(const Component& component) const;
    bool MayLeapByMean(const Sleeper& sleeper) const;
    void Sleep(Component& component, const Outlook& outlook);
    void FallAsleepByMean(Sleeper& sleeper);
    void PlanByMean(Sleeper& sleeper);
    static void NoteChangeError(Sleeper& sleeper, double mean);
    static void NoteError(Sleeper& sleeper, double skipped);
    static void Spend(Sleeper& sleeper, double variance);
    static double GetVariance(const Sleeper& sleeper);
    static std::vector<JobId> ListJobs(const Component& component);

    double m_tolerance{0};
    double m_error{0};
    double m_shared{0};
    uint32_t m_guard{2};
    bool m_hasMemo{false};
    bool m_isUniform{true};              //!< whether no link has changed
    std::map<std::string, Known> m_memo; //!< lengths of iterations by kind of run
    Parts m_parts;
    std::map<JobId, Sleeper> m_jobs; //!< jobs that have been granted GPUs and have not ended
    std::map<const Port*, std::set<JobId>> m_users;    //!< jobs whose packets may leave from a port
    std::multiset<std::pair<HostId, HostId>> m_others; //!< paths of other traffic
    std::set<const Port*> m_disturbed;                 //!< ports that other traffic may leave from
    std::map<GpuId, std::set<JobId>> m_holders;
    Time m_longest;                      //!< the longest period of a sleeper so far
    std::map<JobId, double> m_variances; //!< of jobs that have left, s^2
    std::map<CojobId, Time> m_arrivals;
    double m_lastVariance{0}; //!< of the job whose run ended last, s^2
    Time m_lastEnd;           //!< the end of that run
    uint64_t m_leaps{0};
    uint64_t m_meanLeaps{0};
    uint64_t m_iterations{0};
    double m_leapt{0}; //!< seconds that all jobs have leapt
    double m_delay{0}; //!< seconds of these in which others may have delayed them, at most
};

} // namespace ns3::ddl

#endif // DDL_LEAPS_H
