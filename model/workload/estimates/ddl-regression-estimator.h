// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_REGRESSION_ESTIMATOR_H
#define DDL_REGRESSION_ESTIMATOR_H

#include "ddl-estimator.h"
#include "ddl-regression-forest.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/**
 * Base of estimators that learn functions from finished jobs: one function per model, role
 * (worker or parameter server) and label (Liquid §4). In Liquid's program the role is a feature
 * instead, so that with few jobs an estimate mixes both roles. The features of a rank are the
 * numbers of parameter servers and workers, its role, its GPUs, the batch, and the iterations; the
 * textual flags of Liquid's jobs do not exist here.
 *
 * A job gives two samples, one per role. The functions of a model are learnt anew whenever
 * `Retrain` more of its jobs have left; before that there is no estimate. A subclass learns one
 * function from samples.
 */
class RegressionEstimator : public Estimator
{
  public:
    static TypeId GetTypeId();

  protected:
    /** The label of a rank as a function of its features. */
    using Function = std::function<double(const std::vector<double>& features)>;

  private:
    /** One sample for all labels: the features of a rank, and its usage. */
    struct Sample
    {
        std::vector<double> features;
        RankUsage usage;
    };

    struct Model
    {
        std::vector<Sample> samples;
        uint32_t jobs{0};                //!< jobs that have left since the functions were learnt
        std::vector<Function> functions; //!< function of each label; empty: not yet learnt
    };

    /** Learn one function. \param samples the samples, at least one \return the function */
    virtual Function Fit(const std::vector<RegressionSample>& samples) = 0;

    static std::vector<double> ListFeatures(const EstimateQuestion& question, bool isServer);
    std::optional<JobUsage> DoEstimate(const EstimateQuestion& question) override;
    bool DoLearn(const EstimateQuestion& question, const JobUsage& used) override;
    std::vector<Model*> ListModelsOf(const JobSpec& job);
    Model& GetModel(const JobSpec& job, bool isServer);
    void Relearn(Model& model);

    uint32_t m_retrain{0};
    bool m_byRole{true};
    /** Models by name, and whether they are for parameter servers. */
    std::map<std::pair<std::string, bool>, Model> m_models;
};

} // namespace ns3::ddl

#endif // DDL_REGRESSION_ESTIMATOR_H
