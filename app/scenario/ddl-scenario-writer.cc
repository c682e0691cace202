// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scenario-writer.h"

#include "ddl-scenario-keys.h"

namespace ns3::ddl
{

std::string
FormatScenario(const Scenario& scenario)
{
    Scenario copy = scenario; // a description may change what it describes
    copy.seed = GetSeed(scenario);
    return DumpJson(WriteKeys([&copy](Keys& keys) { Describe(keys, copy); }));
}

} // namespace ns3::ddl
