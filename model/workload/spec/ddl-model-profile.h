// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_MODEL_PROFILE_H
#define DDL_MODEL_PROFILE_H

#include "ddl-layer-table.h"

#include "ns3/nstime.h"

#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * The costs of one iteration of a neural network: bytes to exchange, seconds to compute. Set
 * members by name: `job.model.bytes = 10000000;`. A list of values by position does not compile,
 * because its numbers would be hard to read.
 */
struct ModelProfile
{
    ModelProfile(); // prevents initialisation by lists of values

    std::string name;
    uint64_t bytes{0};     //!< bytes of the gradients, and of the parameters
    Time forward;          //!< time of a worker's forward pass on a reference GPU; 0: unpublished
    Time backward;         //!< time of a worker's backward pass on a reference GPU; 0: unpublished
    Time switching;        //!< time of a GPU to switch from another job's task to this model's
    Time input;            //!< time to prepare samples on the CPU before a forward pass
    std::string source;    //!< paper and table of these numbers
    uint64_t gpuMemory{0}; //!< bytes that a worker takes on its GPU; 0: not published
    uint32_t batch{0};     //!< samples per worker and iteration; 0: not published
    LayerTable layers;     //!< layers, which add up to bytes and both times; empty: not known

    /**
     * \return the fraction of the bytes in the largest layer (skew, Tiresias); 0 if the layers are
     *         not known
     */
    double GetSkew() const;
};

/** Give a model layers, and their sums as its bytes and times. */
void SetLayers(ModelProfile& model, const LayerTable& layers);

/** Give a model other bytes and times; its layers, if they are known, keep their proportions. */
void SetSums(ModelProfile& model, uint64_t bytes, Time forward, Time backward);

/**
 * List the known models. The papers' "MB" are taken as 10^6 bytes.
 *
 * \return every known model (Grouper Table III, Ada-SRSF Table III, Dally Table I, Hare Table II;
 *         two that Liquid trains on one GPU, with numbers of ours), by name
 */
const std::vector<ModelProfile>& ListModels();

/**
 * \param name name of the model as in the papers, in any case
 * \return the profile
 * \throws InputError with the menu when there is none
 */
const ModelProfile& FindModel(const std::string& name);

/** \return the model of that name in any spelling ("vgg16", "VGG-16"), for names in traces; null
 * if there is none */
const ModelProfile* FindTracedModel(const std::string& name);

} // namespace ns3::ddl

#endif // DDL_MODEL_PROFILE_H
