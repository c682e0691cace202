// SPDX-License-Identifier: GPL-2.0-only
#include "app/compare/ddl-comparison.h"
#include "app/compare/ddl-run-forecast.h"
#include "app/process/ddl-folder.h"
#include "app/process/ddl-process-pool.h"
#include "app/process/ddl-program.h"
#include "app/text/ddl-progress.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

using namespace ns3::ddl;

namespace
{

constexpr int INTERRUPTED = 130;

/** The runs of a study that a script asks for. */
struct Request
{
    std::vector<StudyRun> runs;
    std::vector<ScenarioRequest> scenarios; //!< scenario of each of them
};

/** \return runs of a list; \throws InputError when the file is no such list */
Request
ReadRequest(const std::string& path, const std::string& program)
{
    Request request;
    try
    {
        std::ifstream file(path);
        for (const auto& entry : nlohmann::json::parse(file))
        {
            const std::string scenario = entry.at("scenario");
            const std::vector<std::string> settings = entry.at("settings");
            StudyRun run;
            run.name = entry.at("name");
            run.folder = entry.at("folder").get<std::string>();
            run.command = {program,
                           scenario,
                           "--seed=" + std::to_string(entry.at("seed").get<uint64_t>())};
            for (const auto& setting : settings)
            {
                run.command.push_back("--set=" + setting);
            }
            request.runs.push_back(std::move(run));
            request.scenarios.push_back({scenario, settings, {}});
        }
    }
    catch (const nlohmann::json::exception& error)
    {
        throw InputError({{path, "", std::string("is no list of runs: ") + error.what()}});
    }
    return request;
}

/** Carry out runs. \return exit status */
int
RunStudy(const Request& request, const ManyRunsOptions& options)
{
    CompareProgress progress(std::cerr,
                             options.quiet        ? CompareProgress::Style::NONE
                             : options.isTerminal ? CompareProgress::Style::TERMINAL
                                                  : CompareProgress::Style::LINES,
                             request.runs.size(),
                             options.jobs);
    int status = 0;
    StudyListener listener;
    listener.preparing = [&](std::size_t run) {
        PrepareFolder(request.runs[run].folder);
        std::error_code ignored;
        std::filesystem::remove(request.runs[run].folder / "summary.json", ignored);
    };
    listener.starting = [&](std::size_t) { progress.Start(); };
    listener.ended = [&](std::size_t run, const RunEnd& end) {
        const std::string cause = end.status == 0 ? "" : "failed";
        status = end.status == 0 ? status : 1;
        progress.End(request.runs[run].name, end.seconds, cause);
        if (!end.cause.empty())
        {
            std::cerr << request.runs[run].name << ": " << end.cause << '\n';
        }
    };
    listener.tick = [&progress] { progress.Tick(); };
    listener.say = [](const std::string& line) { std::cerr << line << std::endl; };
    const FolderLock lock(options.folder);
    const StudyEnd end = MakeEngine(options.engine)->Run(request.runs, listener);
    return end == StudyEnd::INTERRUPTED ? INTERRUPTED : status;
}

} // namespace

/** Carries out the runs of a study that a script has listed, with an engine of `ddl compare`. */
int
main(int argc, char** argv)
{
    SettleTimes();
    Arguments arguments("ddl-study-runs", "Carry out the runs of a study (for scripts).");
    arguments.AddWord("FILE", "list of runs: name, folder, scenario, settings, seed of each");
    arguments.AddOption("jobs", "N", "runs at a time (default: one for each core)");
    arguments.AddOption("out", "DIR", "folder of the study");
    arguments.AddOptions("plugin", "FILE", "shared library with more policies");
    arguments.AddFlag("quiet", "no progress");
    AddEngineOptions(arguments);
    return RunProgram(arguments, argc, argv, [&arguments, argv] {
        ManyRunsOptions options = ReadManyRunsOptions(arguments, argv[0], ".");
        options.engine.jobs = options.jobs;
        options.engine.isResumed = true; // what a call has submitted, the next one collects
        options.engine.folder = options.folder;
        ShareCores(options.jobs);
        Request request = ReadRequest(arguments.Get("FILE"), options.runProgram);
        if (options.engine.name != "local" || options.engine.isPlanned)
        {
            const auto prices = ForecastPrices(request.scenarios, options.jobs);
            for (std::size_t run = 0; prices && run < request.runs.size(); ++run)
            {
                request.runs[run].price = (*prices)[run];
            }
            if (!prices)
            {
                return INTERRUPTED;
            }
        }
        if (options.engine.isPlanned)
        {
            WritePlan(request.runs, options.folder, std::cout);
            return 0;
        }
        return RunStudy(request, options);
    });
}
