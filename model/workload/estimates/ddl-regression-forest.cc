// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-regression-forest.h"

#include "ns3/abort.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3::ddl
{

RegressionTree::RegressionTree(const std::vector<RegressionSample>& samples,
                               const ForestSpec& spec,
                               Ptr<UniformRandomVariable> draw)
    : m_spec(spec),
      m_draw(draw)
{
    NS_ABORT_MSG_IF(samples.empty(), "a tree cannot grow from no samples");
    Rows rows(samples.size());
    std::iota(rows.begin(), rows.end(), 0);
    Grow(samples, rows, 0);
}

/** Grow the subtree of some samples. \return the index of its root */
uint32_t
RegressionTree::Grow(const std::vector<RegressionSample>& samples, const Rows& rows, uint32_t depth)
{
    double sum = 0;
    for (const uint32_t row : rows)
    {
        sum += samples[row].label;
    }
    const auto number = static_cast<uint32_t>(m_nodes.size());
    const double mean = sum / static_cast<double>(rows.size());
    m_nodes.push_back({0, 0, 0, 0, mean});
    const bool isSplit = depth < m_spec.depth && rows.size() >= std::max(m_spec.split, 2U);
    const Split split = isSplit ? FindSplit(samples, rows, mean) : Split{};
    if (split.gain <= 0)
    {
        return number;
    }
    Rows left;
    Rows right;
    for (const uint32_t row : rows)
    {
        (samples[row].features[split.feature] <= split.threshold ? left : right).push_back(row);
    }
    m_nodes[number].feature = split.feature;
    m_nodes[number].threshold = split.threshold;
    const uint32_t leftNode = Grow(samples, left, depth + 1);
    const uint32_t rightNode = Grow(samples, right, depth + 1);
    m_nodes[number].left = leftNode;
    m_nodes[number].right = rightNode;
    return number;
}

/** \return the candidate features of a split, ascending */
std::vector<uint32_t>
RegressionTree::ChooseFeatures(uint32_t count)
{
    std::vector<uint32_t> features(count);
    std::iota(features.begin(), features.end(), 0);
    if (m_spec.features > 0 && m_spec.features < count)
    {
        for (uint32_t i = 0; i < m_spec.features; ++i)
        {
            std::swap(features[i], features[m_draw->GetInteger(i, count - 1)]);
        }
        features.resize(m_spec.features);
        std::sort(features.begin(), features.end());
    }
    return features;
}

RegressionTree::Split
RegressionTree::FindSplit(const std::vector<RegressionSample>& samples,
                          const Rows& rows,
                          double mean)
{
    Split best;
    for (const uint32_t feature : ChooseFeatures(samples[rows.front()].features.size()))
    {
        TrySplits(samples, rows, feature, mean, best);
    }
    return best;
}

/**
 * Find the best split by one feature. The sum of squared deviations falls by L^2 / l + R^2 / r,
 * where L and R are the sums of the deviations from the node's mean on both sides, of l and r
 * samples.
 */
void
RegressionTree::TrySplits(const std::vector<RegressionSample>& samples,
                          Rows rows,
                          uint32_t feature,
                          double mean,
                          Split& best) const
{
    const auto valueOf = [&samples, feature](uint32_t row) {
        return samples[row].features[feature];
    };
    std::stable_sort(rows.begin(), rows.end(), [&valueOf](uint32_t a, uint32_t b) {
        return valueOf(a) < valueOf(b);
    });
    double whole = 0;   // sum of all deviations, 0 but for rounding
    double squares = 0; // sum of their squares, with which a gain is compared
    for (const uint32_t row : rows)
    {
        const double deviation = samples[row].label - mean;
        whole += deviation;
        squares += deviation * deviation;
    }
    const double least = squares * 1e-12; // a smaller gain is rounding
    const std::size_t leaf = std::max(m_spec.leaf, 1U);
    double sum = 0;
    for (std::size_t i = 1; i < rows.size(); ++i)
    {
        sum += samples[rows[i - 1]].label - mean;
        const double before = valueOf(rows[i - 1]);
        const double after = valueOf(rows[i]);
        if (before == after || i < leaf || rows.size() - i < leaf)
        {
            continue;
        }
        const double gain = sum * sum / static_cast<double>(i) +
                            (whole - sum) * (whole - sum) / static_cast<double>(rows.size() - i);
        if (gain > least && gain > best.gain * (1 + 1e-12))
        {
            best = {gain, feature, before + (after - before) / 2};
        }
    }
}

double
RegressionTree::Predict(const std::vector<double>& features) const
{
    const Node* node = &m_nodes.front();
    while (node->left > 0)
    {
        node = &m_nodes[features[node->feature] <= node->threshold ? node->left : node->right];
    }
    return node->mean;
}

RegressionForest::RegressionForest(const std::vector<RegressionSample>& samples,
                                   const ForestSpec& spec,
                                   Ptr<UniformRandomVariable> draw)
{
    for (uint32_t tree = 0; tree < spec.trees; ++tree)
    {
        std::vector<RegressionSample> bag = samples;
        for (std::size_t i = 0; spec.isBagged && i < bag.size(); ++i)
        {
            bag[i] = samples[draw->GetInteger(0, static_cast<uint32_t>(samples.size()) - 1)];
        }
        m_trees.emplace_back(bag, spec, draw);
    }
}

double
RegressionForest::Predict(const std::vector<double>& features) const
{
    double sum = 0;
    for (const RegressionTree& tree : m_trees)
    {
        sum += tree.Predict(features);
    }
    return sum / static_cast<double>(m_trees.size());
}

} // namespace ns3::ddl
