// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ROUND_SCHEDULER_H
#define DDL_ROUND_SCHEDULER_H

#include "ns3/ddl-ids.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-ratio.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * Mean time of a round. It is a ratio of sums over GPUs and no whole number of nanoseconds, and
 * kept as such: policies compare multiples of it with limits, and equality counts.
 */
struct RoundTime
{
    Ratio nanoseconds; //!< exact time in ns
    double seconds{0}; //!< rounded time in seconds
};

/** A GPU as a round scheduler sees it. GPUs are numbered from 0 over the cluster. */
struct RoundGpu
{
    uint32_t type{0}; //!< index of its type: GPUs of one type take the same time for a task
    bool idle{true};  //!< whether all tasks assigned to it have ended
    Time since{};     //!< date at which it became idle, or got its task
    JobId job{};      //!< job of its task, unless it is idle
};

/** The loss of a job's model after a round. */
struct LossPoint
{
    uint64_t round{1}; //!< number of the round, from 1
    double loss{0};
};

/** A job that has ended. */
struct PastJob
{
    std::string name;   //!< name of the recurring job of which it was one
    uint64_t rounds{0}; //!< number of rounds that it ran
};

/** Least value of attributes that are numbers of rounds, which a scale may make less than one. */
constexpr double LEAST_NUMBER_OF_ROUNDS = 1e-9;

constexpr uint64_t UNKNOWN_ROUNDS = std::numeric_limits<uint64_t>::max();

/**
 * A job of rounds that is not done, as a round scheduler sees it (Hare, Table I). Each round has
 * the same number of tasks, which may run at different times; the next round opens when all of them
 * have ended and their gradients have arrived.
 */
struct RoundJob
{
    JobId id;
    std::optional<CojobId> search; //!< cojob of the jobs that are searched together with it
    /** Name of the recurring job of which it is one; past jobs of that name resemble it. Empty: it
     * is not recurring. */
    std::string name;
    Time arrival;                    //!< date of its arrival
    double weight{1};                //!< weight of its completion time
    uint32_t tasks{1};               //!< number of tasks of a round (D)
    std::vector<Time> taskTime;      //!< task time with synchronisation (T^c + T^s), by type of GPU
    uint64_t rounds{UNKNOWN_ROUNDS}; //!< number of rounds, for clairvoyant policies only

    // RoundLedger fills in the members from here on, as things happen.
    uint64_t done{0};      //!< number of rounds that are done
    uint32_t open{0};      //!< tasks of the present round that are not assigned
    RoundTime roundTime;   //!< mean time of a round on a group of GPUs
    uint64_t predicted{0}; //!< predicted least number of rounds beyond those done
    uint32_t queue{0};     //!< its queue by RoundScheduler::FindQueue; 0 is served first
    Time queued{};         //!< date since which it is in that queue
    /** GPUs that got tasks of its latest round, each once, in that order. Under a gang policy: GPUs
     * that it holds. */
    std::vector<uint32_t> gpus;
    Time attained{};                //!< attained service: sum over GPUs of the time it had them
    std::vector<LossPoint> losses;  //!< losses by round; thinned out when there are many
    std::optional<double> accuracy; //!< accuracy after its latest round
};

using GpuGroups = std::vector<std::vector<uint32_t>>; //!< GPUs by group; each is in one group

/** The view of a round scheduler; valid during the call only. */
struct RoundView
{
    Time now; //!< present date
    const std::vector<RoundGpu>& gpus;
    const GpuGroups& groups;           //!< groups that the policy made
    const std::vector<RoundJob>& jobs; //!< live jobs, by arrival, then id
    const std::vector<PastJob>& past;  //!< jobs that have ended, by end
    const Ratio& medianRoundTime;      //!< median of the jobs' mean round times, ns
    Time changed;                      //!< date at which a job last arrived or ended
};

/** Tasks of a job for idle GPUs, one on each. */
struct RoundAssignment
{
    JobId job;
    std::vector<uint32_t> gpus; //!< different idle GPUs, no more than the job's open tasks
};

/**
 * Policy family: which tasks run on which idle GPUs? For jobs whose rounds consist of tasks that
 * need not run at the same time (Hare's relaxed scale-fixed synchronisation, §II-B).
 *
 * It decides when a job has arrived, a task has ended or a round has ended. Tasks are never
 * interrupted, so jobs are preempted only between tasks. A policy is a function of the view;
 * RoundLedger keeps what it needs of the past: each job's queue and since when it is there,
 * predictions, and the groups of GPUs.
 */
class RoundScheduler : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param view the GPUs and jobs
     * \return tasks for idle GPUs; tasks that are not assigned wait until the next invocation
     * \throws RunError with the policy's name when a job has no such tasks, or a GPU is not idle
     */
    std::vector<RoundAssignment> Assign(const RoundView& view);

    /**
     * \param gpus the GPUs of the cluster
     * \param taskTimes time of a task by type of GPU, for each model that has appeared
     * \return groups in which GPUs are offered; by default each GPU alone
     * \throws RunError with the policy's name unless each GPU is in one group, and none is empty
     */
    GpuGroups Group(const std::vector<RoundGpu>& gpus,
                    const std::vector<std::vector<Time>>& taskTimes);

    /** \return the queue of a job, from 0. \param job a job of the view that has arrived or ended a
     * round */
    uint32_t FindQueue(const RoundView& view, const RoundJob& job);

    /**
     * Called after a job's arrival, and after each round at whose end there is no prediction.
     *
     * \return least number of rounds that the job will run beyond those done; 0 if unknown
     */
    uint64_t Predict(const RoundView& view, const RoundJob& job);

    /** \return names of its attributes of type double that are numbers of rounds: the iteration
     * scale i applies to them */
    virtual std::vector<std::string> ListNumbersOfRounds() const
    {
        return {};
    }

    /** \return true if the policy may know how many rounds jobs have */
    virtual bool IsClairvoyant() const
    {
        return false;
    }

    /** \return true if a job holds its GPUs between rounds, until they are given away */
    virtual bool IsGang() const
    {
        return false;
    }

    /** \return true if a job needs as many GPUs at once as a round has tasks */
    virtual bool NeedsAllAtOnce() const
    {
        return false;
    }

  protected:
    /** \return groups of GPUs, see Group; by default each GPU alone */
    virtual GpuGroups DoGroup(const std::vector<RoundGpu>& gpus,
                              const std::vector<std::vector<Time>>& taskTimes);

  private:
    virtual std::vector<RoundAssignment> DoAssign(const RoundView& view) = 0;

    virtual uint32_t DoFindQueue(const RoundView& /* view */, const RoundJob& /* job */)
    {
        return 0;
    }

    virtual uint64_t DoPredict(const RoundView& /* view */, const RoundJob& /* job */)
    {
        return 0;
    }

    void Check(const RoundView& view, const std::vector<RoundAssignment>& answer) const;
};

} // namespace ns3::ddl

#endif // DDL_ROUND_SCHEDULER_H
