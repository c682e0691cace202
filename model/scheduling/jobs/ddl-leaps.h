// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LEAPS_H
#define DDL_LEAPS_H

#include "ddl-job-observer.h"

#include "ns3/ddl-agent.h"
#include "ns3/ddl-fabric.h"
#include "ns3/ddl-iteration-log.h"
#include "ns3/ddl-job.h"
#include "ns3/ddl-run-leap.h"
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

/** What passed a queue of a port in leaps: what its own counters do not have. */
struct LeaptTraffic
{
    uint64_t packets{0};
    uint64_t bytes{0};
    uint64_t marked{0};
    Time busy;

    LeaptTraffic& operator+=(const LeaptTraffic& other);
};

/**
 * Lets jobs leap over iterations that repeat. It stands outside the cluster, knows all of it, and
 * only spares the simulation what would come out as before.
 *
 * A job leaps when
 *  - nobody contends with it: no other job has a run whose packets may leave from a port that its
 *    own may leave from, by any of the paths that are equal, or from one that shares a switch's
 *    buffer with it, or holds one of its GPUs; no state of a job is on its way there, to the
 *    storage or back. With Shared, other jobs may share its ports as long as they can delay it by
 *    no more than that part of its time;
 *  - it asks nobody: no gate, no order of coflows, no random factors;
 *  - its last three iterations, begun since nobody contends, were alike within Tolerance: their
 *    lengths, and in each of them the times at which the first worker could send and the last one
 *    had computed;
 *  - an iteration's bytes have arrived before the next one's are sent.
 *
 * Memo is for runs of weeks on transports without packets, which know the way of each stream and
 * what it sends. What was learnt of a run is known of all later ones of equal work and shape, on
 * GPUs of the same types: of rings with as many neighbours in each tier, and of ranks that are
 * placed in the same way relative to each other. These leap from their beginning, computing one
 * iteration and sending nothing, if they have no parameter servers and no link has changed.
 * Besides, a port counts only if a stream leaves from it; iterations may overlap, as their workers
 * come to rest each at its time; and they may repeat in cycles of up to 32, to Tolerance of the
 * cycle's length, which are leapt over at their mean length.
 *
 * Then its workers sleep at the end of an iteration, where nothing of the job is in the network,
 * until the end of its stage or of the iteration before its next checkpoint. It wakes earlier, two
 * iterations before a change that may bring somebody who shares a port or a GPU with it and whose
 * time is known: the next arrival or offer, and the end of a job while others wait. When something
 * happens to it that was not known (it is told to pause, or to stop, a server fails, a link falls,
 * somebody comes), it wakes at once, at the end of the iteration that it would be in. Between,
 * whoever asks how far the job is hears how far it would be. Iterations, bytes, GPU time and what
 * passed the ports are accounted for as if they had been simulated.
 *
 * Guard is the number of iterations before such a change; with 0 a job sleeps until somebody comes.
 *
 * What differs from a run without leaps: lengths of iterations by up to Tolerance, and by what
 * Shared lets pass; what a run's first iterations differ from later ones, with Memo; the traffic of
 * the one iteration in which a job wakes early, as others see it; what a transport remembers of
 * congestion, which does not age in the sleep; and drops and largest backlogs, which are not
 * multiplied.
 */
class Leaps : public Object, public RunLeap
{
  public:
    /** What it watches; all of it outlives the run. */
    struct Parts
    {
        Ptr<Fabric> fabric;
        Ptr<Transport> transport;
        std::vector<Ptr<Agent>> agents;
        Ptr<JobManager> manager;
        Ptr<JobObserver> observer;
        bool isFair{false}; //!< streams share ports evenly, whatever jobs they belong to
    };

    static TypeId GetTypeId();
    Leaps();
    ~Leaps() override;

    /** Once, before the run, when the observer watches. */
    void Watch(const Parts& parts);

    void HandleStage(JobId job) override;
    void HandleIteration(const IterationRecord& record, bool isInStep) override;
    void HandleAsleep(JobId job) override;
    void Wake(JobId job) override;
    void HandleState(JobId job, HostId machine, bool isMoving) override;
    uint64_t CountPassed(JobId job) const override;

    /** Other traffic goes that way from now on: a job with a port on it does not leap. */
    void AddTraffic(HostId from, HostId to);
    /** Paths change: all jobs wake. */
    void WakeAll();
    /** The run is over: what jobs in a leap have done to this moment counts. */
    void Settle();

    /** \return what passed a queue in leaps that are over */
    LeaptTraffic GetTraffic(Ptr<Port> port, uint32_t queue) const;

    /** \return what streams sent in leaps that are over */
    const StreamCounters& GetCounters() const
    {
        return m_counters;
    }

    /** \return leaps that are over */
    uint64_t GetLeaps() const
    {
        return m_leaps;
    }

    /** \return iterations in them */
    uint64_t GetIterations() const
    {
        return m_iterations;
    }

    /** \return part of the time of all leaps by which others delayed jobs, at most; see Shared */
    double GetDelayBound() const
    {
        return m_leapt > 0 ? m_delay / m_leapt : 0;
    }

  protected:
    void DoDispose() override;

  private:
    using Queue = std::pair<const Port*, uint32_t>;

    /** What has been counted at one moment, or between two. */
    struct Counts
    {
        std::map<Queue, LeaptTraffic> traffic;
        StreamCounters streams;

        Counts operator-(const Counts& before) const;
    };

    /** What is known of the iterations of runs of one kind, when nobody contends. */
    struct Known
    {
        Time period;        //!< from one to the next
        Time communication; //!< from the last worker's computing to the end
    };

    /** What an iteration sends from a port. */
    struct Usage
    {
        double bytes{0};
        std::vector<const JobPlan::Channel*> channels; //!< of the plan
    };

    enum class State
    {
        AWAKE,
        FALLING, //!< its workers will stay at the end of the iteration that they are in
        ASLEEP
    };

    struct Sleeper
    {
        Ptr<Job> job;
        std::shared_ptr<const RunSpec> run;
        bool hasRun{false};           //!< which is not over
        std::vector<Ptr<Port>> ports; //!< that its packets may leave from, or share a buffer with
        std::map<const Port*, Usage> usage; //!< of those that it sends from
        std::set<HostId> moving;    //!< machines that move its state to the storage, or from there
        std::string kind;           //!< of run; "": nothing can be known of it
        std::optional<Known> known; //!< of that kind
        uint32_t stage{0};          //!< that has begun, in the present run
        Time settled;               //!< nothing changed since then in who contends with it
        Time length;   //!< of the last iteration that was simulated; 0: none in this run
        Time shortest; //!< of those of this run
        std::deque<IterationRecord> last; //!< while nobody contended
        std::size_t least{1};             //!< cycle that may repeat
        double delay{0}; //!< part of its time by which others delay it in its leap, at most
        State state{State::AWAKE};
        std::size_t cycle{0};           //!< iterations after which they repeat
        uint64_t iteration{0};          //!< to sleep in, from 0
        std::vector<LocalRun*> parts{}; //!< that sleep; alive, as each wakes the job at its end
        uint32_t asleep{0};             //!< machines
        bool isSilent{false}; //!< it sends nothing in the iteration that it falls asleep in
        bool mustWake{false}; //!< as soon as it is asleep, if so
        Time first;           //!< its first worker came to the end of that
        Time since;           //!< and its last one
        Time period;          //!< of an iteration
        uint64_t most{0};     //!< iterations to skip
        EventId wake;
        Counts before; //!< at the end of the iteration before
        Counts each;   //!< of one iteration
    };

    void NotifyGrant(std::shared_ptr<const RunSpec> run);
    void NotifyJobStart(Ptr<Job> job);
    void NotifyRunEnd(const JobRunRecord& run);
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
    void SleepFromStart(Sleeper& sleeper);
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
    void NoteNearEnd(const Sleeper& sleeper);
    void FallAsleep(Sleeper& sleeper);
    void End(Sleeper& sleeper, uint64_t skipped);
    Counts Count(const Sleeper& sleeper) const;
    void Credit(const Counts& each, uint64_t times);
    std::vector<LocalRun*> ListParts(const RunSpec& run) const;

    double m_tolerance{0};
    double m_shared{0};
    uint32_t m_guard{2};
    bool m_hasMemo{false};
    bool m_isUniform{true};              //!< no link has changed
    std::map<std::string, Known> m_memo; //!< by kind of run
    Parts m_parts;
    std::map<HostId, Ptr<Agent>> m_agents;
    std::map<JobId, Sleeper> m_jobs; //!< that have been granted GPUs and not ended
    std::map<const Port*, std::set<JobId>>
        m_users; //!< by port, those whose packets may leave there
    std::multiset<std::pair<HostId, HostId>> m_others; //!< ways of other traffic
    std::set<const Port*> m_disturbed;                 //!< ports that it may leave from
    std::map<GpuId, std::set<JobId>> m_holders;
    std::map<Queue, LeaptTraffic> m_traffic;
    StreamCounters m_counters;
    Time m_longest; //!< period of a sleeper so far
    uint64_t m_leaps{0};
    uint64_t m_iterations{0};
    double m_leapt{0}; //!< seconds, of all jobs
    double m_delay{0}; //!< of these, in which others may have delayed them, at most
};

} // namespace ns3::ddl

#endif // DDL_LEAPS_H
