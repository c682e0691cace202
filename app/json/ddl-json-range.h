// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JSON_RANGE_H
#define DDL_JSON_RANGE_H

#include <cstdint>
#include <limits>
#include <string>

namespace ns3::ddl
{

/** What is allowed for a value in a document, both ends included. */
template <typename T>
struct JsonRange
{
    T min;
    T max;
};

constexpr uint64_t MAX_BYTES = uint64_t{1} << 63; //!< stands for no upper end of a size
constexpr uint64_t MAX_UNSIGNED = std::numeric_limits<uint64_t>::max(); //!< no upper end of a count
constexpr double NO_LIMIT = std::numeric_limits<double>::max();   //!< no upper end of a number
constexpr double ABOVE_ZERO = std::numeric_limits<double>::min(); //!< lower end of positive numbers

/** \return range of whole numbers without an upper end */
constexpr JsonRange<uint64_t>
AtLeast(uint64_t least)
{
    return {least, MAX_UNSIGNED};
}

/**
 * \param range what is allowed
 * \param most the upper end that stands for none
 * \param format writes one end as text
 * \return "from 1 to 8" or "at least 1"
 */
template <typename T, typename Format>
std::string
DescribeRange(const JsonRange<T>& range, T most, Format format)
{
    return range.max < most ? "from " + format(range.min) + " to " + format(range.max)
                            : "at least " + format(range.min);
}

} // namespace ns3::ddl

#endif // DDL_JSON_RANGE_H
