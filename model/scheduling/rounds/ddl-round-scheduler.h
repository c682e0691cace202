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
    Ratio nanoseconds; //!< exact
    double seconds{0}; //!< the same, rounded
};

/** A GPU as a round scheduler sees it. GPUs are numbered from 0 over the cluster. */
struct RoundGpu
{
    uint32_t type{0}; //!< index of its type: GPUs of one type take the same time for a task
    bool idle{true};  //!< no task has been assigned that has not ended
    Time since{};     //!< date at which it became idle, or got its task
    JobId job{};      //!< whose task it has, unless it is idle
};

/** The loss of a job's model after a round. */
struct LossPoint
{
    uint64_t round{1}; //!< from 1
    double loss{0};
};

/** A job that has ended. */
struct PastJob
{
    std::string name;   //!< of the recurring job that it was one of
    uint64_t rounds{0}; //!< that it ran
};

/** Of attributes that are numbers of rounds, which a scale may make less than one. */
constexpr double LEAST_NUMBER_OF_ROUNDS = 1e-9;

constexpr uint64_t UNKNOWN_ROUNDS = std::numeric_limits<uint64_t>::max();

/**
 * A job of rounds that is not done, as a round scheduler sees it (Hare, Table I). Each round has
 * the same number of tasks, which may run at different times; the next round opens when all of them
 * have ended and their gradients are in.
 */
struct RoundJob
{
    JobId id;
    std::optional<CojobId> search; //!< jobs that are searched together with it
    std::string name;  //!< of the recurring job that it is one of; past jobs of that name are like
                       //!< it. Empty: none is
    Time arrival;      //!< date
    double weight{1};  //!< of its completion
    uint32_t tasks{1}; //!< of a round (D)
    std::vector<Time> taskTime; //!< of a task by type of GPU, synchronisation included (T^c + T^s)
    uint64_t rounds{UNKNOWN_ROUNDS}; //!< in all; known to clairvoyant policies only

    // What has happened so far. The ledger fills these in.
    uint64_t done{0};               //!< rounds
    uint32_t open{0};               //!< tasks of the present round that are not assigned
    RoundTime roundTime;            //!< mean time of a round on a group of GPUs
    uint64_t predicted{0};          //!< rounds that it will run at least, beside those done
    uint32_t queue{0};              //!< as the policy answers; 0 is served first
    Time queued{};                  //!< date since which it is in that queue
    std::vector<uint32_t> gpus;     //!< that got tasks of its latest round, each once, in that
                                    //!< order. Under a gang policy: that it holds
    Time attained{};                //!< sum over GPUs of the time that it had them
    std::vector<LossPoint> losses;  //!< by round; thinned out when there are many
    std::optional<double> accuracy; //!< after its latest round
};

using GpuGroups = std::vector<std::vector<uint32_t>>; //!< each GPU is in one of the groups

/** What a round scheduler gets to see; valid during the call only. */
struct RoundView
{
    Time now; //!< date of the question
    const std::vector<RoundGpu>& gpus;
    const GpuGroups& groups;           //!< as the policy made them
    const std::vector<RoundJob>& jobs; //!< by arrival, then id
    const std::vector<PastJob>& past;  //!< by end
    const Ratio& medianRoundTime;      //!< of the jobs of this run, in ns
    Time changed;                      //!< date at which a job last arrived or ended
};

/** Tasks of a job for idle GPUs, one on each. */
struct RoundAssignment
{
    JobId job;
    std::vector<uint32_t> gpus; //!< all idle and all different; no more than the job's open tasks
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
     * \param view of GPUs and jobs
     * \return tasks for idle GPUs; what is not assigned waits until the next question
     * \throws RunError with the policy's name when a job has no such tasks, or a GPU is not idle
     */
    std::vector<RoundAssignment> Assign(const RoundView& view);

    /**
     * \param gpus of the cluster
     * \param taskTimes of the models that have appeared: for each, time of a task by type of GPU
     * \return groups in which GPUs are offered; unless overridden, each GPU alone
     * \throws RunError with the policy's name unless each GPU is in one group, and none is empty
     */
    GpuGroups Group(const std::vector<RoundGpu>& gpus,
                    const std::vector<std::vector<Time>>& taskTimes);

    /** \return the queue of a job, from 0. \param view, job in it after arrival or a round's end */
    uint32_t FindQueue(const RoundView& view, const RoundJob& job);

    /**
     * Called after a job's arrival, and after each round at whose end there is no prediction.
     *
     * \return rounds that the job will run at least, beside those done; 0 if unknown
     */
    uint64_t Predict(const RoundView& view, const RoundJob& job);

    /** \return names of its attributes, doubles, that are numbers of rounds: scaled by i */
    virtual std::vector<std::string> ListNumbersOfRounds() const
    {
        return {};
    }

    /** \return true if it may know how many rounds jobs have */
    virtual bool IsClairvoyant() const
    {
        return false;
    }

    /** \return true if a job holds its GPUs from one round to the next, until they are given away
     */
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
    /** \return as Group does; here each GPU alone */
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
