// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-estimator.h"
#include "ddl-regression-forest.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <map>
#include <string>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr int64_t FOREST_STREAM = 0x666f72657374; // its own, whatever else draws

} // namespace

/**
 * `forest`: random regression forests on the run's own finished jobs, one for each model, role and
 * label (Liquid §4; features, and the defaults of the attributes, as in its program; there the role
 * is a feature, and with few jobs the roles blur). The features of a rank are the numbers of
 * parameter servers and workers, its role, its GPUs, the batch, and the iterations; there are no
 * flags of text.
 *
 * A job's ranks are two samples, one of each role. A model's forests grow anew whenever `Retrain`
 * more of its jobs have left; before the first time, nothing is known.
 */
class ForestEstimator : public Estimator
{
  public:
    static TypeId GetTypeId();
    ForestEstimator();

    std::string GetSummary() const override
    {
        return "random regression forests on finished jobs, by model and label (Liquid)";
    }

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
        uint32_t jobs{0};                      //!< that have left since the forests grew
        std::vector<RegressionForest> forests; //!< by label; empty: not yet grown
    };

    static std::vector<double> ListFeatures(const EstimateQuestion& question, bool isServer);
    std::optional<JobUsage> DoEstimate(const EstimateQuestion& question) override;
    bool DoLearn(const EstimateQuestion& question, const JobUsage& used) override;
    std::vector<Model*> ListModelsOf(const JobSpec& job);
    Model& GetModel(const JobSpec& job, bool isServer);
    void Grow(Model& model);

    uint32_t m_trees{0};
    uint32_t m_depth{0};
    uint32_t m_split{0};
    uint32_t m_leaf{0};
    uint32_t m_features{0};
    bool m_isBagged{true};
    uint32_t m_retrain{0};
    Ptr<UniformRandomVariable> m_draw;
    bool m_byRole{true};
    /** By name, and whether it is of parameter servers. */
    std::map<std::pair<std::string, bool>, Model> m_models;
};

NS_OBJECT_ENSURE_REGISTERED(ForestEstimator);

TypeId
ForestEstimator::GetTypeId()
{
    using Self = ForestEstimator;
    static TypeId tid =
        TypeId("ns3::ddl::ForestEstimator")
            .SetParent<Estimator>()
            .SetGroupName("Ddl")
            .AddConstructor<ForestEstimator>()
            .AddAttribute("Trees",
                          "of a forest",
                          UintegerValue(70),
                          MakeUintegerAccessor(&Self::m_trees),
                          MakeUintegerChecker<uint32_t>(1, 10000))
            .AddAttribute("Depth",
                          "most splits from a root to a leaf",
                          UintegerValue(13),
                          MakeUintegerAccessor(&Self::m_depth),
                          MakeUintegerChecker<uint32_t>(0, 100))
            .AddAttribute("Split",
                          "samples that a node has at least, to be split",
                          UintegerValue(10),
                          MakeUintegerAccessor(&Self::m_split),
                          MakeUintegerChecker<uint32_t>(2, 1000000))
            .AddAttribute("Leaf",
                          "samples that a leaf has at least",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Self::m_leaf),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("Features",
                          "that each split is chosen from, drawn by lot; 0: all six",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Self::m_features),
                          MakeUintegerChecker<uint32_t>(0, 6))
            .AddAttribute("Bagging",
                          "whether each tree grows from samples drawn with replacement",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_isBagged),
                          MakeBooleanChecker())
            .AddAttribute("ByRole",
                          "whether parameter servers and workers have forests of their own; false: "
                          "the role is a feature only, as in the authors' program",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_byRole),
                          MakeBooleanChecker())
            .AddAttribute("Retrain",
                          "finished jobs of a model after which its forests grow anew",
                          UintegerValue(3),
                          MakeUintegerAccessor(&Self::m_retrain),
                          MakeUintegerChecker<uint32_t>(1, 1000000));
    return tid;
}

ForestEstimator::ForestEstimator()
    : m_draw(CreateObject<UniformRandomVariable>())
{
    m_draw->SetStream(FOREST_STREAM);
}

std::vector<double>
ForestEstimator::ListFeatures(const EstimateQuestion& question, bool isServer)
{
    const JobSpec& job = question.job;
    return {static_cast<double>(job.servers),
            static_cast<double>(job.workers),
            isServer ? 1.0 : 0.0,
            static_cast<double>(isServer ? job.serverGpus : 1),
            static_cast<double>(job.model.batch),
            static_cast<double>(question.iterations)};
}

ForestEstimator::Model&
ForestEstimator::GetModel(const JobSpec& job, bool isServer)
{
    return m_models[{job.model.name, m_byRole && isServer}];
}

/** \return what the ranks of a job belong to */
std::vector<ForestEstimator::Model*>
ForestEstimator::ListModelsOf(const JobSpec& job)
{
    std::vector<Model*> models{&GetModel(job, false)};
    if (job.servers > 0 && m_byRole)
    {
        models.push_back(&GetModel(job, true));
    }
    return models;
}

std::optional<JobUsage>
ForestEstimator::DoEstimate(const EstimateQuestion& question)
{
    for (const Model* model : ListModelsOf(question.job))
    {
        if (model->forests.empty())
        {
            return std::nullopt;
        }
    }
    JobUsage usage;
    for (const JobLabel& label : ListLabels(question.job.servers > 0))
    {
        const Model& model = GetModel(question.job, label.isServer);
        Get(label.isServer ? usage.server : usage.worker, label.label) =
            model.forests[static_cast<std::size_t>(label.label)].Predict(
                ListFeatures(question, label.isServer));
    }
    return usage;
}

bool
ForestEstimator::DoLearn(const EstimateQuestion& question, const JobUsage& used)
{
    GetModel(question.job, false).samples.push_back({ListFeatures(question, false), used.worker});
    if (question.job.servers > 0)
    {
        GetModel(question.job, true).samples.push_back({ListFeatures(question, true), used.server});
    }
    bool hasGrown = false;
    for (Model* model : ListModelsOf(question.job))
    {
        if (++model->jobs >= m_retrain)
        {
            Grow(*model);
            hasGrown = true;
        }
    }
    return hasGrown;
}

void
ForestEstimator::Grow(Model& model)
{
    const ForestSpec spec{m_trees, m_depth, m_split, m_leaf, m_features, m_isBagged};
    model.jobs = 0;
    model.forests.clear();
    for (std::size_t label = 0; label < USAGE_LABELS; ++label)
    {
        std::vector<RegressionSample> samples;
        for (const Sample& sample : model.samples)
        {
            samples.push_back({sample.features, sample.usage[label]});
        }
        model.forests.emplace_back(samples, spec, m_draw);
    }
}

} // namespace ns3::ddl
