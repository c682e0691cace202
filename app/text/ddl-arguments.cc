// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-arguments.h"

#include "ddl-complaints.h"
#include "ddl-ns3-options.h"

#include "ns3/abort.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <sstream>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t HELP_COLUMN = 24; //!< column of explanations in the help text

/** \return text of an argument in messages */
std::string
Shorten(const std::string& argument)
{
    constexpr std::size_t LONGEST = 100;
    return argument.size() > LONGEST
               ? argument.substr(0, argument.find('=')).substr(0, LONGEST) + "..."
               : argument;
}

/** \return one line of help, with the explanation in its column */
std::string
HelpLine(const std::string& what, const std::string& help)
{
    std::string line = "  " + what;
    line += line.size() + 2 > HELP_COLUMN ? "\n" + std::string(HELP_COLUMN, ' ')
                                          : std::string(HELP_COLUMN - line.size(), ' ');
    return line + help + "\n";
}

} // namespace

Arguments::Arguments(std::string program, std::string summary)
    : m_program(std::move(program)),
      m_summary(std::move(summary))
{
    AddFlag("help", "print this text");
}

void
Arguments::Add(Entry entry)
{
    NS_ABORT_MSG_IF(Find(entry.name), "argument " << entry.name << " is declared twice");
    m_given[entry.name];
    m_entries.push_back(std::move(entry));
}

void
Arguments::AddWord(const std::string& name,
                   const std::string& help,
                   std::size_t least,
                   std::size_t most)
{
    Add({name, "", help, true, least, most});
}

void
Arguments::AddOption(const std::string& name, const std::string& value, const std::string& help)
{
    Add({name, value, help, false, 0, 1});
}

void
Arguments::AddOptions(const std::string& name, const std::string& value, const std::string& help)
{
    Add({name, value, help, false, 0, ANY_NUMBER});
}

void
Arguments::AddFlag(const std::string& name, const std::string& help)
{
    Add({name, "", help, false, 0, ANY_NUMBER});
}

const Arguments::Entry*
Arguments::Find(const std::string& name) const
{
    for (const auto& entry : m_entries)
    {
        if (name == entry.name || (entry.isWord && name == boost::to_lower_copy(entry.name)))
        {
            return &entry;
        }
    }
    return nullptr;
}

std::string
Arguments::ExplainUnknown(const std::string& name) const
{
    std::vector<std::string> legal;
    for (const auto& entry : m_entries)
    {
        legal.push_back("--" + boost::to_lower_copy(entry.name));
    }
    return "unknown option (one of " + JoinNames(legal) + ")" + SuggestName("--" + name, legal, "");
}

std::string
Arguments::TakeOption(const std::string& option)
{
    const auto equals = option.find('=');
    const std::string name = option.substr(2, equals == std::string::npos ? equals : equals - 2);
    const Entry* entry = Find(name);
    if (!entry)
    {
        return ExplainUnknown(name);
    }
    const bool isFlag = !entry->isWord && entry->value.empty();
    if (isFlag != (equals == std::string::npos))
    {
        return isFlag ? "takes no value"
                      : "needs a value: --" + name + "=" +
                            (entry->isWord ? entry->name : entry->value);
    }
    auto& values = m_given[entry->name];
    values.push_back(isFlag ? "" : option.substr(equals + 1));
    return values.size() > entry->most ? "is given more than once" : "";
}

std::string
Arguments::TakeWord(const std::string& word)
{
    for (const auto& entry : m_entries)
    {
        auto& values = m_given[entry.name];
        if (entry.isWord && values.size() < entry.most)
        {
            values.push_back(word);
            return "";
        }
    }
    return "one word too many (options begin with -- and take their value after =)";
}

std::string
Arguments::Take(const std::string& argument)
{
    if (argument == "--help" || argument == "-h")
    {
        m_wantsHelp = true;
        return "";
    }
    if (!boost::starts_with(argument, "--"))
    {
        return boost::starts_with(argument, "-") && argument != "-"
                   ? "unknown option (options begin with --)"
                   : TakeWord(argument);
    }
    const std::string name = argument.substr(2, argument.find('=') - 2);
    if (m_passOnNs3 && IsNs3Option(name))
    {
        m_ns3.push_back(argument);
        m_asksNs3 = m_asksNs3 || IsNs3Question(name);
        return "";
    }
    return TakeOption(argument);
}

void
Arguments::Parse(const std::vector<std::string>& given)
{
    std::vector<Diagnostic> complaints;
    const auto dashes = std::find(given.begin(), given.end(), "--");
    for (auto it = given.begin(); it != given.end(); ++it)
    {
        const std::string complaint = it < dashes ? Take(*it) : it > dashes ? TakeWord(*it) : "";
        if (!complaint.empty())
        {
            complaints.push_back({Shorten(*it), "", complaint});
        }
    }
    for (const auto& entry : m_entries)
    {
        if (!m_asksNs3 && m_given[entry.name].size() < entry.least)
        {
            complaints.push_back({m_program, "", entry.name + " is missing: " + entry.help});
        }
    }
    if (!m_wantsHelp && !complaints.empty())
    {
        throw InputError(complaints);
    }
}

std::string
Arguments::GetHelp() const
{
    std::string usage = "usage: " + m_program;
    std::string words;
    std::string options;
    for (const auto& entry : m_entries)
    {
        if (entry.isWord)
        {
            const std::string shown = entry.name + (entry.most > 1 ? "..." : "");
            usage += " " + (entry.least == 0 ? "[" + shown + "]" : shown);
            words += HelpLine(entry.name, entry.help);
            continue;
        }
        const std::string shown =
            "--" + entry.name + (entry.value.empty() ? "" : "=" + entry.value);
        const bool repeats = !entry.value.empty() && entry.most > 1;
        options += HelpLine(shown, entry.help + (repeats ? " (can be repeated)" : ""));
    }
    const std::string ns3 =
        m_passOnNs3 ? HelpLine("--PrintHelp", "ns-3's own options: attributes, global values") : "";
    return usage + " [OPTION]...\n" + m_summary + "\n\n" + words + options + ns3 +
           (m_notes.empty() ? "" : "\n" + m_notes + "\n");
}

bool
Arguments::Has(const std::string& name) const
{
    return !GetAll(name).empty();
}

std::string
Arguments::Get(const std::string& name, const std::string& fallback) const
{
    const auto& values = GetAll(name);
    return values.empty() ? fallback : values.front();
}

const std::vector<std::string>&
Arguments::GetAll(const std::string& name) const
{
    const Entry* entry = Find(name);
    NS_ABORT_MSG_UNLESS(entry, "argument " << name << " was never declared");
    return m_given.at(entry->name);
}

std::vector<std::string>
Arguments::GetList(const std::string& name) const
{
    std::vector<std::string> parts;
    for (const auto& value : GetAll(name))
    {
        std::istringstream stream(value);
        for (std::string part; std::getline(stream, part, ',');)
        {
            parts.push_back(part);
        }
    }
    return parts;
}

uint64_t
Arguments::GetNumber(const std::string& name,
                     uint64_t fallback,
                     uint64_t least,
                     uint64_t most) const
{
    if (!Has(name))
    {
        return fallback;
    }
    const std::string text = Get(name);
    std::istringstream stream(text);
    uint64_t number = 0;
    const bool isDigits = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return c >= '0' && c <= '9';
    });
    if (!isDigits || !(stream >> number) || number < least || number > most)
    {
        throw InputError({{"--" + name,
                           "",
                           QuoteText(text) + " is not a whole number from " +
                               std::to_string(least) + " to " + std::to_string(most)}});
    }
    return number;
}

} // namespace ns3::ddl
