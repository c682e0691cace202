// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-engine.h"

#include "app/process/ddl-process-pool.h"
#include "app/text/ddl-complaints.h"
#include "ddl-batch-engine.h"
#include "ddl-gnu-parallel.h"
#include "ddl-slurm.h"
#include "ddl-study-state.h"

#include <chrono>
#include <map>

namespace ns3::ddl
{

namespace
{

/** Runs processes on this machine, a few at a time. */
class LocalEngine final : public Engine
{
  public:
    explicit LocalEngine(const EngineOptions& options)
        : m_width(options.jobs),
          m_tasks(options.folder / "tasks")
    {
    }

  private:
    StudyEnd DoRun(const std::vector<StudyRun>& runs, const StudyListener& listener) override
    {
        using Clock = std::chrono::steady_clock;
        RefuseOtherBatch(m_tasks, "");
        std::vector<ProcessPool::Task> tasks;
        for (const auto& run : runs)
        {
            tasks.push_back({run.command, run.GetLog()});
            tasks.back().command.push_back("--out=" + run.folder.string());
            tasks.back().command.emplace_back("--quiet");
        }
        std::map<std::size_t, Clock::time_point> started;
        ProcessPool::Listener pool;
        pool.starting = [&](std::size_t run) {
            listener.preparing(run);
            started[run] = Clock::now();
            listener.starting(run);
        };
        pool.ended = [&](std::size_t run, int status) {
            const std::chrono::duration<double> took = Clock::now() - started[run];
            listener.ended(run, {status, took.count(), ""});
        };
        pool.tick = listener.tick;
        return ProcessPool(m_width).Run(tasks, pool) ? StudyEnd::COMPLETE : StudyEnd::INTERRUPTED;
    }

    std::size_t m_width;
    std::filesystem::path m_tasks; //!< folder of tasks that an earlier call may have submitted
};

/** \throws InputError when an option was given that the engine does not have */
void
RefuseForeign(const Arguments& arguments,
              const std::string& engine,
              const std::string& owner,
              const std::vector<std::string>& options)
{
    Complaints complaints;
    for (const auto& option : options)
    {
        if (engine != owner && arguments.Has(option))
        {
            complaints.Add({{"--" + option, "", "is for --engine=" + owner}});
        }
    }
    complaints.Throw();
}

} // namespace

void
AddEngineOptions(Arguments& arguments)
{
    arguments.AddOption("engine",
                        "ENGINE",
                        "local (default), slurm, or parallel (GNU parallel); doc/cluster.md");
    arguments.AddOption("account", "NAME", "slurm: account that is charged");
    arguments.AddOption("partition", "NAME", "slurm: partition");
    arguments.AddOption("qos", "NAME", "slurm: quality of service");
    arguments.AddOption("sshloginfile", "FILE", "parallel: hosts (default: this machine)");
    arguments.AddOptions("engine-option", "OPTION", "more for sbatch, srun or parallel");
    arguments.AddFlag("detach", "slurm, parallel: submit and do not wait; --resume collects");
    arguments.AddFlag("plan",
                      "print the runs as JSON, write DIR/plan.txt (a command a run); run nothing");
}

EngineOptions
ReadEngineOptions(const Arguments& arguments)
{
    EngineOptions options;
    options.name = arguments.Get("engine", "local");
    options.account = arguments.Get("account");
    options.partition = arguments.Get("partition");
    options.qos = arguments.Get("qos");
    options.more = arguments.GetAll("engine-option");
    options.sshLogins = arguments.Get("sshloginfile");
    options.isDetached = arguments.Has("detach");
    options.isPlanned = arguments.Has("plan");
    options.hasJobs = arguments.Has("jobs");
    const std::vector<std::string> engines{"local", "slurm", "parallel"};
    if (std::find(engines.begin(), engines.end(), options.name) == engines.end())
    {
        throw InputError({{"--engine=" + options.name,
                           "",
                           "no such engine (one of local, slurm, parallel)" +
                               SuggestName(options.name, engines)}});
    }
    Complaints complaints;
    complaints.Try([&] {
        RefuseForeign(arguments, options.name, "slurm", {"account", "partition", "qos"});
    });
    complaints.Try([&] { RefuseForeign(arguments, options.name, "parallel", {"sshloginfile"}); });
    if (options.name == "local" && (options.isDetached || !options.more.empty()))
    {
        complaints.Add({{options.isDetached ? "--detach" : "--engine-option",
                         "",
                         "is for --engine=slurm and --engine=parallel"}});
    }
    const std::string missing = options.isPlanned            ? ""
                                : options.name == "slurm"    ? FindMissingSlurm()
                                : options.name == "parallel" ? FindMissingParallel()
                                                             : "";
    if (!missing.empty())
    {
        complaints.Add({{"--engine=" + options.name, "", missing}});
    }
    complaints.Throw();
    return options;
}

StudyEnd
Engine::Run(const std::vector<StudyRun>& runs, const StudyListener& listener)
{
    return DoRun(runs, listener);
}

std::unique_ptr<Engine>
MakeEngine(const EngineOptions& options)
{
    if (options.name == "slurm")
    {
        return std::make_unique<BatchEngine>(options, MakeSlurm(options));
    }
    if (options.name == "parallel")
    {
        return std::make_unique<BatchEngine>(options, MakeGnuParallel(options));
    }
    return std::make_unique<LocalEngine>(options);
}

} // namespace ns3::ddl
