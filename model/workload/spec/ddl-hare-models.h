// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_HARE_MODELS_H
#define DDL_HARE_MODELS_H

#include "ddl-model-profile.h"

#include <vector>

namespace ns3::ddl
{

/**
 * The eight neural networks of Hare, Table II, as "Hare-VGG19" and so on, with its batch sizes.
 *
 * Times: the time of a task on a V100 follows from Hare's row of Table III. That row gives the
 * switching time s and its fraction p of the whole, so the task takes s (1 / p - 1). (Other rows of
 * the table imply other times, up to 3.5 times as long.) Of this time, 40 % is the forward pass, as
 * in the models of Ada-SRSF. `switching` is that row's s. Bytes, 4 per parameter, are ours: the
 * paper gives none. For the speeds of other GPUs with each model see ListGpuTypes.
 *
 * \return profiles without layers
 */
std::vector<ModelProfile> MakeHareModels();

} // namespace ns3::ddl

#endif // DDL_HARE_MODELS_H
