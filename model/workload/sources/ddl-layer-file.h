// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LAYER_FILE_H
#define DDL_LAYER_FILE_H

#include "ns3/ddl-layer-table.h"

#include <istream>
#include <string>

namespace ns3::ddl
{

/**
 * Read the layers of a neural network, as a profiler lists them: CSV whose first line names its
 * columns, then one line per layer in the order of the forward pass. Blank lines and lines that
 * begin with '#' are ignored. Columns may be in any order; others than these are ignored:
 *
 * - `bytes` (required): bytes of the layer's gradients, a whole number, 0 for a layer without
 *   parameters;
 * - `forward_us`, `backward_us`: its times on a reference GPU; also with `_ns`, `_ms` or `_s`. A
 *   pass without a column takes no time here;
 * - `name`: any text without a comma.
 *
 * \param input the text
 * \param name name of the file, for error messages
 * \return the layers, at least one of which has bytes
 * \throws InputError with all errors, by line
 */
LayerTable ReadLayers(std::istream& input, const std::string& name);

/** \return the layers in a file. \param path the file's path */
LayerTable ReadLayers(const std::string& path);

/**
 * \param layers the layers of one model
 * \return the fault of all of them together; "" when there is none
 */
std::string CheckLayers(const std::vector<Layer>& layers);

} // namespace ns3::ddl

#endif // DDL_LAYER_FILE_H
