// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FIGURES_FIXTURE_H
#define DDL_FIGURES_FIXTURE_H

#include "app/results/ddl-result-set.h"
#include "ddl-process-state.h"
#include "ddl-sample-results.h"
#include "ddl-scratch-folder.h"

#include <cstdlib>

namespace ns3::ddl
{

/** Tests with two folders of results, "slow" and "fast". */
class FiguresFixture : public ScratchFolder
{
  protected:
    void SetUp() override
    {
        ScratchFolder::SetUp();
        WriteResults("slow", 4, "2");
        WriteResults("fast", 3, "1.5");
    }

    void WriteResults(const std::string& name, double sct, const std::string& slowdown)
    {
        Write(name + "/summary.json", MakeSummary(sct));
        Write(name + "/stages.csv", MakeStages(slowdown, slowdown));
        Write(name + "/jobs.csv", MakeJobs(slowdown));
        Write(name + "/runs.csv", MakeRuns());
        Write(name + "/ports.csv", MakePorts(500, 2000000));
        Write(name + "/series.csv", MakeSeries());
        Write(name + "/timers.csv", MakeTimers());
    }

    ResultSet Set(const std::string& label, const std::string& folder) const
    {
        return {label, {(m_folder / folder).string()}};
    }

    std::vector<ResultSet> Both() const
    {
        return {Set("slow", "slow"), Set("fast", "fast")};
    }

    /** A fake gnuplot, the only program in PATH for the rest of the test. */
    void FakeGnuplot(const std::string& body)
    {
        WriteScript("bin/gnuplot", body);
        setenv("PATH", (m_folder / "bin").c_str(), 1);
    }

  private:
    ProcessStateGuard m_guard;
};

} // namespace ns3::ddl

#endif // DDL_FIGURES_FIXTURE_H
