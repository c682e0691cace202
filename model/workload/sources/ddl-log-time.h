// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LOG_TIME_H
#define DDL_LOG_TIME_H

#include <optional>
#include <string>

namespace ns3::ddl
{

/** A point in time of a log: a date, or seconds of a clock of its own. */
struct LogTime
{
    double seconds{0}; //!< of a date: since 1970, UTC
    bool isDate{false};
};

/**
 * \param text "2023-03-01 00:18:22", with "T" for the blank, with a fraction of a second or a zone
 *        ("Z", "+08:00") behind it; the zone is UTC if there is none
 * \return seconds since 1970, UTC; none if the text is no such time
 */
std::optional<double> ParseTimestamp(const std::string& text);

/** \return the time that a text is: a timestamp, a date alone ("2023-03-01") or seconds, 0 or more;
 * none if it is none of them */
std::optional<LogTime> ParseLogTime(const std::string& text);

/** \return true if a field of a log says that there is nothing: "", "nan", "NaT", "None", "null" or
 * "Unknown", in any case */
bool IsMissing(const std::string& text);

} // namespace ns3::ddl

#endif // DDL_LOG_TIME_H
