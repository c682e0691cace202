// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TRACE_COJOBS_H
#define DDL_TRACE_COJOBS_H

#include "ddl-cojob-source.h"
#include "ddl-generator-spec.h"
#include "ddl-trace.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-graph-source.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** Jobs of a trace that start together: those of a cojob, or one plain job. */
struct TraceGroup
{
    std::size_t begin{0}; //!< index of its first row in Trace::jobs
    std::size_t end{0};   //!< index behind its last row
    uint64_t gpus{0};     //!< least number of GPUs that it needs at the same time
};

/** What jobs of a trace do that name it: a task graph instead of the passes of a model. */
struct ReplayGraph
{
    std::string name;                       //!< as `graph` or `model_name` of a row gives it
    ModelProfile model;                     //!< for placement, checkpoints and estimates
    ObjectFactory kind;                     //!< factory of the TrainingJob
    std::shared_ptr<const TaskGraph> graph; //!< what its workers do
    std::optional<GraphSource> source;      //!< its files; none: the kind makes it
};

/** The rules by which a trace becomes jobs of a cluster. Plain data, scale not applied. */
struct ReplaySpec
{
    /** The defaults: the models of Ada-SRSF Table III, and successive halving. */
    ReplaySpec();

    std::vector<GeneratorModel> models; //!< models drawn for jobs whose model is not known
    std::vector<ReplayGraph> graphs;    //!< task graphs that rows name; several of one name differ
                                        //!< in their numbers of ranks
    uint32_t servers{0};                //!< parameter servers of jobs for which none are given
    ObjectFactory search;               //!< search algorithm of the trace's cojobs
    uint64_t limit{0};                  //!< number of jobs or coflows, the first ones; 0: all
    double load{1};                     //!< number by which arrival times are divided
    bool skipTooLarge{false};           //!< whether to leave out groups that need too many GPUs
    bool fold{false};      //!< whether ports of coflows beyond the last machine begin again at 0
    uint32_t gpus{0};      //!< number of GPUs of the cluster
    uint32_t hosts{1};     //!< number of machines of the cluster
    uint64_t gpuMemory{0}; //!< bytes of each GPU; 0: memory does not count

    double computeRatio{1}; //!< compute over communication time of models without compute times
    bool ratioForAll{false};
    DataRate hostRate{"10Gbps"};
    ComputeNoise noise;
    OverlapSpec overlap;    //!< buckets of all jobs
    uint32_t firstCojob{1}; //!< 1 more than the number that is added to ids of cojobs
    uint32_t firstJob{1};   //!< 1 more than the number that is added to ids of jobs
};

/**
 * The jobs of a trace, or its coflows as jobs that move bytes one way, once, without a GPU.
 *
 * Rules for what a trace does not give:
 *  - Model: a known name in any spelling ("vgg16", "VGG-16") is the known model. For another name,
 *    or none, the one of `models` with that name, else a drawn one, which keeps the trace's name.
 *  - Pattern: jobs with servers use `parameter-server`, others `ring`.
 *  - Iterations: the duration over the time of an iteration alone (GetUncontendedIteration), at
 *    least 1.
 *  - Compute time of a job whose row gives its iterations and a duration above 0: as much as makes
 *    an iteration alone last duration / iterations (SetComputeByIteration), unless `ratioForAll`.
 *
 * A row whose `graph`, or without one whose model, is the name of one of `graphs` does what that
 * graph says: its times stay what they are, and an iteration alone takes as long as on a network on
 * which transfers do not disturb each other (GraphSchedule).
 */
class TraceCojobs : public CojobSource
{
  public:
    /**
     * \param trace the trace that was read
     * \param spec the rules of its replay
     */
    TraceCojobs(std::shared_ptr<const Trace> trace, const ReplaySpec& spec);

    std::optional<CojobSpec> Next() override;
    /** \return the jobs of a group, whatever the limit */
    CojobSpec MakeGroup(const TraceGroup& group) const;

  private:
    std::optional<CojobSpec> NextJobs();
    std::optional<CojobSpec> NextCoflow();

    bool IsOver() const
    {
        return m_spec.limit > 0 && m_given >= m_spec.limit;
    }

    JobSpec MakeJob(const TraceJob& row) const;
    Time GetIterationAlone(const TraceJob& row, const JobSpec& job) const;
    void SetModel(const TraceJob& row, JobSpec& job) const;
    void SetDetails(const TraceJob& row, JobSpec& job) const;
    std::vector<uint64_t> ListIterations(const TraceJob& row, const JobSpec& job) const;

    std::shared_ptr<const Trace> m_trace;
    ReplaySpec m_spec;
    uint32_t m_cojobBase{0}; //!< number added to the numbers of cojobs
    uint32_t m_plainBase{0}; //!< number added to that of a plain job for that of its group
    mutable std::map<const TaskGraph*, Time> m_alone; //!< length of an iteration alone
    std::size_t m_next{0};
    uint64_t m_given{0}; //!< number of jobs or coflows given so far
};

/** \return the task graph that a row names, of those with as many ranks as it has GPUs; null: none
 */
const ReplayGraph* FindReplayGraph(const Trace& trace, const ReplaySpec& spec, const TraceJob& row);

/** \return the group that begins at a row. Of its jobs that share GPUs by memory, only the largest
 * counts in TraceGroup::gpus */
TraceGroup FindGroup(const Trace& trace, const ReplaySpec& spec, std::size_t begin);

/** \return time of an iteration by a row: duration / iterations; none if it gives only one of the
 * two, or a duration of 0 */
std::optional<Time> GetTracedIteration(const Trace& trace, const TraceJob& row);

/**
 * \param trace the trace that was read
 * \param spec the rules of its replay
 * \return the reasons why it cannot be replayed on the cluster, by line of the file
 */
std::vector<Diagnostic> CheckTrace(const Trace& trace, const ReplaySpec& spec);

/**
 * \return the first group of each kind in a trace, with its line. Groups are of one kind if they
 *         have equally many jobs with equal numbers of workers and parameter servers and equal
 *         models. Skipped groups are left out; coflows are in no group
 */
std::vector<std::pair<uint64_t, CojobSpec>> ListDemands(const Trace& trace, const ReplaySpec& spec);

} // namespace ns3::ddl

#endif // DDL_TRACE_COJOBS_H
