// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-read-generator.h"

#include "ddl-read-curve.h"
#include "ddl-read-job.h"
#include "ddl-scenario-parts.h"

#include "ns3/ddl-arrival-process.h"
#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-hyperband-search-algorithm.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr uint64_t MOST_ITERATIONS = 1000000000;
constexpr uint64_t MOST_GROUPS = 10000000; //!< cojobs, or plain jobs
constexpr uint64_t MOST_MEMBERS = 4096;    //!< workers, or servers, of a job
constexpr uint64_t MOST_SHARE = 100000;    //!< of jobs of one size

/** Reads the object part by part into a spec. */
class GeneratorReader
{
  public:
    GeneratorReader(const JsonObject& json,
                    const GeneratorContext& context,
                    std::vector<Diagnostic>& diagnostics)
        : m_json(json),
          m_context(context),
          m_diagnostics(diagnostics)
    {
    }

    GeneratorSpec Read();

  private:
    void ReadKind();
    void ReadCojobs();
    void ReadHyperband();
    void ReadPlainJobs();
    void ReadModels();
    void ReadMembers();
    void ReadArrivals();
    void CheckPattern(uint32_t workers) const;
    void CheckSize() const;

    const JsonObject& m_json;
    const GeneratorContext& m_context;
    std::vector<Diagnostic>& m_diagnostics;
    GeneratorSpec m_spec;
};

GeneratorSpec
GeneratorReader::Read()
{
    const std::size_t before = m_diagnostics.size();
    m_spec.computeRatio = m_context.computeRatio;
    m_spec.ratioForAll = m_context.ratioForAll;
    m_spec.hostRate = m_context.cluster.topology.hostRate;
    m_spec.noise = m_context.noise;
    m_spec.buckets = m_context.buckets;
    m_spec.firstCojob = m_context.firstCojob;
    m_spec.firstJob = m_context.firstJob;
    ReadModels();
    ReadMembers();
    ReadKind();
    ReadArrivals();
    if (m_diagnostics.size() == before)
    {
        CheckSize();
    }
    return m_spec;
}

void
GeneratorReader::ReadKind()
{
    m_spec.kind = m_json.OneOf("kind", {"cojobs", "hyperband", "jobs"}, m_spec.kind);
    if (m_spec.kind == "jobs")
    {
        ReadPlainJobs();
        return;
    }
    m_json.Require("cojobs");
    m_spec.cojobs = m_json.Unsigned("cojobs", {1, MOST_GROUPS}, 1);
    m_spec.successors = m_json.Bool("successors", false);
    if (m_json.Has("until"))
    {
        m_spec.until = m_json.Duration("until", Time(0), {Time(0), GetLongestTime()});
    }
    if (m_spec.successors && m_spec.randomModels)
    {
        m_json.At("pick").Report("a successor trains the model of the cojob before it "
                                 "(\"round-robin\" with successors)");
    }
    if (m_spec.kind == "hyperband")
    {
        ReadHyperband();
    }
    else
    {
        ReadCojobs();
    }
}

void
GeneratorReader::ReadCojobs()
{
    m_spec.jobs = m_json.Unsigned("jobs", {1, MOST_SHARE}, m_spec.jobs);
    if (m_json.Has("stages"))
    {
        m_spec.stages.clear();
        for (const auto& stage : m_json.Array("stages"))
        {
            m_spec.stages.push_back(stage.Unsigned({1, MOST_ITERATIONS}, 1));
        }
    }
    if (m_spec.stages.empty())
    {
        m_json.At("stages").Report("is empty (iterations of each stage, [500, 1000])");
    }
    m_spec.search = m_json.Policy("search", "successive-halving")
                        .MakeFactory(SearchAlgorithm::GetTypeId(), m_diagnostics);
}

void
GeneratorReader::ReadHyperband()
{
    m_spec.maxIterations =
        m_json.Unsigned("maxIterations", {1, MOST_ITERATIONS}, m_spec.maxIterations);
    m_spec.eta = m_json.Unsigned("eta", {2, 1000}, m_spec.eta);
    m_spec.search = ObjectFactory();
    m_spec.search.SetTypeId(HyperbandSearchAlgorithm::GetTypeId());
    m_spec.search.Set("Eta", UintegerValue(m_spec.eta));
}

void
GeneratorReader::ReadPlainJobs()
{
    m_json.Require("jobs");
    m_spec.jobs = m_json.Unsigned("jobs", {1, MOST_GROUPS}, 1);
    m_spec.iterations = ReadNumberOrDistribution(m_json.At("iterations"),
                                                 {1, MOST_ITERATIONS},
                                                 m_spec.iterations,
                                                 m_diagnostics);
    for (const auto& entry : m_json.Array("sizes"))
    {
        const auto pair = entry.Array();
        if (entry.IsArray() && pair.size() != 2)
        {
            entry.Report("must be [workers, jobs of that size]");
        }
        if (pair.size() == 2)
        {
            m_spec.sizes.push_back({static_cast<uint32_t>(pair[0].Unsigned({1, MOST_MEMBERS}, 1)),
                                    static_cast<uint32_t>(pair[1].Unsigned({1, MOST_SHARE}, 1))});
        }
    }
}

void
GeneratorReader::ReadModels()
{
    const CurveSpec common = ReadCurveSpec(m_json.Object("curve"), CurveSpec(), m_diagnostics);
    for (const auto& entry : m_json.Array("models"))
    {
        const ReadModel model = ReadModelProfile(entry);
        CheckGpuMemory(entry, model.profile, m_context.cluster);
        const CurveSpec curve =
            entry.IsObject() ? ReadCurveSpec(entry.Object().Object("curve"), common, m_diagnostics)
                             : common;
        m_spec.models.push_back(
            {model.type, model.profile, model.isTimed && !m_context.ratioForAll, curve});
    }
    const JsonValue models = m_json.At("models");
    if (m_spec.models.empty() && (models.IsArray() || !models.IsPresent()))
    {
        m_json.Report("has no \"models\" (a list of at least one, [\"VGG19\", \"AlexNet\"])");
    }
    m_spec.randomModels =
        m_json.OneOf("pick", {"random", "round-robin"}, "round-robin") == "random";
}

void
GeneratorReader::ReadMembers()
{
    m_spec.workers = m_json.Unsigned("workers", {1, MOST_MEMBERS}, m_spec.workers);
    m_spec.servers = m_json.Unsigned("servers", {0, MOST_MEMBERS}, m_spec.servers);
    m_spec.pattern = m_json.Policy("pattern", m_spec.servers > 0 ? "parameter-server" : "ring")
                         .MakeFactory(CommunicationPattern::GetTypeId(), m_diagnostics);
}

void
GeneratorReader::ReadArrivals()
{
    m_spec.arrivals = m_json.Policy("arrivals", "at-once")
                          .MakeFactory(ArrivalProcess::GetTypeId(), m_diagnostics);
    m_spec.load = m_json.Number("load", {ABOVE_ZERO, 1e6}, m_spec.load);
}

void
GeneratorReader::CheckPattern(uint32_t workers) const
{
    for (const auto& model : m_spec.models)
    {
        const auto refusal = m_spec.pattern.Create<CommunicationPattern>()->Refuse(
            {workers, m_spec.servers, model.profile.bytes});
        if (!refusal.empty())
        {
            m_json.At("pattern").Report(refusal);
            return;
        }
    }
}

/** Whatever is generated must fit on the empty cluster, and have an id. */
void
GeneratorReader::CheckSize() const
{
    const uint64_t gpus = CountGpus(m_context.cluster);
    std::vector<uint32_t> workers{m_spec.workers};
    if (!m_spec.sizes.empty())
    {
        workers.clear();
        for (const auto& size : m_spec.sizes)
        {
            workers.push_back(size.workers);
        }
    }
    uint64_t jobs = 0; // of the largest cojob
    for (const auto& shape : m_spec.ListShapes())
    {
        jobs = std::max<uint64_t>(jobs, shape.jobs);
    }
    for (const uint32_t each : workers)
    {
        const bool isShared = m_context.cluster.gpuMemory > 0; // then the placement policy knows
        if (!isShared && jobs * each > gpus)
        {
            m_json.Report("makes cojobs of " + std::to_string(jobs) + " jobs of " +
                          std::to_string(each) + " workers, " + std::to_string(jobs * each) +
                          " GPUs at the same time; the cluster has " + std::to_string(gpus));
        }
        CheckPattern(each);
    }
    if (jobs * m_spec.CountGroups() + m_spec.firstJob > MOST_ID)
    {
        m_json.Report("makes more than " + std::to_string(MOST_ID) + " jobs");
    }
}

} // namespace

GeneratorSpec
ReadGenerator(const JsonObject& json,
              const GeneratorContext& context,
              std::vector<Diagnostic>& diagnostics)
{
    return GeneratorReader(json, context, diagnostics).Read();
}

} // namespace ddl
} // namespace ns3
