// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_DRAWS_H
#define DDL_DRAWS_H

#include <cstdint>
#include <random>

namespace ns3::ddl
{

// Random draws that are equal on all platforms, which the distributions of <random> are not.

/** Multiples of it, modulo 1, are spread evenly over 0 to 1, however many are taken: of all numbers
 * it is the one that fractions approach worst (Knuth, The Art of Computer Programming, §6.4). */
constexpr double GOLDEN_RATIO = 0.6180339887498949;

/** 2^64 times the golden ratio: its multiples are seeds that differ in about half of their bits. */
constexpr uint64_t SEED_STEP = 0x9e3779b97f4a7c15ULL;

/** \return a uniform random number from 0 to below 1, of 53 bits as a double has */
inline double
DrawUniform(std::mt19937_64& random)
{
    return static_cast<double>(random() >> 11) * 0x1p-53;
}

} // namespace ns3::ddl

#endif // DDL_DRAWS_H
