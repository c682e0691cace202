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
 * Times: that of a task on a V100 follows from Table III, Hare's row: a switch of s that is the
 * part p of the whole leaves s (1 / p - 1). Its other rows imply others, up to 3.5 times as long.
 * Of the time 40 % are forward, as in the models of Ada-SRSF. `switching` is that row's s. Bytes, 4
 * for each parameter, are ours: the paper gives none. How fast other GPUs are with each model is in
 * ListGpuTypes.
 *
 * \return profiles without layers
 */
std::vector<ModelProfile> MakeHareModels();

} // namespace ns3::ddl

#endif // DDL_HARE_MODELS_H
