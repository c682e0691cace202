// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_DALLY_MODELS_H
#define DDL_DALLY_MODELS_H

#include "ddl-model-profile.h"

#include <vector>

namespace ns3::ddl
{

/**
 * The six neural networks of Dally, Table I, layer by layer, as "Dally-VGG11" and so on.
 *
 * Bytes: 4 for each weight of a convolution or dense layer, from the published architectures at
 * images of 224 x 224. Biases, normalisations and embeddings are left out, as in the layer files of
 * the authors' simulator, which decide what Table I says. "MobileNetV3" is MobileNetV3-Small there.
 * Of the 145 dense layers of BERT-large that simulator has 66; here these are all layers of eleven
 * encoders.
 *
 * Times: those of the authors' profile times their factor ("scaled"), forward and backward pass in
 * the proportion of that profile. Within a pass each layer takes time in proportion to its
 * multiplications, as the profile of single layers is not published with the paper.
 *
 * \return profiles with layers, without GPU memory
 */
std::vector<ModelProfile> MakeDallyModels();

} // namespace ns3::ddl

#endif // DDL_DALLY_MODELS_H
