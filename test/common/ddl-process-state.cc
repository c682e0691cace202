// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-process-state.h"

#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <cstdlib>
#include <unistd.h>

namespace ns3::ddl
{

namespace
{

/** Lists the texts that were added, dropped or changed. */
void
Compare(const std::string& kind,
        const std::map<std::string, std::string>& before,
        const std::map<std::string, std::string>& now,
        std::vector<std::string>& changes)
{
    for (const auto& [name, value] : now)
    {
        const auto old = before.find(name);
        if (old == before.end())
        {
            changes.push_back(kind + " " + name + " is new: \"" + value + "\"");
        }
        else if (old->second != value)
        {
            changes.push_back(kind + " " + name + " was \"" + old->second + "\", is \"" + value +
                              "\"");
        }
    }
    for (const auto& [name, value] : before)
    {
        if (now.count(name) == 0)
        {
            changes.push_back(kind + " " + name + " is gone: \"" + value + "\"");
        }
    }
}

} // namespace

ProcessState::ProcessState()
    : m_defaults(ReadChangedDefaults()),
      m_globals(ReadGlobals()),
      m_environment(ReadEnvironment()),
      m_roots(Config::GetRootNamespaceObjectN())
{
}

std::map<ProcessState::Attribute, Ptr<const AttributeValue>>
ProcessState::ReadChangedDefaults()
{
    std::map<Attribute, Ptr<const AttributeValue>> changed;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        for (std::size_t at = 0; at < type.GetAttributeN(); ++at)
        {
            const auto attribute = type.GetAttribute(at);
            if (attribute.initialValue != attribute.originalInitialValue)
            {
                changed[{type.GetUid(), at}] = attribute.initialValue;
            }
        }
    }
    return changed;
}

ProcessState::Texts
ProcessState::ReadGlobals()
{
    Texts globals;
    for (auto global = GlobalValue::Begin(); global != GlobalValue::End(); ++global)
    {
        StringValue value;
        (*global)->GetValue(value);
        globals[(*global)->GetName()] = value.Get();
    }
    return globals;
}

ProcessState::Texts
ProcessState::ReadEnvironment()
{
    Texts environment;
    for (char** entry = environ; *entry; ++entry)
    {
        const std::string text = *entry;
        const auto equals = text.find('=');
        environment[text.substr(0, equals)] = text.substr(equals + 1);
    }
    return environment;
}

std::vector<std::string>
ProcessState::ListChanges() const
{
    std::vector<std::string> changes;
    auto now = ReadChangedDefaults();
    auto before = m_defaults;
    before.insert(now.begin(), now.end()); // attributes changed at either moment
    for (const auto& [key, unused] : before)
    {
        TypeId type;
        type.SetUid(key.first);
        const auto attribute = type.GetAttribute(key.second);
        const auto old = m_defaults.find(key);
        const auto was = old == m_defaults.end() ? attribute.originalInitialValue : old->second;
        const std::string from = was->SerializeToString(attribute.checker);
        const std::string to = attribute.initialValue->SerializeToString(attribute.checker);
        if (from != to)
        {
            changes.push_back("the default of " + type.GetName() + "::" + attribute.name +
                              " was \"" + from + "\", is \"" + to + "\"");
        }
    }
    Compare("the global value", m_globals, ReadGlobals(), changes);
    Compare("the environment's", m_environment, ReadEnvironment(), changes);
    if (Config::GetRootNamespaceObjectN() != m_roots)
    {
        changes.push_back("configuration paths begin at " +
                          std::to_string(Config::GetRootNamespaceObjectN()) +
                          " objects instead of " + std::to_string(m_roots));
    }
    return changes;
}

void
ProcessState::Restore() const
{
    for (const auto& [key, unused] : ReadChangedDefaults())
    {
        if (m_defaults.count(key) == 0)
        {
            TypeId type;
            type.SetUid(key.first);
            type.SetAttributeInitialValue(key.second,
                                          type.GetAttribute(key.second).originalInitialValue);
        }
    }
    for (const auto& [key, value] : m_defaults)
    {
        TypeId type;
        type.SetUid(key.first);
        type.SetAttributeInitialValue(key.second, value);
    }
    for (const auto& [name, value] : m_globals)
    {
        GlobalValue::Bind(name, StringValue(value));
    }
    for (const auto& [name, unused] : ReadEnvironment())
    {
        if (m_environment.count(name) == 0)
        {
            unsetenv(name.c_str());
        }
    }
    for (const auto& [name, value] : m_environment)
    {
        setenv(name.c_str(), value.c_str(), 1);
    }
}

} // namespace ns3::ddl
