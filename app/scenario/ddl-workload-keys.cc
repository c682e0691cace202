// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-keys.h"

#include "ns3/ddl-bucket-plan.h"
#include "ns3/ddl-check-workload.h"
#include "ns3/ddl-generated-cojobs.h"
#include "ns3/ddl-list-search-algorithm.h"
#include "ns3/ddl-none-search-algorithm.h"
#include "ns3/ddl-placement-policy.h"
#include "ns3/ddl-search-algorithm.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <set>

namespace ns3::ddl
{

namespace
{

/** \return true if a search compares the accuracies of jobs */
bool
LooksAtAccuracy(const ObjectFactory& search)
{
    const TypeId type = search.GetTypeId();
    return type != NoneSearchAlgorithm::GetTypeId() && type != ListSearchAlgorithm::GetTypeId();
}

/** \return true if the curve of a job has a loss, and nothing gives the job's accuracy */
bool
HasLossAlone(const JobSpec& job)
{
    return job.accuracy.empty() && job.curve && job.curve->points.empty() && job.curve->endLoss &&
           !job.curve->endAccuracy;
}

constexpr uint64_t LEAST_PACKET = 29; //!< least IPv4 packet, bytes: headers of IPv4 and UDP, and 1

/** Assigns the least free numbers; complains about numbers given twice. */
template <typename Id>
class Numbering
{
  public:
    void Take(Id id, const std::string& what, const JsonObject& json)
    {
        if (id.value != NO_ID && !m_taken.insert(id.value).second)
        {
            json.Report(what + " " + std::to_string(id.value) + " is there twice");
        }
    }

    /** \return the wanted number, or the least free one if the wanted one has been taken */
    Id GetFree(Id wanted)
    {
        return m_taken.insert(wanted.value).second ? wanted : GetFree();
    }

    Id GetFree()
    {
        while (!m_taken.insert(m_next).second)
        {
            ++m_next;
        }
        return Id{m_next};
    }

  private:
    std::set<uint32_t> m_taken;
    uint32_t m_next{1};
};

/** Complain if a cojob lacks "stages", or a plain job "stages" and "iterations". */
void
CheckStages(const JsonObject& json, std::vector<uint64_t>& stages, bool isPlain)
{
    const JsonValue list = json.At("stages");
    const bool isWrong = list.IsPresent() && !list.IsArray(); // reported when it was read
    if (stages.empty() && !isWrong)
    {
        json.Report(isPlain ? "has no \"iterations\" (a number), or \"stages\" (a list of numbers)"
                            : "has no \"stages\" (iterations of each stage, [500, 1000])");
    }
    if (stages.empty())
    {
        stages = {1};
    }
}

/** The lists "cojobs" and "jobs" of a scenario, which are one list in WorkloadSpec. */
class GroupKeys
{
  public:
    GroupKeys(WorkloadSpec& workload, const ClusterSpec& cluster)
        : m_workload(workload),
          m_cluster(cluster)
    {
    }

    /** The list of cojobs, or the list of plain jobs. */
    void AddList(Keys& keys, bool isPlain, const std::string& help)
    {
        std::vector<std::size_t> groups; // indices of the groups to write
        for (std::size_t i = 0; i < m_workload.groups.size(); ++i)
        {
            if (m_workload.groups[i].plain == isPlain)
            {
                groups.push_back(i);
            }
        }
        keys.Add(isPlain ? "jobs" : "cojobs",
                 {groups.size(),
                  []() {},
                  [this, isPlain](Keys& inner) {
                      CojobSpec fresh;
                      fresh.id = CojobId{NO_ID};
                      fresh.search.SetTypeId(NoneSearchAlgorithm::GetTypeId());
                      isPlain ? DescribePlainJob(inner, nullptr)
                              : DescribeCojob(inner, fresh, false);
                  },
                  [this, isPlain, groups](Keys& inner, std::size_t i) {
                      CojobSpec& group = m_workload.groups[groups[i]];
                      isPlain ? DescribePlainJob(inner, &group) : DescribeCojob(inner, group, true);
                  }},
                 help);
    }

    /** Number the cojobs and jobs without an id. A plain job forms a cojob with its own number. */
    void NumberRest()
    {
        for (auto& group : m_workload.groups)
        {
            for (auto& job : group.jobs)
            {
                job.id = job.id.value == NO_ID ? m_jobIds.GetFree() : job.id;
            }
            if (group.plain)
            {
                group.id = m_cojobIds.GetFree(CojobId{group.jobs.front().id.value});
            }
            else if (group.id.value == NO_ID)
            {
                group.id = m_cojobIds.GetFree();
            }
        }
    }

    /** Complain about groups that could never run, by their size or their placement. */
    void Check(FitCheck& fit) const
    {
        for (std::size_t i = 0; i < m_places.size(); ++i)
        {
            for (const auto& complaint : CheckWorkload({m_workload.groups[i]}, fit))
            {
                m_places[i].Report(complaint.what);
            }
        }
    }

  private:
    JobContext MakeContext(std::size_t stages) const
    {
        return {m_cluster, m_workload, stages};
    }

    /** \param isThere whether the workload has the cojob; if not, the cojob is added to it */
    void DescribeCojob(Keys& keys, CojobSpec& cojob, bool isThere)
    {
        keys.Add(Optional("id", "the least free"), cojob.id.value, {1, MOST_ID}, "given once");
        keys.Check([&](const JsonObject& json) { m_cojobIds.Take(cojob.id, "cojob", json); });
        keys.Add("submit", cojob.submit, {Time(0), GetLongestTime()}, "arrival; scaled by m x i");
        keys.Add(Optional("stages", "required"),
                 cojob.iterations,
                 {1, MOST_ITERATIONS},
                 "iterations of each stage, `[500, 1000]`; scaled by i");
        keys.Check([&](const JsonObject& json) { CheckStages(json, cojob.iterations, false); });
        keys.Policy("search",
                    cojob.search,
                    SearchAlgorithm::GetTypeId(),
                    "who stops after a stage");
        keys.Add(Optional("jobs", "required"),
                 {cojob.jobs.size(),
                  []() {},
                  [&](Keys& inner) { AppendJobs(inner, cojob); },
                  [&](Keys& inner, std::size_t i) {
                      JobEntry entry{cojob.jobs[i]};
                      Describe(inner, entry, MakeContext(cojob.iterations.size()));
                  }},
                 "the jobs of the cojob; together they must fit on the cluster");
        keys.Check([&](const JsonObject& json) {
            const JsonValue jobs = json.At("jobs");
            if (cojob.jobs.empty() && (jobs.IsArray() || !jobs.IsPresent()))
            {
                json.Report("has no \"jobs\" (a list of at least one)");
            }
            if (LooksAtAccuracy(cojob.search) &&
                std::any_of(cojob.jobs.begin(), cojob.jobs.end(), HasLossAlone))
            {
                json.At("search").Report(
                    "looks at accuracies, and a job's \"curve\" gives a \"loss\" alone (add "
                    "\"accuracy\": [start, end])");
            }
            m_places.push_back(json);
        });
        if (!isThere)
        {
            m_workload.groups.push_back(std::move(cojob));
        }
    }

    void AppendJobs(Keys& keys, CojobSpec& cojob)
    {
        JobEntry entry;
        entry.job.id = JobId{NO_ID};
        Describe(keys, entry, MakeContext(cojob.iterations.size()));
        for (const JobSpec& job : ListJobs(keys, entry))
        {
            cojob.jobs.push_back(job);
        }
    }

    /** \param group group of the workload; null: new jobs are read, and added to the workload */
    void DescribePlainJob(Keys& keys, CojobSpec* group)
    {
        JobEntry entry;
        entry.job.id = JobId{NO_ID};
        Time submit;
        std::vector<uint64_t> stages;
        uint64_t iterations = 0; // never written, since "stages" says the same
        if (group)
        {
            entry.job = group->jobs.front();
            submit = group->submit;
            stages = group->iterations;
        }
        keys.Add("submit", submit, {Time(0), GetLongestTime()}, "arrival; scaled by m x i");
        keys.Add(Optional("stages", "this or `iterations`"),
                 stages,
                 {1, MOST_ITERATIONS},
                 "iterations of each stage, all of which it runs; scaled by i");
        keys.Visit(Optional("iterations", "this or `stages`"),
                   UnlessOf(iterations, uint64_t{0}, {1, MOST_ITERATIONS}),
                   "iterations of computing and communicating; scaled by i");
        keys.Check([&](const JsonObject& json) {
            if (iterations > 0 && !stages.empty())
            {
                json.At("iterations").Report("stands beside \"stages\" (give one of them)");
            }
            stages = iterations > 0 ? std::vector<uint64_t>{iterations} : stages;
            CheckStages(json, stages, true);
        });
        Describe(keys, entry, MakeContext(stages.size()));
        if (!group)
        {
            for (const JobSpec& job : ListJobs(keys, entry))
            {
                m_workload.groups.push_back(MakePlainJob(job, submit, stages));
                keys.Check([this](const JsonObject& json) { m_places.push_back(json); });
            }
        }
    }

    /** \return the jobs that an entry stands for, with consecutive ids if it has an id */
    std::vector<JobSpec> ListJobs(Keys& keys, const JobEntry& entry)
    {
        std::vector<JobSpec> jobs(entry.count, entry.job);
        for (uint32_t i = 0; i < entry.count; ++i)
        {
            jobs[i].id = JobId{entry.job.id.value == NO_ID ? NO_ID : entry.job.id.value + i};
            keys.Check([&](const JsonObject& json) { m_jobIds.Take(jobs[i].id, "job", json); });
        }
        return jobs;
    }

    WorkloadSpec& m_workload;
    const ClusterSpec& m_cluster;
    std::vector<JsonObject> m_places; //!< JSON objects of the groups, for complaints
    Numbering<CojobId> m_cojobIds;
    Numbering<JobId> m_jobIds;
};

void
Describe(Keys& keys, BackgroundFlowSpec& flow, const ClusterBounds& bounds)
{
    using Kind = BackgroundFlowSpec::Kind;
    const JsonRange<Time> times{Time(0), GetLongestTime()};
    const uint64_t lastHost = bounds.hosts - 1;
    keys.Add(Required("source"), flow.source.value, {0, lastHost}, "machine that sends");
    keys.Add(Required("destination"), flow.destination.value, {0, lastHost}, "another machine");
    keys.Choice("kind",
                flow.kind,
                {{"constant-rate", Kind::CONSTANT_RATE}, {"elastic", Kind::ELASTIC}},
                "UDP packets of one size, evenly spaced; or messages on a stream of the transport");
    keys.When(flow.kind == Kind::CONSTANT_RATE, "constant-rate", [&]() {
        flow.rate = std::min(flow.rate, bounds.hostRate);
        flow.packetSize = std::min<uint64_t>(flow.packetSize, bounds.mtu);
        keys.Add("rate",
                 flow.rate,
                 "of IPv4 packets, headers included; up to `hostRate`",
                 {DataRate(1), bounds.hostRate});
        keys.Add("packetSize",
                 flow.packetSize,
                 {LEAST_PACKET, bounds.mtu},
                 "bytes of an IPv4 packet, up to the MTU");
    });
    keys.When(flow.kind == Kind::ELASTIC, "elastic", [&]() {
        keys.Size("bytes", flow.bytes, "of a message; scaled by m", {1, MAX_BYTES});
        keys.Add("repeat", flow.repeat, "message after message; `false`: one");
    });
    keys.Add("start", flow.start, times, "simulated time; scaled by m x i");
    keys.Add("stop", flow.stop, times, "simulated time, after start; `0s`: never; scaled by m x i");
    // A band or codepoint that does not exist would otherwise fail only during the run.
    flow.mark.band = std::min<uint64_t>(flow.mark.band, bounds.bands - 1);
    keys.Add("band", flow.mark.band, {0, bounds.bands - 1}, "of the sender's NIC");
    keys.Add("dscp", flow.mark.dscp, {0, 63}, "codepoint in the packets");
    keys.Check([&](const JsonObject& json) {
        const auto complaint = CheckBackgroundFlow(flow, static_cast<uint32_t>(bounds.hosts));
        if (json.Has("source") && json.Has("destination") && !complaint.empty())
        {
            json.Report(complaint);
        }
    });
}

/** \return first free ids of cojobs and of jobs, above those that are written out */
SourceContext
MakeSourceContext(const std::vector<CojobSpec>& groups, const ClusterSpec& cluster)
{
    uint32_t cojob = 0;
    uint32_t job = 0;
    for (const auto& group : groups)
    {
        cojob = std::max(cojob, group.id.value);
        for (const auto& member : group.jobs)
        {
            job = std::max(job, member.id.value);
        }
    }
    return {cluster, cojob + 1, job + 1};
}

/** \return true if no diagnostic is about the workload or the cluster */
bool
IsSound(const std::vector<Diagnostic>& diagnostics)
{
    return std::none_of(diagnostics.begin(), diagnostics.end(), [](const auto& diagnostic) {
        return diagnostic.pointer.rfind("/workload", 0) == 0 ||
               diagnostic.pointer.rfind("/cluster", 0) == 0;
    });
}

/** Complain about jobs of a generator or of a trace that could never run. */
void
CheckSources(const JsonObject& workload, const WorkloadSpec& spec, FitCheck& fit)
{
    if (spec.generator)
    {
        for (const CojobSpec& group : ListDemands(*spec.generator))
        {
            for (const auto& complaint : fit.Check(group))
            {
                workload.At("generator").Report(complaint.what);
            }
        }
    }
    if (!spec.trace)
    {
        return;
    }
    for (const auto& [line, group] : ListDemands(*spec.trace, spec.replay))
    {
        for (const auto& complaint : fit.Check(group))
        {
            workload.GetDiagnostics().push_back(
                {spec.trace->name + ":" + std::to_string(line), "", complaint.what});
        }
    }
}

void
DescribeCompute(Keys& keys, WorkloadSpec& workload)
{
    const TypeId family = RandomVariableStream::GetTypeId();
    keys.Policy("jitter",
                workload.noise.jitter,
                family,
                "a distribution: factor of each worker's time of an iteration");
    keys.Policy("straggler",
                workload.noise.straggler,
                family,
                "a distribution: factor of each worker, drawn once");
    keys.Add("ratio",
             workload.computeRatio,
             {0, 1e6},
             "ratio of compute time to communication time, for models whose paper gives no "
             "compute time");
    keys.Add("all",
             workload.ratioForAll,
             "the ratio holds for all models, also those with times of their own");
}

void
Describe(Keys& keys, OverlapSpec& overlap)
{
    keys.Visit(Optional("buckets", "each layer is one; without layers 1"),
               UnlessOf(overlap.buckets, uint32_t{0}, {1, MOST_BUCKETS}),
               "parts of about equal bytes in which gradients are computed and sent; neighbouring "
               "layers are merged; 1: all at the end of the backward pass");
    keys.Size("bucketSize",
              overlap.bucketSize,
              "instead of `buckets`: neighbouring layers are merged until they have this size or "
              "more (PyTorch: `25MiB`); without layers, equal parts of at most this size, at most "
              "1024; `0B`: by `buckets`");
    keys.Check([&overlap](const JsonObject& json) {
        if (overlap.buckets > 0 && overlap.bucketSize > 0)
        {
            json.At("bucketSize").Report("stands beside \"buckets\" (give one of them)");
        }
    });
    keys.Choice("order",
                overlap.serial,
                {{"concurrent", false}, {"serial", true}},
                "a worker sends a bucket as soon as it is computed, or when the transfers of the "
                "bucket before have also ended there");
    keys.Add("backward",
             overlap.backward,
             "buckets are sent while the backward pass goes on; `false`: all of them after it");
}

} // namespace

void
Describe(Keys& keys,
         WorkloadSpec& workload,
         const ClusterSpec& cluster,
         const ObjectFactory& placement,
         const ClusterBounds& bounds)
{
    keys.Object(
        "compute",
        [&workload](Keys& inner) { DescribeCompute(inner, workload); },
        "compute times of all jobs");
    keys.Object(
        "overlap",
        [&workload](Keys& inner) { Describe(inner, workload.overlap); },
        "of the backward pass with communication, in all jobs");
    GroupKeys groups(workload, cluster);
    groups.AddList(keys, false, "groups of jobs that are searched together");
    groups.AddList(keys, true, "jobs of their own");
    keys.Check([&](const JsonObject&) {
        groups.NumberRest();
        for (auto& group : workload.groups)
        {
            for (auto& job : group.jobs)
            {
                job.noise = workload.noise;
                job.overlap = workload.overlap;
            }
        }
    });
    keys.Add(
        "background",
        workload.background,
        BackgroundFlowSpec(),
        [&](Keys& inner, BackgroundFlowSpec& flow) { Describe(inner, flow, bounds); },
        "traffic that belongs to no job");
    DescribeSources(keys, workload, MakeSourceContext(workload.groups, cluster));
    keys.Check([&](const JsonObject& json) {
        const bool isEmpty = workload.groups.empty() && !workload.generator && !json.Has("trace");
        if (isEmpty && json.IsPresent())
        {
            json.Report("has nothing to do (\"cojobs\" or \"jobs\", a list of at least one, a "
                        "\"generator\", or a \"trace\")");
        }
        if (IsSound(json.GetDiagnostics()) && placement.IsTypeIdSet())
        {
            FitCheck fit(MakeEmptyView(cluster), placement.Create<PlacementPolicy>());
            groups.Check(fit);
            CheckSources(json, workload, fit);
        }
    });
}

} // namespace ns3::ddl
