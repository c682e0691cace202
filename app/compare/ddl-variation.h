// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_VARIATION_H
#define DDL_VARIATION_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A key of the scenario and the values that a comparison gives it: `--vary=PATH=V1,V2,...`. */
struct Variation
{
    std::string path;                //!< path of the key: "scheduler.network"
    std::vector<std::string> values; //!< values as `--set` takes them; at least one, all different
};

/** A value for each variation, in their order. */
using Combination = std::vector<std::string>;

/**
 * \param text "PATH=V1,V2,..."; commas within brackets, braces and quotes do not separate
 * \return the key and its values
 * \throws InputError when the text is not of that form, or a value is empty or given twice
 */
Variation ParseVariation(const std::string& text);

/**
 * \param texts values of all `--vary` options
 * \return a variation for each of them
 * \throws InputError with everything that is wrong, a path that is varied twice included
 */
std::vector<Variation> ParseVariations(const std::vector<std::string>& texts);

/**
 * \return all combinations; the value of the last variation changes fastest. Without variations,
 *         one empty combination
 */
std::vector<Combination> CrossProduct(const std::vector<Variation>& variations);

/**
 * Names that can be folders: `network=grouper_kind=tcp_seed=3`. A key is shown by its last part
 * where that is unambiguous. Characters that are special in a shell become dashes, and long names
 * are cut. Of names that become equal by this, the later ones get a number.
 *
 * \param variations the keys that vary, and their values
 * \param seeds seeds of each combination
 * \return a name for each combination and seed, seeds fastest; no two are equal
 */
std::vector<std::string> NameRuns(const std::vector<Variation>& variations,
                                  const std::vector<uint64_t>& seeds);

} // namespace ns3::ddl

#endif // DDL_VARIATION_H
