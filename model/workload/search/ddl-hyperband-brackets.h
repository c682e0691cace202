// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_HYPERBAND_BRACKETS_H
#define DDL_HYPERBAND_BRACKETS_H

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/** The number of jobs of a cojob, and the length of each stage for those that are left. */
struct CojobShape
{
    uint32_t jobs{1};
    std::vector<uint64_t> iterations; //!< iterations of each stage, at least 1
};

/**
 * The brackets of HyperBand (Li et al., JMLR 18(185), 2018, Algorithm 1): with s_max =
 * floor(log_eta R), bracket s = s_max ... 0 starts n = ceil((s_max + 1) / (s + 1) eta^s) jobs,
 * which have done R eta^(i - s) iterations after their stage i = 0 ... s, rounded down and at
 * least 1. Jobs continue from stage to stage, so a stage has the difference of these numbers;
 * stages that rounding leaves empty get one iteration.
 *
 * \param most iterations that one job may do (R), at least 1
 * \param eta eta, at least 2
 * \return the brackets, the one with the most jobs first
 */
std::vector<CojobShape> MakeHyperbandBrackets(uint32_t most, uint32_t eta);

} // namespace ns3::ddl

#endif // DDL_HYPERBAND_BRACKETS_H
