// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GENERATOR_SPEC_H
#define DDL_GENERATOR_SPEC_H

#include "ns3/data-rate.h"
#include "ns3/ddl-compute-noise.h"
#include "ns3/ddl-curve-spec.h"
#include "ns3/ddl-graph-source.h"
#include "ns3/ddl-hyperband-brackets.h"
#include "ns3/ddl-model-profile.h"
#include "ns3/ddl-overlap-spec.h"
#include "ns3/object-factory.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A number of workers, and the share of generated plain jobs that have it. */
struct JobSize
{
    uint32_t workers{1};
    uint32_t jobs{1}; //!< share of the jobs, relative to those of other sizes
};

/** A neural network that generated jobs train. */
struct GeneratorModel
{
    std::string type; //!< name of a known model, "" for one of the user's own
    ModelProfile profile;
    bool timed{false}; //!< whether it has compute times of its own, or GeneratorSpec::computeRatio
    std::optional<CurveSpec> curve{CurveSpec()}; //!< curves from which each of its jobs draws
    std::vector<JobSize> sizes{}; //!< sizes of its plain jobs; empty: GeneratorSpec's
    ObjectFactory durations{};    //!< durations of its plain jobs; empty: GeneratorSpec's
    ObjectFactory kind{};         //!< factory of its TrainingJob; without a TypeId: GeneratorSpec's
    std::shared_ptr<const TaskGraph> graph{}; //!< JobSpec::graph of its jobs
    std::optional<GraphSource> graphSource{}; //!< JobSpec::graphSource of its jobs
    uint32_t workers{0}; //!< workers of its jobs, which its kind fixes; 0: any number
};

/** A workload that is generated from the seed. Plain data, scale not applied. */
struct GeneratorSpec
{
    /** The defaults: arrivals at once, parameter servers, successive halving. */
    GeneratorSpec();

    /**
     * The kind of workload:
     * - "cojobs": `cojobs` times `jobs` jobs that run `stages`;
     * - "hyperband": the brackets of HyperBand over `maxIterations` and `eta`, each as a cojob, the
     *   largest first, and again from the beginning when all have been used;
     * - "jobs": `jobs` plain jobs, each of `iterations` iterations and a size out of `sizes`.
     *   If models have sizes (then all have some), each job gets a model together with one of its
     *   sizes, by the shares of the sizes; models are then not used in turn.
     */
    std::string kind{"cojobs"};
    std::vector<GeneratorModel> models; //!< cojob i, or job i, trains model i mod their number
    bool randomModels{false};           //!< whether models are drawn instead, all equally likely

    uint32_t cojobs{1}; //!< number of cojobs, with successors
    uint32_t jobs{8};   //!< jobs per cojob, or number of plain jobs
    uint32_t workers{2};
    ObjectFactory jobKind; //!< factory of the TrainingJob, see JobSpec::kind
    uint32_t servers{2};
    uint32_t serverGpus{0}; //!< GPUs per parameter server: 0 or 1
    ObjectFactory pattern;
    std::vector<uint64_t> stages{500, 1000, 2000, 4000};
    ObjectFactory search;
    uint64_t maxIterations{81}; //!< R of HyperBand
    uint32_t eta{3};            //!< eta of HyperBand

    /** Variable of plain jobs' iterations, a RandomVariableStream, rounded, at least 1. */
    ObjectFactory iterations;
    std::vector<JobSize> sizes; //!< sizes of plain jobs; empty: all have `workers`
    /** Variable of plain jobs' durations: seconds of computing on one GPU, from which iterations
     * follow; without a TypeId `iterations` is drawn. */
    ObjectFactory durations;
    bool divideByWorkers{false}; //!< whether a duration's iterations are divided by the workers
    /** Searches of plain jobs: how many arrive together as one search (`workers` of an entry), and
     * the share of such arrivals (`jobs`); empty: each job arrives alone. Jobs of a search have one
     * model, size and number of iterations, and a curve each. */
    std::vector<JobSize> searches;
    /** Number of users who submit plain jobs. Of the first groups, group i, from 0, is user i's;
     * each later group is any user's with equal probability. 0: jobs have no users. */
    uint32_t users{0};
    /** Probability that such a later group has the models, size, iterations and names of its user's
     * first one. */
    double repeats{0};
    ObjectFactory weights; //!< variable of jobs' weights; without a TypeId all are 1

    /** Whether one cojob of each model arrives, and the next one when it is down to one job. */
    bool successors{false};
    std::optional<Time> until; //!< time from which no successors arrive
    ObjectFactory arrivals;    //!< factory of the ArrivalProcess
    double load{1};            //!< number by which gaps between arrivals are divided

    double computeRatio{1};      //!< compute over communication time of models that are not timed
    bool ratioForAll{false};     //!< whether all models count as not timed
    DataRate hostRate{"10Gbps"}; //!< NIC rate for their communication time
    ComputeNoise noise;          //!< compute noise of all jobs
    OverlapSpec overlap;         //!< buckets of all jobs
    uint32_t firstCojob{1};      //!< id of the first cojob; the others follow
    uint32_t firstJob{1};        //!< id of the first job; the others follow

    /** \return shapes of cojobs, which are used in turn; for plain jobs, one job without stages */
    std::vector<CojobShape> ListShapes() const;
    bool HasSizesByModel() const; //!< \return whether some model has sizes of its own
    /** \return all numbers of workers that a job of this model may have, ascending */
    std::vector<uint32_t> ListWorkers(const GeneratorModel& model) const;
    /** \return number of cojobs, or of plain jobs */
    uint32_t CountGroups() const;
};

} // namespace ns3::ddl

#endif // DDL_GENERATOR_SPEC_H
