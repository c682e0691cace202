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
 * the authors' simulator, on which Table I is based. "MobileNetV3" is MobileNetV3-Small there. That
 * simulator has 66 of the 145 dense layers of BERT-large; here they are those of eleven encoders,
 * less one, and the last.
 *
 * Times: the paper's compute time of an iteration, which is the authors' profile times a factor
 * ("scaled"). Two shares come from the same profile: that of the forward pass, and that of the
 * first convolution in the backward pass: this works on the largest image, and its multiplications
 * say little about its time. We assume that all other layers take time in proportion to their
 * multiplications.
 *
 * \return profiles with layers, without GPU memory
 */
std::vector<ModelProfile> MakeDallyModels();

} // namespace ns3::ddl

#endif // DDL_DALLY_MODELS_H
