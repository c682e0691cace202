// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-regression-estimator.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(RegressionEstimator);

TypeId
RegressionEstimator::GetTypeId()
{
    using Self = RegressionEstimator;
    static TypeId tid =
        TypeId("ns3::ddl::RegressionEstimator")
            .SetParent<Estimator>()
            .SetGroupName("Ddl")
            .AddAttribute("ByRole",
                          "whether parameter servers and workers have separate functions; false: "
                          "the role is only a feature, as in the authors' program",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_byRole),
                          MakeBooleanChecker())
            .AddAttribute("Retrain",
                          "finished jobs of a model after which its functions are fitted again",
                          UintegerValue(3),
                          MakeUintegerAccessor(&Self::m_retrain),
                          MakeUintegerChecker<uint32_t>(1, 1000000));
    return tid;
}

std::vector<double>
RegressionEstimator::ListFeatures(const EstimateQuestion& question, bool isServer)
{
    const JobSpec& job = question.job;
    return {static_cast<double>(job.servers),
            static_cast<double>(job.workers),
            isServer ? 1.0 : 0.0,
            static_cast<double>(isServer ? job.serverGpus : 1),
            static_cast<double>(job.model.batch),
            static_cast<double>(question.iterations)};
}

RegressionEstimator::Model&
RegressionEstimator::GetModel(const JobSpec& job, bool isServer)
{
    return m_models[{job.model.name, m_byRole && isServer}];
}

/** \return the models that learn from the ranks of a job */
std::vector<RegressionEstimator::Model*>
RegressionEstimator::ListModelsOf(const JobSpec& job)
{
    std::vector<Model*> models{&GetModel(job, false)};
    if (job.servers > 0 && m_byRole)
    {
        models.push_back(&GetModel(job, true));
    }
    return models;
}

std::optional<JobUsage>
RegressionEstimator::DoEstimate(const EstimateQuestion& question)
{
    for (const Model* model : ListModelsOf(question.job))
    {
        if (model->functions.empty())
        {
            return std::nullopt;
        }
    }
    JobUsage usage;
    for (const JobLabel& label : ListLabels(question.job.servers > 0))
    {
        const Model& model = GetModel(question.job, label.isServer);
        Get(label.isServer ? usage.server : usage.worker, label.label) =
            model.functions[static_cast<std::size_t>(label.label)](
                ListFeatures(question, label.isServer));
    }
    return usage;
}

bool
RegressionEstimator::DoLearn(const EstimateQuestion& question, const JobUsage& used)
{
    GetModel(question.job, false).samples.push_back({ListFeatures(question, false), used.worker});
    if (question.job.servers > 0)
    {
        GetModel(question.job, true).samples.push_back({ListFeatures(question, true), used.server});
    }
    bool hasLearnt = false;
    for (Model* model : ListModelsOf(question.job))
    {
        if (++model->jobs >= m_retrain)
        {
            Relearn(*model);
            hasLearnt = true;
        }
    }
    return hasLearnt;
}

void
RegressionEstimator::Relearn(Model& model)
{
    model.jobs = 0;
    model.functions.clear();
    for (std::size_t label = 0; label < USAGE_LABELS; ++label)
    {
        std::vector<RegressionSample> samples;
        for (const Sample& sample : model.samples)
        {
            samples.push_back({sample.features, sample.usage[label]});
        }
        model.functions.push_back(Fit(samples));
    }
}

} // namespace ns3::ddl
