// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LAYER_TABLE_H
#define DDL_LAYER_TABLE_H

#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::ddl
{

constexpr std::size_t MOST_LAYERS = 4096; //!< most layers of a model

/**
 * One layer of a neural network, or any other part of it whose gradients are all ready at the same
 * moment of the backward pass.
 */
struct Layer
{
    std::string name{};
    uint64_t bytes{0}; //!< bytes of its gradients; 0: it has no parameters
    Time forward{};    //!< time of its part of the forward pass, on a reference GPU
    Time backward{};   //!< time of its part of the backward pass, on a reference GPU
};

/**
 * The layers of a neural network, in the order of the forward pass. Copies share the table, which
 * cannot be changed: each job of a workload has one.
 */
class LayerTable
{
  public:
    /** Make a table without layers. */
    LayerTable();
    /** \param layers the layers, in the order of the forward pass */
    explicit LayerTable(std::vector<Layer> layers);

    bool IsEmpty() const
    {
        return m_layers->empty();
    }

    const std::vector<Layer>& Get() const
    {
        return *m_layers;
    }

    /** \return the sum over all layers */
    /**@{*/
    uint64_t GetBytes() const;
    Time GetForward() const;
    Time GetBackward() const;
    /**@}*/

    /**
     * \param bytes, forward, backward the new sums
     * \return the same layers with the new sums. Bytes keep their proportions, and so do times.
     *         Times of a pass in which no layer takes any time are in proportion to bytes. All are
     *         rounded so that they add up exactly
     */
    LayerTable WithSums(uint64_t bytes, Time forward, Time backward) const;

  private:
    std::shared_ptr<const std::vector<Layer>> m_layers; //!< the layers, never null
};

/**
 * \param total number to divide, below 2^63
 * \param weight sum of the weights of some parts
 * \param all sum of all weights, at least 1 and not below \p weight
 * \return the share of these parts, rounded; for all parts it is the total
 */
uint64_t ShareByWeight(uint64_t total, uint64_t weight, uint64_t all);

} // namespace ns3::ddl

#endif // DDL_LAYER_TABLE_H
