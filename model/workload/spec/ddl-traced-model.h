// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TRACED_MODEL_H
#define DDL_TRACED_MODEL_H

#include "ddl-model-profile.h"

#include <string>

namespace ns3
{
namespace ddl
{

/** \return the model that a trace calls so, in any writing ("vgg16", "VGG-16"); null if none is
 * known */
const ModelProfile* FindTracedModel(const std::string& name);

} // namespace ddl
} // namespace ns3

#endif // DDL_TRACED_MODEL_H
