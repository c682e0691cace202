// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_QUANTITY_H
#define DDL_QUANTITY_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::ddl
{

/**
 * Quantities as users write them: a number and a unit without a space, "10Gbps", "5us", "250MB".
 *
 * ns-3 reads rates and times itself, but it ends the program on a bad one, takes a number without a
 * unit for what it likes, and overflows in silence. Each function here returns nothing instead and
 * says what is wrong.
 *
 * \param text a number and a unit
 * \param problem what is wrong with the text, with a remedy; only written when nothing is returned
 * \return the quantity
 */
/**@{*/
/**
 * Units as ns3::DataRate knows them: bps and b/s for bits, Bps and B/s for bytes, with k or K, M, G
 * for powers of 1000 and, before /s only, Ki, Mi, Gi for powers of 1024. No sign, no exponent.
 */
std::optional<DataRate> ParseRate(const std::string& text, std::string& problem);
/** Units as ns3::Time knows them: fs, ps, ns, us, ms, s, min, h, d, y. Negative ones are read. */
std::optional<Time> ParseDuration(const std::string& text, std::string& problem);
/** Units: B, kB (or KB), MB, GB, TB for powers of 1000, KiB, MiB, GiB, TiB for powers of 1024. Up
 * to 2^63. */
std::optional<uint64_t> ParseBytes(const std::string& text, std::string& problem);
/** No unit: a number as JSON writes it, finite. */
std::optional<double> ParseNumber(const std::string& text, std::string& problem);
/**@}*/

/** \return a text that reads back as the same quantity, in the largest unit that leaves it whole */
/**@{*/
std::string FormatRate(DataRate rate);
std::string FormatDuration(Time time);
std::string FormatBytes(uint64_t bytes);
/**@}*/

/** \return the time of so many steps of ns3::Time, rounded; at most half of the longest, so that it
 * can be added to a date. \param steps at least 0 */
Time RoundSteps(double steps);

} // namespace ns3::ddl

#endif // DDL_QUANTITY_H
