// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sample-store.h"

#include "app/scenario/ddl-scenario-writer.h"

#include "ns3/ddl-content-hash.h"
#include "ns3/ddl-safe-file.h"
#include "ns3/ddl-scenario-reader.h"
#include "ns3/ddl-task-graph.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace ns3::ddl
{

namespace fs = std::filesystem;

// Each struct is described once, for reading and writing.

void
to_json(nlohmann::json& json, const JobId& job)
{
    json = job.value;
}

void
from_json(const nlohmann::json& json, JobId& job)
{
    json.get_to(job.value);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SampleJob, job, warmup, window, weight, compute, strata)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SamplePlan, situation, cut, place, repeats, most, isLong, jobs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SampleTimes, iteration, step, iterations, end, cpu)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SampleResult, packets, fluid, expected)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Sample, number, plan, others, result)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SituationShare,
                                   situation,
                                   strata,
                                   iterations,
                                   seconds,
                                   compute,
                                   visits)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SamplingHandover, shares, samples, probes)

namespace
{

constexpr const char* HANDOVER = "handover.json"; //!< in the folder of each process

/** \return what is in a file; a value that is no object if it is no JSON */
nlohmann::json
ReadJson(const fs::path& file)
{
    std::ifstream stream(file);
    return nlohmann::json::parse(stream, nullptr, false);
}

} // namespace

SampleStore::SampleStore(fs::path folder, std::string program)
    : m_folder(std::move(folder)),
      m_program(std::move(program))
{
}

void
SampleStore::Prepare() const
{
    PrepareFolder(m_folder / "samples");
    RemoveScratch();
}

void
SampleStore::RemoveScratch() const
{
    std::error_code ignored;
    fs::remove_all(GetScratch(), ignored);
}

fs::path
SampleStore::GetScratch(const std::string& name) const
{
    return name.empty() ? m_folder / ".sampling" : m_folder / ".sampling" / name;
}

fs::path
SampleStore::GetSample(uint32_t number) const
{
    return m_folder / "samples" / (std::to_string(number) + ".json");
}

fs::path
SampleStore::GetResult(uint32_t number) const
{
    return m_folder / "samples" / (std::to_string(number) + ".result.json");
}

fs::path
SampleStore::GetOther(uint32_t number, std::size_t other) const
{
    return GetScratch("other-" + std::to_string(number) + "-" + std::to_string(other) + ".json");
}

fs::path
SampleStore::GetProbe(const std::string& timeline, uint32_t number) const
{
    return GetScratch(timeline) / ("probe-" + std::to_string(number) + ".json");
}

void
SampleStore::Write(const std::string& name, const SamplingHandover& handover) const
{
    WriteFileSafely(GetScratch(name) / HANDOVER, nlohmann::json(handover).dump());
}

SamplingHandover
SampleStore::Read(const std::string& name) const
{
    return ReadJson(GetScratch(name) / HANDOVER).get<SamplingHandover>();
}

std::string
SampleStore::Identify(const Sample& sample) const
{
    std::string text = m_program + HashFile(GetSample(sample.number).string()) +
                       nlohmann::json(sample.plan).dump();
    for (std::size_t i = 0; i < sample.others.size(); ++i)
    {
        text +=
            HashFile(GetOther(sample.number, i).string()) + nlohmann::json(sample.others[i]).dump();
    }
    return HashText(text);
}

void
SampleStore::Write(uint32_t number, const std::string& identity, const SampleResult& result) const
{
    nlohmann::json json = result;
    json["identity"] = identity;
    WriteFileSafely(GetResult(number), json.dump(2) + "\n");
}

bool
SampleStore::Read(uint32_t number, const std::string& identity, SampleResult& result) const
{
    const nlohmann::json json = ReadJson(GetResult(number));
    if (!json.is_object() || json.value("identity", "") != identity)
    {
        return false;
    }
    json.get_to(result);
    return true;
}

void
SampleStore::Complete(const std::vector<Sample>& samples) const
{
    for (const Sample& sample : samples)
    {
        Scenario scenario = LoadScenario(GetSample(sample.number));
        scenario.stop.time = Seconds(sample.result.packets.end) + NanoSeconds(1);
        SaveScenario(GetSample(sample.number), scenario);
    }
    for (uint32_t number = samples.size() + 1;
         fs::exists(GetSample(number)) || fs::exists(GetResult(number));
         ++number)
    {
        fs::remove(GetSample(number));
        fs::remove(GetResult(number));
    }
}

namespace
{

/** Name the files of a graph by absolute paths. Those in traces/ are found from anywhere. */
void
LocateFiles(const TaskGraph& graph, GraphSource& source)
{
    const auto begin = graph.source.rfind(source.files.front());
    const std::string folder = graph.source.substr(0, begin); // of its first file
    for (std::string& name : source.files)
    {
        const bool isThere = fs::exists(folder + name) || fs::exists(folder + name + ".0.et");
        name = isThere && begin != std::string::npos ? fs::absolute(folder + name).string() : name;
    }
}

} // namespace

void
SaveScenario(const fs::path& file, const Scenario& scenario)
{
    Scenario elsewhere = scenario; // the file is read from another folder
    for (CojobSpec& group : elsewhere.workload.groups)
    {
        for (JobSpec& job : group.jobs)
        {
            if (job.graphSource)
            {
                LocateFiles(*job.graph, *job.graphSource);
            }
        }
    }
    WriteFileSafely(file, FormatScenario(elsewhere));
}

Scenario
LoadScenario(const fs::path& file)
{
    ScenarioRequest request;
    request.scenario = file.string();
    return ReadScenario(request);
}

} // namespace ns3::ddl
