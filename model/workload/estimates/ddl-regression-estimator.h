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
 * Estimators that learn functions from the run's own finished jobs: one for each model, role and
 * label (Liquid §4, and its program; there the role is a feature, and with few jobs the roles
 * blur). The features of a rank are the numbers of parameter servers and workers, its role, its
 * GPUs, the batch, and the iterations; there are no flags of text.
 *
 * A job's ranks are two samples, one of each role. A model's functions are learnt anew whenever
 * `Retrain` more of its jobs have left; before the first time, nothing is known. A subclass says
 * how one function is learnt.
 */
class RegressionEstimator : public Estimator
{
  public:
    static TypeId GetTypeId();

  protected:
    /** What the features of a rank say of its label. */
    using Function = std::function<double(const std::vector<double>& features)>;

  private:
    /** The samples of all labels: equal features, and a label each. */
    struct Sample
    {
        std::vector<double> features;
        RankUsage usage;
    };

    struct Model
    {
        std::vector<Sample> samples;
        uint32_t jobs{0};                //!< that have left since the functions were learnt
        std::vector<Function> functions; //!< by label; empty: not yet learnt
    };

    /** \param samples at least one \return what is learnt from them */
    virtual Function Fit(const std::vector<RegressionSample>& samples) = 0;

    static std::vector<double> ListFeatures(const EstimateQuestion& question, bool isServer);
    std::optional<JobUsage> DoEstimate(const EstimateQuestion& question) override;
    bool DoLearn(const EstimateQuestion& question, const JobUsage& used) override;
    std::vector<Model*> ListModelsOf(const JobSpec& job);
    Model& GetModel(const JobSpec& job, bool isServer);
    void Relearn(Model& model);

    uint32_t m_retrain{0};
    bool m_byRole{true};
    /** By name, and whether it is of parameter servers. */
    std::map<std::pair<std::string, bool>, Model> m_models;
};

} // namespace ns3::ddl

#endif // DDL_REGRESSION_ESTIMATOR_H
