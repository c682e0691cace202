// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GENERATOR_SPEC_H
#define DDL_GENERATOR_SPEC_H

#include "ns3/data-rate.h"
#include "ns3/ddl-compute-noise.h"
#include "ns3/ddl-curve-spec.h"
#include "ns3/ddl-hyperband-brackets.h"
#include "ns3/ddl-model-profile.h"
#include "ns3/ddl-overlap-spec.h"
#include "ns3/object-factory.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A number of workers, and the share of generated plain jobs that have it. */
struct JobSize
{
    uint32_t workers{1};
    uint32_t jobs{1}; //!< share
};

/** A neural network that generated jobs train. */
struct GeneratorModel
{
    std::string type; //!< name of a known model, "" for one of the user's own
    ModelProfile profile;
    bool timed{false}; //!< has compute times of its own; otherwise by the ratio
    std::optional<CurveSpec> curve{CurveSpec()}; //!< from which each of its jobs draws
    std::vector<JobSize> sizes{};                //!< of its plain jobs; empty: see GeneratorSpec
    ObjectFactory durations{};                   //!< of its plain jobs, likewise
};

/** A workload that is generated from the seed. Plain data, scale not applied. */
struct GeneratorSpec
{
    /** At once, round robin, parameter servers, successive halving. */
    GeneratorSpec();

    /**
     * - "cojobs": `cojobs` times `jobs` jobs that run `stages`;
     * - "hyperband": the brackets of HyperBand over `maxIterations` and `eta`, each as a cojob, the
     *   largest first, and again from the beginning when all have been used;
     * - "jobs": `jobs` plain jobs, each of `iterations` iterations and a size out of `sizes`.
     *   If models have sizes (then all have some), each job gets a model together with one of its
     *   sizes, by the shares of the sizes; models are then not used in turn.
     */
    std::string kind{"cojobs"};
    std::vector<GeneratorModel> models; //!< cojob i, or job i, trains model i mod their number
    bool randomModels{false};           //!< instead, any of them with equal probability

    uint32_t cojobs{1}; //!< in all, successors counted
    uint32_t jobs{8};   //!< of a cojob; or plain jobs in all
    uint32_t workers{2};
    bool hasTasks{false}; //!< see JobSpec
    uint32_t servers{2};
    uint32_t serverGpus{0}; //!< that each of these takes: 0 or 1
    ObjectFactory pattern;
    std::vector<uint64_t> stages{500, 1000, 2000, 4000};
    ObjectFactory search;
    uint64_t maxIterations{81}; //!< R of HyperBand
    uint32_t eta{3};            //!< of HyperBand

    ObjectFactory iterations;   //!< of plain jobs: a RandomVariableStream, rounded, at least 1
    std::vector<JobSize> sizes; //!< of plain jobs; empty: all have `workers`
    /** Likewise: seconds of computing on one GPU, from which iterations follow; without a TypeId
     * they are drawn as such. */
    ObjectFactory durations;
    bool divideByWorkers{false}; //!< iterations from a duration are divided by the workers
    /** Of plain jobs: how many arrive together as one search (`workers` of an entry), and the share
     * of such arrivals (`jobs`); empty: each job arrives alone. Jobs of a search have one model,
     * size and number of iterations, and a curve each. */
    std::vector<JobSize> searches;
    /** Number of users who submit plain jobs. Of the first groups, group i, from 0, is user i's;
     * each later group is any user's with equal probability. 0: jobs have no users. */
    uint32_t users{0};
    double repeats{0}; //!< probability that such a later group has the models, size, iterations and
                       //!< names of its user's first one
    ObjectFactory weights; //!< of jobs: a RandomVariableStream; without a TypeId all are 1

    bool successors{false}; //!< one cojob of each model arrives; the next when it is down to a job
    std::optional<Time> until; //!< no successors from then on
    ObjectFactory arrivals;    //!< of an ArrivalProcess
    double load{1};            //!< gaps between arrivals are divided by it

    double computeRatio{1};      //!< of models that are not timed
    bool ratioForAll{false};     //!< no model is timed
    DataRate hostRate{"10Gbps"}; //!< at which their communication time is computed
    ComputeNoise noise;          //!< of all jobs
    OverlapSpec overlap;         //!< likewise
    uint32_t firstCojob{1};      //!< id of the first one; the others follow
    uint32_t firstJob{1};        //!< id of its first job; the others follow

    /** \return shapes of cojobs, which are used in turn; of kind "jobs": one job without stages */
    std::vector<CojobShape> ListShapes() const;
    bool HasSizesByModel() const; //!< some model has sizes of its own
    /** \return all numbers of workers that a job of this model may have, ascending */
    std::vector<uint32_t> ListWorkers(const GeneratorModel& model) const;
    /** \return cojobs, or plain jobs, in all */
    uint32_t CountGroups() const;
};

} // namespace ns3::ddl

#endif // DDL_GENERATOR_SPEC_H
