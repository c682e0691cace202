// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GRAPH_TRAINING_JOB_H
#define DDL_GRAPH_TRAINING_JOB_H

#include "ddl-training-job.h"

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
    std::shared_ptr<RunPart> MakePart(std::shared_ptr<const RunSpec> run,
                                      const RunSite& site) const override;

  protected:
    /** \return sentences: the job has other workers than the graph has ranks, or has servers */
    static std::vector<std::string> RefuseRanks(const JobSpec& job, std::size_t ranks);

  private:
    RunSpec DoMakeRun(const JobSpec& job,
                      CojobId cojob,
                      const Placement& placement,
                      const Cluster& cluster,
                      PlanMemo& plans) const override;
};

} // namespace ns3::ddl

#endif // DDL_GRAPH_TRAINING_JOB_H
