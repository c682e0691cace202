// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GRAPH_TRAINING_JOB_H
#define DDL_GRAPH_TRAINING_JOB_H

#include "ddl-training-job.h"

#include "ns3/ddl-collective-choice.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * `graph`: an iteration of each worker is its part of a task graph (JobSpec::graph), such as a
 * model with pipeline, tensor and data parallelism. Workers run together, on GPUs of their own.
 *
 * A kind whose graphs come from elsewhere derives from it, and overrides Refuse, CountWorkers and
 * GetGraph.
 */
class GraphTrainingJob : public TrainingJob
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    std::vector<std::string> Refuse(const JobSpec& job, const CojobSpec& group) const override;
    std::optional<uint32_t> CountWorkers(const JobSpec& job) const override;
    std::shared_ptr<const TaskGraph> GetGraph(const JobSpec& job) const override;
    std::optional<JobPlan> PlanIteration(const JobSpec& job) const override;
    std::shared_ptr<RunPart> MakePart(std::shared_ptr<const RunSpec> run,
                                      const RunSite& site) const override;

  protected:
    /** \return sentences: the job has other workers than the graph has ranks, or has servers, or
     * the algorithms of its collectives are wrong, or its scale is too large for its graph */
    std::vector<std::string> RefuseRanks(const JobSpec& job, std::size_t ranks) const;

  private:
    RunSpec DoMakeRun(const JobSpec& job,
                      CojobId cojob,
                      const Placement& placement,
                      const Cluster& cluster,
                      PlanMemo& plans) const override;

    /** \return how the collectives of a job are carried out. \param networkRate rate of its NICs,
     * if no attribute gives it */
    CollectiveRules MakeRules(const JobSpec& job, DataRate networkRate) const;

    std::string m_allReduce;
    std::string m_allGather;
    std::string m_reduceScatter;
    std::string m_allToAll;
    std::string m_broadcast;
    uint32_t m_channels{1};
    uint32_t m_collectiveChunks{0};
    bool m_pxn{false};
    Time m_networkStep;
    Time m_serverStep;
    DataRate m_networkRate; //!< 0: that of the slowest NIC
    DataRate m_serverRate;
};

} // namespace ns3::ddl

#endif // DDL_GRAPH_TRAINING_JOB_H
