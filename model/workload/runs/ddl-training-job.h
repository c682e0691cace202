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

/** What jobs meet in a simulation, where a kind of job may refuse it. Each is false where nobody
 * wants it, or where it is not known. */
struct RunSetting
{
    bool leaps{false};       //!< repeated iterations are not simulated (leap)
    bool samples{false};     //!< packets are simulated in samples only (fidelity)
    bool failures{false};    //!< servers fail (cluster.failures)
    bool estimates{false};   //!< the usage of jobs is estimated (scheduler.estimator)
    bool checkpoints{false}; //!< jobs save their state (scheduler.switch)
    bool coflows{false};     //!< the network scheduler orders iterations (scheduler.network)
    bool suspensions{
        false};        //!< groups that hold GPUs may lose them (scheduler.jobs, lease, improve)
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
     * \param pattern of a CommunicationPattern
     * \param view servers and racks of the workers may have any numbers; the pattern gets them
     *        numbered from 0 in the order of their first rank
     * \param buckets of the gradients
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
 * A kind says everything that differs between jobs of its kind and others; no other class asks for
 * the kind of a job. In the order of a job's life:
 *
 * 1. `Refuse`: what is wrong with a job, and what jobs of this kind cannot be combined with.
 * 2. `UsesRounds`: whether its group starts without GPUs, or waits for them.
 * 3. `MakeRun`: the description of a run, a message to all its machines (RunSpec).
 * 4. `MakePart`: the part of that run on one machine, which does the work (RunPart). It counts the
 *    iterations that are finished, and tells the machine's software so (RunHost).
 *
 * A kind is one source file beside that of its part, and has no state: JobSpec::kind is a factory.
 */
class TrainingJob : public Policy
{
  public:
    static TypeId GetTypeId();

    /** \return the kind that JobSpec::kind stands for; without a TypeId `gang` */
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

    /** \return sentences on what there is that jobs of this kind cannot be combined with */
    virtual std::vector<std::string> Refuse(const RunSetting& setting) const;

    /** \return what is wrong with a job of this kind, each to be read after "job 7 " */
    virtual std::vector<std::string> Refuse(const JobSpec& job, const CojobSpec& group) const;

    /**
     * \param job to run
     * \param cojob that it is part of
     * \param placement that fits the job; any other is an error of the caller's
     * \param cluster with the GPUs, NICs and servers of the machines
     * \param plans that have been made
     * \return its first run, from iteration 0, without cost of launching
     * \throws RunError when the kind has left out what RunSpec wants
     */
    RunSpec MakeRun(const JobSpec& job,
                    CojobId cojob,
                    const Placement& placement,
                    const Cluster& cluster,
                    PlanMemo& plans) const;

    /**
     * \param run that MakeRun has made, and that this machine has something to do in
     * \return its part on this machine, which begins now
     */
    virtual std::shared_ptr<RunPart> MakePart(std::shared_ptr<const RunSpec> run,
                                              const RunSite& site) const = 0;

  private:
    /** \return as MakeRun; RunSpec says which members a kind sets */
    virtual RunSpec DoMakeRun(const JobSpec& job,
                              CojobId cojob,
                              const Placement& placement,
                              const Cluster& cluster,
                              PlanMemo& plans) const = 0;
};

/** \return the first run of a job, of whatever kind, with a plan of its own */
RunSpec MakeRun(const JobSpec& job,
                CojobId cojob,
                const Placement& placement,
                const Cluster& cluster);

/** \return whether the round scheduler gives GPUs to some jobs of a group (TrainingJob::UsesRounds)
 */
bool UsesRounds(const CojobSpec& group);

/** \return what the kinds of a group's jobs refuse */
std::vector<Diagnostic> CheckKinds(const CojobSpec& group, const RunSetting& setting);

} // namespace ns3::ddl

#endif // DDL_TRAINING_JOB_H
