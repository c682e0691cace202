// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMPARE_CHECK_H
#define DDL_COMPARE_CHECK_H

#include "ddl-comparison.h"

namespace ns3
{
namespace ddl
{

/**
 * Have every combination of a comparison checked by ddl-check, and nothing run or written.
 *
 * \param options what is compared
 * \return false if it was interrupted
 * \throws InputError with the lines that ddl-check wrote about all combinations, each line once
 * \throws RunError when ddl-check itself failed
 */
bool CheckCombinations(const CompareOptions& options);

} // namespace ddl
} // namespace ns3

#endif // DDL_COMPARE_CHECK_H
