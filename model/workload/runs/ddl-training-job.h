// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TRAINING_JOB_H
#define DDL_TRAINING_JOB_H

#include "ns3/ddl-bucket-plan.h"
#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-ids.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-rank-plan.h"
#include "ns3/object-factory.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

class Cluster;
struct CojobSpec;
struct JobSpec;
struct Placement;
class RunPart;
struct RunSite;
struct RunSpec;
struct TaskGraph;

/** Features of a simulation that a kind of job may refuse. Each is false if the simulation does not
 * use it, or if that is not known. */
struct RunSetting
{
    bool leaps{false};       //!< repeated iterations are not simulated (leap)
    bool samples{false};     //!< packets are simulated in samples only (fidelity)
    bool failures{false};    //!< servers fail (cluster.failures)
    bool estimates{false};   //!< the usage of jobs is estimated (scheduler.estimator)
    bool checkpoints{false}; //!< jobs save their state (scheduler.switch)
    bool coflows{false};     //!< the network scheduler orders iterations (scheduler.network)
    /** Groups that hold GPUs may lose them (scheduler.jobs, lease, improve). */
    bool suspensions{false};
    bool gates{false}; //!< transfers wait for a grant (scheduler.gate)
};

/**
 * Shares plans of iterations: a plan is made once and kept as long as some run holds it. A job that
 * is suspended and resumed, and equal jobs, share one. A plan follows from the pattern, the numbers
 * of ranks, the bytes of the buckets, and which workers share a server or a rack.
 */
class PlanMemo
{
  public:
    /**
     * \param pattern factory of a CommunicationPattern
     * \param view what the pattern sees; servers and racks may have any numbers, and the pattern
     *        gets them numbered from 0 in the order of their first rank
     * \param buckets how gradients are cut
     * \return the plan
     */
    std::shared_ptr<const JobPlan> Get(const ObjectFactory& pattern,
                                       PatternView view,
                                       const BucketPlan& buckets);

  private:
    std::map<std::string, std::weak_ptr<const JobPlan>> m_plans;
};

/**
 * Policy family: what is a run of a job of this kind made of?
 *
 * A kind says everything in which its jobs differ from others; no other class asks for the kind of
 * a job. Its functions, in the order of a job's life:
 *
 * 1. `Refuse`: what is wrong with a job, and what jobs of this kind cannot be combined with.
 * 2. `UsesRounds`: whether its group starts without GPUs, or waits for them.
 * 3. `MakeRun`: the description of a run, a message to all its machines (RunSpec).
 * 4. `MakePart`: the part of that run on one machine, which does the work (RunPart). It counts the
 *    iterations that are finished, and reports them to the machine's software (RunHost).
 *
 * A kind is one source file beside that of its part, and has no state: JobSpec::kind is a factory.
 */
class TrainingJob : public Policy
{
  public:
    static TypeId GetTypeId();

    /** \return the kind for JobSpec::kind; `gang` if that has no TypeId */
    static Ptr<const TrainingJob> Of(const ObjectFactory& kind);

    /**
     * \return false if a group waits until there is a placement for all its jobs, and holds these
     *         GPUs until it ends or is suspended; true if it starts at once, without GPUs, and the
     *         round scheduler gives GPUs to its tasks one by one
     */
    virtual bool UsesRounds() const
    {
        return false;
    }

    /** \return for each feature with which this kind cannot be combined, a sentence that says so */
    virtual std::vector<std::string> Refuse(const RunSetting& /* setting */) const
    {
        return {};
    }

    /** \return what is wrong with a job of this kind, each to be read after "job 7 " */
    virtual std::vector<std::string> Refuse(const JobSpec& /* job */,
                                            const CojobSpec& /* group */) const
    {
        return {};
    }

    /** \return number of workers that a job must have, whatever it has; none: any number */
    virtual std::optional<uint32_t> CountWorkers(const JobSpec& /* job */) const
    {
        return std::nullopt;
    }

    /** \return the task graph of a job that Refuse has accepted; null: it has none */
    virtual std::shared_ptr<const TaskGraph> GetGraph(const JobSpec& /* job */) const
    {
        return nullptr;
    }

    /**
     * \return bytes and transfers of an iteration of a job that Refuse has accepted, as if all its
     *         ranks were on one server; none: they follow from its pattern
     */
    virtual std::optional<JobPlan> PlanIteration(const JobSpec& /* job */) const
    {
        return std::nullopt;
    }

    /**
     * \param job the job to run
     * \param cojob the cojob that it is part of
     * \param placement a placement that fits the job; any other is an error of the caller
     * \param cluster the GPUs, NICs and servers of the machines
     * \param plans plans that have been made
     * \return the first run of the job, from iteration 0, without cost of launching
     * \throws RunError when the kind has left out what RunSpec wants
     */
    RunSpec MakeRun(const JobSpec& job,
                    CojobId cojob,
                    const Placement& placement,
                    const Cluster& cluster,
                    PlanMemo& plans) const;

    /**
     * \param run a run that MakeRun has made, and that has a part on this machine
     * \param site this machine
     * \return the part of the run on this machine, which begins now
     */
    virtual std::shared_ptr<RunPart> MakePart(std::shared_ptr<const RunSpec> run,
                                              const RunSite& site) const = 0;

  private:
    /** \return a run with those members that a kind sets; see RunSpec and MakeRun */
    virtual RunSpec DoMakeRun(const JobSpec& job,
                              CojobId cojob,
                              const Placement& placement,
                              const Cluster& cluster,
                              PlanMemo& plans) const = 0;
};

/** \return the first run of a job of any kind, with a plan that it shares with no other */
RunSpec MakeRun(const JobSpec& job,
                CojobId cojob,
                const Placement& placement,
                const Cluster& cluster);

/** \return whether the round scheduler gives GPUs to some jobs of a group (TrainingJob::UsesRounds)
 */
bool UsesRounds(const CojobSpec& group);

/** \return errors: what the kinds of a group's jobs refuse */
std::vector<Diagnostic> CheckKinds(const CojobSpec& group, const RunSetting& setting);

} // namespace ns3::ddl

#endif // DDL_TRAINING_JOB_H
