// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-variation.h"

#include "app/text/ddl-complaints.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t LONGEST_NAME =
    120; //!< bytes; file systems allow 255, but paths should stay readable

/** \return the parts between those commas that are not within brackets, braces or quotes */
std::vector<std::string>
SplitOutsideBrackets(const std::string& text)
{
    std::vector<std::string> parts(1);
    int depth = 0;
    bool isQuoted = false;
    bool isEscaped = false;
    for (const char c : text)
    {
        if (c == ',' && depth == 0 && !isQuoted)
        {
            parts.emplace_back();
            continue;
        }
        parts.back() += c;
        if (c == '"' && !isEscaped)
        {
            isQuoted = !isQuoted;
        }
        depth += isQuoted ? 0 : (c == '[' || c == '{') ? 1 : (c == ']' || c == '}') ? -1 : 0;
        isEscaped = isQuoted && c == '\\' && !isEscaped;
    }
    return parts;
}

bool
IsPathCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-' ||
           c == '/' || c == ':';
}

/** \return a complaint about the seed, which has its own options, or a malformed path; else "" */
std::string
ComplainAboutPath(const std::string& path)
{
    if (path == "seed")
    {
        return "the seed is varied with --seeds=N";
    }
    const bool isPath = !path.empty() && std::all_of(path.begin(), path.end(), IsPathCharacter);
    return isPath ? "" : "expected PATH=V1,V2,..., as in scheduler.network=sptf,grouper";
}

/** \return last part of a path, "network" for "scheduler.network"; all if two paths end alike */
std::string
ShortPath(const std::string& path, const std::vector<Variation>& variations)
{
    const auto lastPart = [](const std::string& whole) {
        return whole.substr(whole.find_last_of("./") + 1);
    };
    const auto same = std::count_if(variations.begin(), variations.end(), [&](const auto& other) {
        return lastPart(other.path) == lastPart(path);
    });
    return same > 1 ? path : lastPart(path);
}

std::string
MakeFolderName(const std::string& text)
{
    std::string name;
    for (const char c : text)
    {
        const bool isKept = std::isalnum(static_cast<unsigned char>(c)) || c == '=' || c == '.' ||
                            c == '_' || c == '+' || c == '-';
        if (isKept || name.empty() || name.back() != '-')
        {
            name += isKept ? c : '-';
        }
    }
    return name.substr(0, LONGEST_NAME);
}

} // namespace

Variation
ParseVariation(const std::string& text)
{
    const auto equals = text.find('=');
    const std::string path = text.substr(0, equals);
    const std::string complaint = ComplainAboutPath(path);
    if (!complaint.empty() || equals == std::string::npos)
    {
        throw InputError(
            {{"--vary=" + text,
              "",
              complaint.empty() ? "has no values (expected PATH=V1,V2,...)" : complaint}});
    }
    Variation variation{path, SplitOutsideBrackets(text.substr(equals + 1))};
    std::set<std::string> seen;
    for (const auto& value : variation.values)
    {
        if (value.empty() || !seen.insert(value).second)
        {
            throw InputError(
                {{"--vary=" + text,
                  "",
                  value.empty() ? "has an empty value" : "has the value " + value + " twice"}});
        }
    }
    return variation;
}

std::vector<Variation>
ParseVariations(const std::vector<std::string>& texts)
{
    std::vector<Variation> variations;
    Complaints complaints;
    std::set<std::string> seen;
    for (const auto& text : texts)
    {
        complaints.Try([&] {
            variations.push_back(ParseVariation(text));
            if (!seen.insert(variations.back().path).second)
            {
                complaints.Add({{"--vary=" + text, "", "varies the same key once more"}});
            }
        });
    }
    complaints.Throw();
    return variations;
}

std::vector<Combination>
CrossProduct(const std::vector<Variation>& variations)
{
    std::vector<Combination> product(1);
    for (const auto& variation : variations)
    {
        std::vector<Combination> longer;
        for (const auto& combination : product)
        {
            for (const auto& value : variation.values)
            {
                longer.push_back(combination);
                longer.back().push_back(value);
            }
        }
        product = std::move(longer);
    }
    return product;
}

std::vector<std::string>
NameRuns(const std::vector<Variation>& variations, const std::vector<uint64_t>& seeds)
{
    std::vector<std::string> names;
    std::set<std::string> taken;
    for (const auto& combination : CrossProduct(variations))
    {
        std::string values;
        for (std::size_t i = 0; i < combination.size(); ++i)
        {
            values += ShortPath(variations[i].path, variations) + "=" + combination[i] + "_";
        }
        for (const uint64_t seed : seeds)
        {
            const std::string end = "_seed=" + std::to_string(seed);
            const std::string begin = MakeFolderName(values.substr(0, values.size() - 1));
            std::string name = begin.empty() ? end.substr(1) : begin + end;
            for (int number = 2; !taken.insert(name).second; ++number)
            {
                name = begin + "-" + std::to_string(number) + end;
            }
            names.push_back(name);
        }
    }
    return names;
}

} // namespace ns3::ddl
