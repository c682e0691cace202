// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-run-forecast.h"

#include "app/process/ddl-folder.h"
#include "app/process/ddl-process-pool.h"
#include "app/results/ddl-run-summary.h"
#include "app/sampling/ddl-forecast.h"
#include "app/sampling/ddl-workload-sample.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;

constexpr double TRIAL_SECONDS = 2;  //!< most CPU seconds of a trial
constexpr double LEAST_TRIAL = 0.1;  //!< least CPU seconds of a trial
constexpr double ALL_TRIALS = 16;    //!< CPU seconds that all trials share
constexpr double ALONE_SHARE = 0.25; //!< part of them for each kind of alone run
constexpr double WAITING = 8;        //!< wall-clock seconds that a CPU second may take
constexpr double LEAST_TRIED = 1e-6; //!< part of a run below which a trial says nothing
constexpr const char* ANSWER = "price.json";

/** \return CPU seconds of this process and its children since it began */
double
GetCpuSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC + GetChildrenCpuSeconds();
}

/** \return largest resident memory of this process, 10^6 bytes */
double
GetPeakMb()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

/** Try a scenario, and write its price whenever more is known. \return exit status */
int
TryScenario(const ScenarioRequest& request, double seconds, const fs::path& answer)
{
    const double before = GetCpuSeconds();
    const WorkloadSample work(ReadScenario(request));
    const double reading = GetCpuSeconds() - before;
    TrialBudget budget;
    budget.run = seconds;
    budget.alone = ALONE_SHARE * seconds;
    budget.deadline = std::chrono::steady_clock::now() +
                      std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                          std::chrono::duration<double>(WAITING * seconds));
    const CostForecast costs = TryCosts(work, budget);
    nlohmann::ordered_json price{{"memory_mb", GetPeakMb()}};
    if (costs.cpuSeconds && costs.share > LEAST_TRIED)
    {
        // Runs alone that could not be tried have the same work once more, and nobody in the way.
        price["cpu_s"] =
            reading + *costs.cpuSeconds + costs.aloneCpuSeconds.value_or(*costs.cpuSeconds);
    }
    WriteFileSafely(answer, price.dump());
    return 0;
}

} // namespace

std::optional<std::vector<RunPrice>>
ForecastPrices(const std::vector<ScenarioRequest>& requests, std::size_t processes)
{
    const TemporaryFolder folder;
    const double share =
        ALL_TRIALS / static_cast<double>(std::max<std::size_t>(1, requests.size()));
    const double seconds = std::clamp(share, LEAST_TRIAL, TRIAL_SECONDS);
    std::vector<ProcessPool::Task> tasks;
    for (std::size_t i = 0; i < requests.size(); ++i)
    {
        const fs::path place = folder.GetPath() / std::to_string(i);
        PrepareFolder(place);
        tasks.push_back({{}, place / "log", [&requests, i, seconds, place] {
                             return TryScenario(requests[i], seconds, place / ANSWER);
                         }});
    }
    if (!ProcessPool(processes).Run(tasks, {}))
    {
        return std::nullopt;
    }
    std::vector<RunPrice> prices(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i)
    {
        const auto answer = ReadJsonFile(folder.GetPath() / std::to_string(i) / ANSWER);
        const auto read = [&answer](const char* key) {
            return answer.is_object() && answer.contains(key)
                       ? std::make_optional(answer[key].get<double>())
                       : std::nullopt;
        };
        prices[i] = {read("cpu_s"), read("memory_mb")};
    }
    return prices;
}

} // namespace ns3::ddl
