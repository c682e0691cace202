// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-policy-source.h"

#include <map>

namespace ns3::ddl
{

namespace
{

std::map<TypeId, PolicySource>&
GetPolicySources()
{
    static std::map<TypeId, PolicySource> sources;
    return sources;
}

} // namespace

std::string
PolicySource::Describe() const
{
    return paper.empty() ? "no paper" : paper + " " + std::to_string(year);
}

NotePolicySource::NotePolicySource(TypeId policy, const PolicySource& source)
{
    GetPolicySources()[policy] = source;
}

const PolicySource*
FindPolicySource(TypeId policy)
{
    const auto& sources = GetPolicySources();
    const auto found = sources.find(policy);
    return found == sources.end() ? nullptr : &found->second;
}

} // namespace ns3::ddl
