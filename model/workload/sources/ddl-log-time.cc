// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-log-time.h"

#include "ddl-trace-lines.h"

#include <algorithm>
#include <array>
#include <boost/algorithm/string.hpp>
#include <ctime>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t DATE_LENGTH = 10;  // "2023-03-01"
constexpr std::size_t CLOCK_LENGTH = 19; // "2023-03-01 00:18:22"
constexpr int FIRST_YEAR = 1970;
constexpr int LAST_YEAR = 2199;

/** \return whether a text begins with a pattern in which 0 stands for any digit */
bool
Fits(const std::string& text, std::size_t begin, const std::string& pattern)
{
    if (text.size() < begin + pattern.size())
    {
        return false;
    }
    for (std::size_t i = 0; i < pattern.size(); ++i)
    {
        const char c = text[begin + i];
        if (pattern[i] == '0' ? c < '0' || c > '9' : c != pattern[i])
        {
            return false;
        }
    }
    return true;
}

/** \return the number that digits are */
int
Digits(const std::string& text, std::size_t begin, std::size_t count)
{
    int number = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        number = 10 * number + (text[begin + i] - '0');
    }
    return number;
}

/** \return seconds east of UTC of the zone at the end of a text; none if it is no zone */
std::optional<int>
ParseZone(const std::string& text, std::size_t begin)
{
    if (text.size() == begin || text.compare(begin, std::string::npos, "Z") == 0)
    {
        return 0;
    }
    const bool isEast = text[begin] == '+';
    const bool hasColon = Fits(text, begin + 1, "00:00") && text.size() == begin + 6;
    const bool isPlain = Fits(text, begin + 1, "0000") && text.size() == begin + 5;
    if ((!isEast && text[begin] != '-') || (!hasColon && !isPlain))
    {
        return std::nullopt;
    }
    const int hours = Digits(text, begin + 1, 2);
    const int minutes = Digits(text, begin + (hasColon ? 4 : 3), 2);
    if (hours > 14 || minutes > 59)
    {
        return std::nullopt;
    }
    return (isEast ? 60 : -60) * (60 * hours + minutes);
}

/** \return seconds since 1970 of the day at the beginning of a text; none if there is no such day
 */
std::optional<double>
ParseDay(const std::string& text)
{
    if (!Fits(text, 0, "0000-00-00"))
    {
        return std::nullopt;
    }
    const int year = Digits(text, 0, 4);
    std::tm day{};
    day.tm_year = year - 1900;
    day.tm_mon = Digits(text, 5, 2) - 1;
    day.tm_mday = Digits(text, 8, 2);
    const std::tm given = day;
    const std::time_t seconds = timegm(&day);
    const bool isDay = year >= FIRST_YEAR && year <= LAST_YEAR && day.tm_mon == given.tm_mon &&
                       day.tm_mday == given.tm_mday; // timegm turns 30 February into March
    return isDay ? std::make_optional(static_cast<double>(seconds)) : std::nullopt;
}

} // namespace

std::optional<double>
ParseTimestamp(const std::string& text)
{
    const auto day = ParseDay(text);
    const bool isClock =
        Fits(text, DATE_LENGTH, " 00:00:00") || Fits(text, DATE_LENGTH, "T00:00:00");
    if (!day || !isClock)
    {
        return std::nullopt;
    }
    const int hour = Digits(text, 11, 2);
    const int minute = Digits(text, 14, 2);
    const int second = Digits(text, 17, 2);
    std::size_t end = CLOCK_LENGTH;
    double fraction = 0;
    if (Fits(text, end, ".0"))
    {
        double place = 0.1;
        for (++end; Fits(text, end, "0"); ++end)
        {
            fraction += place * (text[end] - '0');
            place /= 10;
        }
    }
    const auto zone = ParseZone(text, end);
    if (!zone || hour > 23 || minute > 59 || second > 60)
    {
        return std::nullopt;
    }
    return *day + 3600 * hour + 60 * minute + second + fraction - *zone;
}

std::optional<LogTime>
ParseLogTime(const std::string& text)
{
    const auto date = text.size() == DATE_LENGTH ? ParseDay(text) : ParseTimestamp(text);
    if (date)
    {
        return LogTime{*date, true};
    }
    const auto seconds = ParseReal(text);
    if (!seconds || *seconds < 0 || *seconds > MOST_SECONDS)
    {
        return std::nullopt;
    }
    return LogTime{*seconds, false};
}

bool
IsMissing(const std::string& text)
{
    static const std::array<std::string, 5> words = {"nan", "nat", "none", "null", "unknown"};
    return text.empty() || std::any_of(words.begin(), words.end(), [&](const std::string& word) {
               return text.size() == word.size() && boost::iequals(text, word);
           });
}

} // namespace ns3::ddl
