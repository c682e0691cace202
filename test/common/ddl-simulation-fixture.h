// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SIMULATION_FIXTURE_H
#define DDL_SIMULATION_FIXTURE_H

#include "ddl-scenario-fixture.h"

#include "ns3/ddl-cluster-simulation.h"

namespace ns3::ddl
{

/** Runs small scenarios on one switch, without the alone runs. */
class SimulationFixture : public ScenarioFixture
{
  protected:
    /** \return result of running the scenario that a JSON text describes */
    RunResult Run(const std::string& text, const Settings& settings = {})
    {
        ClusterSimulation simulation(ReadText(text, settings));
        return simulation.Run();
    }

    /**
     * \param hosts number of hosts
     * \param gpus number of GPUs per host
     * \param workload the workload, JSON
     * \return text of a scenario with zero-delay control messages, so that its times can be
     * computed by hand
     */
    static std::string OnSwitch(uint32_t hosts, uint32_t gpus, const std::string& workload)
    {
        return R"({"name": "s", "cluster": {"topology": {"kind": "single-switch", "hosts": )" +
               std::to_string(hosts) + R"(}, "hosts": {"gpus": )" + std::to_string(gpus) +
               R"(}}, "scheduler": {"control": "direct"}, "workload": )" + workload + "}";
    }

    /** \return text of a job that only computes: one worker, \p milliseconds per iteration */
    static std::string ComputeJob(uint32_t milliseconds, const std::string& more)
    {
        return R"({"model": {"name": "m", "bytes": "1MB", "forward": ")" +
               std::to_string(milliseconds) + R"(ms"}, "pattern": "ring", "workers": 1, )" + more +
               "}";
    }

    /** \return the row of a job that has left */
    static JobRow RowOf(const RunResult& result, uint32_t job)
    {
        for (const auto& row : result.jobs)
        {
            if (row.job.value == job)
            {
                return row;
            }
        }
        ADD_FAILURE() << "job " << job << " has not left";
        return {};
    }
};

} // namespace ns3::ddl

#endif // DDL_SIMULATION_FIXTURE_H
