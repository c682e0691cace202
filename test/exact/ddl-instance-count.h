// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_INSTANCE_COUNT_H
#define DDL_INSTANCE_COUNT_H

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

namespace ns3::ddl
{

/** \return how many instances a word of the command line asks for, 1 to a million; none if it is no
 * such number */
inline std::optional<uint32_t>
ParseInstanceCount(const std::string& word)
{
    constexpr uint32_t MOST = 1'000'000;
    uint32_t count = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, problem] = std::from_chars(word.data(), end, count);
    const bool isNumber = problem == std::errc() && stop == end;
    return isNumber && count >= 1 && count <= MOST ? std::optional<uint32_t>(count) : std::nullopt;
}

} // namespace ns3::ddl

#endif // DDL_INSTANCE_COUNT_H
