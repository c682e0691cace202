// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-regression-estimator.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"
#include "ns3/uinteger.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::ddl
{

namespace
{

constexpr int64_t FOREST_STREAM = 0x666f72657374; // number of this estimator's own RNG stream

} // namespace

/**
 * `forest`: random regression forests (Liquid §4; the defaults of the attributes are those of its
 * program).
 */
class ForestEstimator : public RegressionEstimator
{
  public:
    static TypeId GetTypeId();
    ForestEstimator();

    std::string GetSummary() const override
    {
        return "random regression forests on finished jobs, by model and label (Liquid)";
    }

  private:
    Function Fit(const std::vector<RegressionSample>& samples) override;

    uint32_t m_trees{0};
    uint32_t m_depth{0};
    uint32_t m_split{0};
    uint32_t m_leaf{0};
    uint32_t m_features{0};
    bool m_isBagged{true};
    Ptr<UniformRandomVariable> m_draw;
};

NS_OBJECT_ENSURE_REGISTERED(ForestEstimator);
DDL_POLICY_SOURCE(ForestEstimator, "Liquid, TPDS", 2022, "finished jobs");

TypeId
ForestEstimator::GetTypeId()
{
    using Self = ForestEstimator;
    static TypeId tid =
        TypeId("ns3::ddl::ForestEstimator")
            .SetParent<RegressionEstimator>()
            .SetGroupName("Ddl")
            .AddConstructor<ForestEstimator>()
            .AddAttribute("Trees",
                          "trees of a forest",
                          UintegerValue(70),
                          MakeUintegerAccessor(&Self::m_trees),
                          MakeUintegerChecker<uint32_t>(1, 10000))
            .AddAttribute("Depth",
                          "most splits between the root of a tree and a leaf",
                          UintegerValue(13),
                          MakeUintegerAccessor(&Self::m_depth),
                          MakeUintegerChecker<uint32_t>(0, 100))
            .AddAttribute("Split",
                          "fewest samples of a node that is split",
                          UintegerValue(10),
                          MakeUintegerAccessor(&Self::m_split),
                          MakeUintegerChecker<uint32_t>(2, 1000000))
            .AddAttribute("Leaf",
                          "fewest samples of a leaf",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Self::m_leaf),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("Features",
                          "features from which each split is chosen, drawn at random; 0: all six",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Self::m_features),
                          MakeUintegerChecker<uint32_t>(0, 6))
            .AddAttribute("Bagging",
                          "whether each tree grows from samples drawn with replacement",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_isBagged),
                          MakeBooleanChecker());
    return tid;
}

ForestEstimator::ForestEstimator()
    : m_draw(CreateObject<UniformRandomVariable>())
{
    m_draw->SetStream(FOREST_STREAM);
}

RegressionEstimator::Function
ForestEstimator::Fit(const std::vector<RegressionSample>& samples)
{
    const ForestSpec spec{m_trees, m_depth, m_split, m_leaf, m_features, m_isBagged};
    const auto forest = std::make_shared<const RegressionForest>(samples, spec, m_draw);
    return [forest](const std::vector<double>& features) { return forest->Predict(features); };
}

} // namespace ns3::ddl
