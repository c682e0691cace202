// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_REGRESSION_FOREST_H
#define DDL_REGRESSION_FOREST_H

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/** A sample of a function: its arguments (the features) and its value (the label). */
struct RegressionSample
{
    std::vector<double> features; //!< features; all samples have the same number
    double label{0};
};

/** How a regression forest grows. The defaults are those of Liquid's program. */
struct ForestSpec
{
    uint32_t trees{70};
    uint32_t depth{13};   //!< most edges from a root to a leaf
    uint32_t split{10};   //!< least number of samples of a node that is split
    uint32_t leaf{5};     //!< least number of samples of a leaf
    uint32_t features{0}; //!< number of features drawn as candidates of each split; 0: all
    bool isBagged{true};  //!< whether each tree grows from samples drawn with replacement
};

/**
 * A regression tree (Breiman et al., "Classification and Regression Trees", 1984). A node is split
 * in the middle between two neighbouring values of a feature, where this reduces the variance of
 * the labels most; of equal splits, at the first feature and its least value. A leaf answers with
 * the mean of its labels.
 */
class RegressionTree
{
  public:
    /**
     * O(features x samples x log(samples) x depth)
     *
     * \param samples the samples of which the tree grows, at least one
     * \param spec how it grows
     * \param draw source of random features; not used where splits are chosen from all
     */
    RegressionTree(const std::vector<RegressionSample>& samples,
                   const ForestSpec& spec,
                   Ptr<UniformRandomVariable> draw);

    /** \return the predicted label. \param features as in the samples */
    double Predict(const std::vector<double>& features) const;

  private:
    struct Node
    {
        uint32_t left{0};    //!< index of the child with smaller values; 0: it is a leaf
        uint32_t right{0};   //!< index of the other child
        uint32_t feature{0}; //!< index of the feature by which it is split
        double threshold{0}; //!< largest value of the feature in the left child
        double mean{0};      //!< mean of the labels
    };

    struct Split
    {
        double gain{0}; //!< decrease of the sum of squared deviations; 0: no split
        uint32_t feature{0};
        double threshold{0};
    };

    using Rows = std::vector<uint32_t>;

    uint32_t Grow(const std::vector<RegressionSample>& samples, const Rows& rows, uint32_t depth);
    Split FindSplit(const std::vector<RegressionSample>& samples, const Rows& rows, double mean);
    void TrySplits(const std::vector<RegressionSample>& samples,
                   Rows rows,
                   uint32_t feature,
                   double mean,
                   Split& best) const;
    std::vector<uint32_t> ChooseFeatures(uint32_t count);

    ForestSpec m_spec;
    Ptr<UniformRandomVariable> m_draw;
    std::vector<Node> m_nodes; //!< nodes of the tree; the first is the root
};

/**
 * Regression forest: the mean of trees that grew from different samples (Breiman, "Random Forests",
 * 2001). Equal samples and draws give equal forests.
 */
class RegressionForest
{
  public:
    RegressionForest(const std::vector<RegressionSample>& samples,
                     const ForestSpec& spec,
                     Ptr<UniformRandomVariable> draw);

    /** \return the mean of the trees' predictions */
    double Predict(const std::vector<double>& features) const;

  private:
    std::vector<RegressionTree> m_trees;
};

} // namespace ns3::ddl

#endif // DDL_REGRESSION_FOREST_H
