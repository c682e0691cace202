// SPDX-License-Identifier: GPL-2.0-only
#include "app/text/ddl-progress.h"
#include "app/compare/ddl-comparison.h"
#include "app/process/ddl-folder.h"
#include "app/process/ddl-process-pool.h"
#include "app/process/ddl-program.h"
#include "ddl-bench-report.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <chrono>
#include <filesystem>
#include <iostream>
#include <unistd.h>

using namespace ns3::ddl;

namespace
{

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int INTERRUPTED = 130; //!< exit status after Ctrl-C
constexpr std::size_t LAST_LINES = 10;

/** The runs of a benchmark: one at a time, every case before any is repeated. */
class Benchmark
{
  public:
    Benchmark(const BenchPlan& plan, const fs::path& folder, bool quiet)
        : m_plan(plan),
          m_logs(folder / "logs"),
          m_samples(plan.cases.size()),
          m_progress(std::cerr, GetStyle(quiet), plan.cases.size() * plan.repetitions, 1)
    {
        PrepareFolder(m_logs);
    }

    /** \return false if it was interrupted */
    bool Run()
    {
        std::vector<ProcessPool::Task> tasks;
        for (uint32_t repetition = 1; repetition <= m_plan.repetitions; ++repetition)
        {
            for (const auto& one : m_plan.cases)
            {
                const auto log = one.GetName() + "-" + std::to_string(repetition) + ".txt";
                tasks.push_back({MakeCommand(one), m_logs / log});
            }
        }
        return ProcessPool(1).Run(
            tasks,
            {[this](std::size_t) {
                 m_started = Clock::now();
                 m_progress.Start();
             },
             [&](std::size_t task, int status) { End(task, tasks[task].log, status); },
             [this] { m_progress.Tick(); }});
    }

    const std::vector<std::vector<BenchSample>>& GetSamples() const
    {
        return m_samples;
    }

    /** \return what went wrong, run by run */
    const std::string& GetFailures() const
    {
        return m_failures;
    }

  private:
    static CompareProgress::Style GetStyle(bool quiet)
    {
        return quiet                        ? CompareProgress::Style::NONE
               : isatty(STDERR_FILENO) != 0 ? CompareProgress::Style::TERMINAL
                                            : CompareProgress::Style::LINES;
    }

    static std::vector<std::string> MakeCommand(const BenchCase& one)
    {
        const auto program = fs::read_symlink("/proc/self/exe").parent_path() / "ddl-bench-case";
        return {program.string(),
                one.work,
                one.transport,
                "--hosts=" + std::to_string(one.hosts),
                "--mtu=" + std::to_string(one.mtu),
                "--bytes=" + std::to_string(one.bytes) + "B"};
    }

    void End(std::size_t task, const fs::path& log, int status)
    {
        const std::size_t number = task % m_plan.cases.size();
        const std::chrono::duration<double> took = Clock::now() - m_started;
        m_progress.End(log.stem().string(), took.count(), status == 0 ? "" : "failed");
        if (status == 0)
        {
            m_samples[number].push_back(ReadBenchSample(ReadEnd(log, 1)));
            return;
        }
        m_failures += log.stem().string() + " failed with exit status " + std::to_string(status) +
                      "; the end of " + log.string() + ":\n" + ReadEnd(log, LAST_LINES);
    }

    const BenchPlan& m_plan;
    const fs::path m_logs;
    std::vector<std::vector<BenchSample>> m_samples; //!< by case
    std::string m_failures;
    Clock::time_point m_started; //!< of the run that runs
    CompareProgress m_progress;
};

int
RunBenchmark(const BenchPlan& plan, const fs::path& folder, bool quiet)
{
    PrepareFolder(folder);
    const FolderLock lock(folder);
    std::vector<BenchRow> rows;
    std::string failures;
    {
        Benchmark benchmark(plan, folder, quiet);
        if (!benchmark.Run())
        {
            std::cerr << "interrupted; nothing is written\n";
            return INTERRUPTED;
        }
        rows = MakeBenchRows(plan, benchmark.GetSamples());
        failures = benchmark.GetFailures();
    }
    WriteFileSafely(folder / "bench.json", FormatBenchJson(rows));
    if (!quiet)
    {
        PrintBenchTable(std::cout, rows);
        std::cout << "\nresults: " << (folder / "bench.json").string() << "\n";
    }
    std::cerr << failures;
    return failures.empty() ? 0 : 1;
}

} // namespace

/** Speed beside stock ns-3: every case in a process of its own, one at a time, round robin. */
int
main(int argc, char* argv[])
{
    Arguments arguments("ddl bench", "Speed, beside stock ns-3, in one invocation.");
    AddBenchOptions(arguments);
    arguments.AddOption("out", "DIR", "where bench.json goes; default results/bench");
    arguments.AddFlag("quiet", "no progress and no table");
    arguments.SetNotes(
        "W: 4 x 4 hosts and 4 spines (256 hosts: 16 x 16 and 16), 10 Gbps and 1 us everywhere; a\n"
        "flow from each host to the next leaf, 480 MB in all (stock at 256 hosts: 120 MB).\n"
        "remark: W with every stream remarked each 100 us. ring: an all-reduce of 16.\n"
        "CPU seconds are those of the simulation, without start-up; medians over the repetitions.\n"
        "Exit status: 0 done; 1 a case failed; 2 bad input; 130 interrupted.\n");
    return RunProgram(arguments, argc, argv, [&arguments] {
        return RunBenchmark(MakeBenchPlan(arguments),
                            arguments.Get("out", "results/bench"),
                            arguments.Has("quiet"));
    });
}
