// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCENARIO_FIXTURE_H
#define DDL_SCENARIO_FIXTURE_H

#include "ddl-scratch-folder.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-scenario-reader.h"

#include <string>
#include <vector>

namespace ns3::ddl
{

/** Reads scenarios from texts. */
class ScenarioFixture : public ScratchFolder
{
  protected:
    using Settings = std::vector<std::string>;

    /** \return the scenario that a JSON text describes */
    Scenario ReadText(const std::string& text, const Settings& settings = {})
    {
        return ReadScenario({Write("s.json", text), settings});
    }

    /** \return all complaints about a text, one per line, with "s.json" for its path */
    std::string Complaints(const std::string& text, const Settings& settings = {})
    {
        try
        {
            ReadText(text, settings);
        }
        catch (const InputError& error)
        {
            std::string said = error.what();
            const std::string folder = m_folder.string() + "/";
            for (auto at = said.find(folder); at != std::string::npos; at = said.find(folder))
            {
                said.erase(at, folder.size());
            }
            return said;
        }
        return "";
    }

    /** \return text of a scenario on 4 hosts of 4 GPUs at one switch; line 3 is the workload */
    static std::string WithWorkload(const std::string& workload, const std::string& more = "")
    {
        return "{\"name\": \"s\",\n"
               "\"cluster\": {\"topology\": {\"kind\": \"single-switch\", \"hosts\": 4}},\n"
               "\"workload\": " +
               workload + more + "}";
    }

    /** \return text of a scenario with JOB on a cluster, which is on line 2 */
    static std::string WithCluster(const std::string& cluster)
    {
        return "{\"name\": \"s\",\n\"cluster\": " + cluster + ",\n\"workload\": {\"jobs\": [" +
               JOB + "]}}";
    }

    /** A plain job of two workers on a ring. */
    static constexpr const char* JOB =
        R"({"model": {"name": "m", "bytes": "1MB"}, "workers": 2, "iterations": 3})";
};

} // namespace ns3::ddl

#endif // DDL_SCENARIO_FIXTURE_H
