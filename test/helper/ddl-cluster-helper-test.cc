// SPDX-License-Identifier: GPL-2.0-only
// ClusterHelper: own topologies, sentences for what is wrong, configuration paths, several clusters
// in one process, results from a script.
#include "ddl-process-state.h"
#include "ddl-scratch-folder.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/ddl-agent.h"
#include "ns3/ddl-cluster-helper.h"
#include "ns3/ddl-cluster-simulation.h"
#include "ns3/ddl-cluster.h"
#include "ns3/ddl-coordinator.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-job-manager.h"
#include "ns3/ddl-none-search-algorithm.h"
#include "ns3/ddl-result-tables.h"
#include "ns3/ddl-run-recorder.h"
#include "ns3/ddl-summary.h"
#include "ns3/ddl-transport.h"
#include "ns3/double.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/ipv4-flow-classifier.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class ClusterHelperTest : public ScratchFolder
{
  protected:
    void TearDown() override
    {
        Simulator::Destroy();
        ScratchFolder::TearDown();
    }

    /** \return so many hosts of 10 Gbps at one switch, ready to use */
    static Ptr<Fabric> MakeStar(uint32_t hosts)
    {
        auto fabric = CreateObject<Fabric>();
        auto top = fabric->AddSwitch("top");
        for (uint32_t host = 0; host < hosts; ++host)
        {
            fabric->Connect(fabric->AddHost(), top, DataRate("10Gbps"), MicroSeconds(1));
        }
        fabric->ComputeRoutes();
        fabric->InstallStack();
        return fabric;
    }

    /** \return a job that computes 1 ms and moves 1 MB in each iteration */
    static JobSpec MakeJob(uint32_t workers, uint32_t servers = 0)
    {
        JobSpec job;
        job.model.name = "m";
        job.model.bytes = 1000000;
        job.model.forward = MilliSeconds(1);
        job.workers = workers;
        job.servers = servers;
        return job;
    }

    /** \return what the InputError says that a call throws; "" when it throws none */
    static std::string Complaint(const std::function<void()>& call)
    {
        try
        {
            call();
        }
        catch (const InputError& error)
        {
            return error.what();
        }
        return "";
    }

    /** \return what a ring of 3 on a star of 4 measures */
    static RunResult RunRing(const ClusterHelper& helper)
    {
        auto cluster = helper.Install(MakeStar(4));
        RunRecorder recorder(cluster, {"iterations"});
        JobSpec job = MakeJob(3);
        job.placement = Placement{{{HostId{0}, 0}, {HostId{1}, 0}, {HostId{2}, 0}}, {}};
        cluster->Submit(job, {2, 1}, MilliSeconds(1));
        Simulator::Run();
        RunResult result = recorder.TakeResult();
        Simulator::Destroy();
        return result;
    }

    static std::string Describe(const RunResult& result)
    {
        return FindTable("jobs").Format(result) + FindTable("stages").Format(result) +
               FindTable("iterations").Format(result) + FindTable("ports").Format(result) +
               FindTable("remarks").Format(result) + FindTable("schedule").Format(result);
    }
};

} // namespace

TEST_F(ClusterHelperTest, ChangedDefaultsOfNs3Hold)
{
    const ProcessStateGuard guard;
    Config::SetDefault("ns3::ddl::Coordinator::Period", TimeValue(MilliSeconds(10)));
    Config::SetDefault("ns3::ddl::Agent::ControlAcks", BooleanValue(true));
    Config::SetDefault("ns3::ddl::Coordinator::CommonPriorities", BooleanValue(true));
    const auto read = [](const ClusterHelper& helper) {
        auto cluster = helper.Install(MakeStar(2));
        TimeValue period;
        BooleanValue acks;
        BooleanValue common;
        cluster->GetCoordinator()->GetAttribute("Period", period);
        cluster->GetAgent(0)->GetAttribute("ControlAcks", acks);
        cluster->GetCoordinator()->GetAttribute("CommonPriorities", common);
        Simulator::Destroy();
        return std::make_tuple(period.Get(), acks.Get(), common.Get());
    };
    ClusterHelper helper;
    EXPECT_EQ(read(helper), std::make_tuple(Time(MilliSeconds(10)), true, true));
    helper.SetPeriod(MilliSeconds(20));
    helper.SetControlAcks(false);
    helper.SetCommonPriorities(false);
    EXPECT_EQ(read(helper), std::make_tuple(Time(MilliSeconds(20)), false, false));
}

TEST_F(ClusterHelperTest, ThreeUnequalRacks)
{
    // Racks of 1, 2 and 3 machines at a core switch; 2 GPUs per machine, but 5 on the last one.
    auto fabric = CreateObject<Fabric>();
    auto core = fabric->AddSwitch("core");
    for (const uint32_t machines : {1, 2, 3})
    {
        auto top = fabric->AddSwitch("rack" + std::to_string(machines));
        fabric->Connect(top, core, DataRate(10000000000ULL * machines), MicroSeconds(1));
        for (uint32_t i = 0; i < machines; ++i)
        {
            fabric->Connect(fabric->AddHost(), top, DataRate("10Gbps"), MicroSeconds(1));
        }
    }
    fabric->ComputeRoutes();
    fabric->InstallStack();
    ClusterHelper helper;
    helper.SetGpus(2);
    helper.SetGpus(HostId{5}, 5, FindGpuType("T4"));
    auto cluster = helper.Install(fabric);
    EXPECT_EQ(cluster->GetMachineCount(), 6U);
    EXPECT_EQ(cluster->GetMachines()->GetGpuCount(), 5U * 2 + 5);
    EXPECT_EQ(cluster->GetMachine(5)->GetGpuType().name, "T4");
    RunRecorder recorder(cluster);
    // All 15 GPUs: 1 ms takes 1 * 7/2 ms on a T4. A ring of 15 sends 2 * 14/15 MB per worker.
    cluster->Submit(MakeJob(15), {2}, Seconds(0));
    Simulator::Run();
    const RunResult result = recorder.TakeResult();
    EXPECT_EQ(result.status, RunResult::Status::DONE);
    ASSERT_EQ(result.jobs.size(), 1U);
    EXPECT_EQ(result.jobs[0].bytes, 2U * 2 * 14 * 1000000);
    EXPECT_GE(result.jobs[0].GetJct(), 2 * 0.0035);
    EXPECT_GT(fabric->GetPort("rack1", "core")->GetCounters(1).bytes, 2U * 2 * 14 * 1000000 / 15);
}

TEST_F(ClusterHelperTest, WrongTypesGiveASentence)
{
    ClusterHelper helper;
    EXPECT_EQ(Complaint([&] { helper.SetTransport("rmda"); }),
              "unknown transport \"rmda\" (one of fluid, rdma, tcp); did you mean \"rdma\"?");
    EXPECT_EQ(Complaint([&] { helper.SetControlPlane("ns3::ddl::RdmaTransport"); }),
              "unknown control-plane \"ns3::ddl::RdmaTransport\" (one of direct, in-band)");
    EXPECT_NE(Complaint([&] { helper.SetNetworkScheduler("groupper"); }).find("\"grouper\"?"),
              std::string::npos);
    EXPECT_NE(Complaint([&] { helper.SetGate(""); }), "");
    EXPECT_NE(Complaint([&] { helper.SetJobQueue("lifo"); }), "");
    EXPECT_NE(Complaint([&] { helper.SetPlacement("first-fitt"); }), "");
    EXPECT_NE(Complaint([&] { helper.SetTaskQueue("ns3::Node"); }), "");
}

TEST_F(ClusterHelperTest, WrongAttributesGiveASentence)
{
    ClusterHelper helper;
    const auto set = [&helper](const std::string& name, const AttributeValue& value) {
        return Complaint([&] { helper.SetTransport("tcp", name, value); });
    };
    const std::string unknown = set("MinRtoo", TimeValue(MilliSeconds(1)));
    EXPECT_EQ(unknown.find("MinRtoo: unknown attribute of ns3::ddl::TcpTransport ("), 0U);
    EXPECT_NE(unknown.find("did you mean \"MinRto\"?"), std::string::npos) << unknown;
    EXPECT_EQ(set("MinRto", DoubleValue(0.1)).find("MinRto: the value is of another kind"), 0U);
    EXPECT_EQ(set("MinRto", StringValue("soon")).find("MinRto: "), 0U);
    EXPECT_EQ(set("MinRto", StringValue("1ms")), "");
    EXPECT_EQ(set("MinRto", TimeValue(MilliSeconds(1))), "");
    const std::string second = Complaint(
        [&] { helper.SetPlacement("lwf", "Kappa", UintegerValue(2), "Capa", UintegerValue(1)); });
    EXPECT_EQ(second.find("Capa: unknown attribute"), 0U) << second;
}

TEST_F(ClusterHelperTest, ChosenAttributesArrive)
{
    ClusterHelper helper;
    helper.SetTransport("ns3::ddl::TcpTransport",
                        "MinRto",
                        TimeValue(MilliSeconds(7)),
                        "CongestionControl",
                        StringValue("cubic"));
    helper.SetNetworkScheduler("grouper");
    helper.SetPeriod(MilliSeconds(3));
    helper.SetCoordinator(HostId{1});
    auto cluster = helper.Install(MakeStar(2));
    TimeValue time;
    cluster->GetTransport()->GetAttribute("MinRto", time);
    EXPECT_EQ(time.Get(), MilliSeconds(7));
    cluster->GetCoordinator()->GetAttribute("Period", time);
    EXPECT_EQ(time.Get(), MilliSeconds(3));
    EXPECT_EQ(cluster->GetParts().control->GetCoordinator(), HostId{1});
    EXPECT_EQ(cluster->GetParts().scheduler->GetInstanceTypeId().GetName(),
              "ns3::ddl::GrouperNetworkScheduler");
}

TEST_F(ClusterHelperTest, AFabricThatIsNotReadyIsRefusedWithAllThatIsMissing)
{
    ClusterHelper helper;
    EXPECT_EQ(Complaint([&] { helper.Install(CreateObject<Fabric>()); }),
              "the fabric has no host: call Fabric::AddHost and Connect\n"
              "the fabric has no routes: call Fabric::ComputeRoutes\n"
              "the coordinator is on host 0; the fabric has 0");
    auto fabric = CreateObject<Fabric>();
    fabric->Connect(fabric->AddHost(), fabric->AddSwitch("s"), DataRate("1Gbps"), Time(0));
    helper.SetGpus(HostId{3}, 1);
    EXPECT_EQ(Complaint([&] { helper.Install(fabric); }),
              "the fabric has no routes: call Fabric::ComputeRoutes\n"
              "the hosts have no IP stack: call Fabric::InstallStack\n"
              "GPUs are on host 3; the fabric has 1");
}

TEST_F(ClusterHelperTest, JobsThatCannotRunAreRefused)
{
    ClusterHelper helper;
    helper.SetGpus(1);
    auto cluster = helper.Install(MakeStar(2));
    const auto submit = [&](const JobSpec& job, const std::vector<uint64_t>& iterations) {
        return Complaint([&] { cluster->Submit(job, iterations, Seconds(0)); });
    };
    EXPECT_NE(submit(MakeJob(3), {1}).find("needs 3 GPUs at the same time; the cluster has 2"),
              std::string::npos);
    EXPECT_EQ(submit(MakeJob(0), {1}), "job 1: it has no worker");
    EXPECT_EQ(submit(MakeJob(1), {1, 0}), "a stage has no iteration");
    EXPECT_EQ(submit(MakeJob(1), {}), "job 1 has no jobs or no stages");
    JobSpec servers = MakeJob(1, 1);
    servers.pattern.SetTypeId("ns3::ddl::RingCommunicationPattern");
    EXPECT_EQ(submit(servers, {1}).find("job 1: "), 0U);
    JobSpec numbered = MakeJob(1);
    numbered.id = JobId{7};
    EXPECT_EQ(submit(numbered, {1}), "");
    EXPECT_NE(submit(numbered, {1}).find("job 7 is there twice"), std::string::npos);
    EXPECT_EQ(cluster->Submit(MakeJob(1), {1}, Seconds(0)), JobId{8}); // the next one
    EXPECT_EQ(cluster->Submit(MakeJob(1, 1), {1}, Seconds(0)), JobId{9});
    CojobSpec cojob;
    cojob.iterations = {1};
    cojob.jobs = {MakeJob(1), MakeJob(1)};
    EXPECT_EQ(cluster->Submit(cojob, Seconds(0)), CojobId{10});
    Simulator::Run();
    EXPECT_TRUE(cluster->GetJobManager()->IsDone());
    EXPECT_EQ(Complaint([&] { cluster->Submit(MakeJob(1), {1}, Time(0)); }),
              "the time of arrival is in the past");
}

TEST_F(ClusterHelperTest, OneAfterAnotherIsTheSameEachTime)
{
    for (const char* transport : {"tcp", "rdma", "fluid"})
    {
        SCOPED_TRACE(transport);
        ClusterHelper helper;
        helper.SetTransport(transport);
        const RunResult first = RunRing(helper);
        EXPECT_EQ(first.status, RunResult::Status::DONE);
        EXPECT_EQ(first.stages.size(), 0U); // of cojobs only
        EXPECT_EQ(first.iterations.size(), 3U);
        EXPECT_EQ(Describe(first), Describe(RunRing(helper)));
    }
}

TEST_F(ClusterHelperTest, TwoAtOnceAreRefused)
{
    auto one = ClusterHelper().Install(MakeStar(2));
    EXPECT_EQ(Complaint([] { ClusterHelper().Install(MakeStar(2)); }),
              "there is a training cluster already: Simulator::Destroy ends it");
    one->Dispose();
    EXPECT_TRUE(ClusterHelper().Install(MakeStar(2)));
}

TEST_F(ClusterHelperTest, TheSameClusterRunsTwice)
{
    auto cluster = ClusterHelper().Install(MakeStar(2));
    RunRecorder recorder(cluster);
    cluster->Submit(MakeJob(8), {2}, Seconds(0));
    Simulator::Run();
    EXPECT_TRUE(cluster->GetJobManager()->IsDone());
    const Time between = Simulator::Now();
    const JobId second = cluster->Submit(MakeJob(8), {2}, between + Seconds(1));
    EXPECT_EQ(second, JobId{2});
    EXPECT_FALSE(cluster->GetJobManager()->IsDone());
    Simulator::Run();
    const RunResult result = recorder.TakeResult();
    ASSERT_EQ(result.jobs.size(), 2U);
    EXPECT_EQ(result.jobs[1].submit, between + Seconds(1));
    EXPECT_GT(result.jobs[1].GetJct(), 0.002);
    EXPECT_EQ(result.jobs[0].bytes, result.jobs[1].bytes);
}

TEST_F(ClusterHelperTest, EndsInTheMiddleOfARunWithoutATrace)
{
    for (const char* transport : {"tcp", "rdma", "fluid"})
    {
        SCOPED_TRACE(transport);
        ClusterHelper helper;
        helper.SetTransport(transport);
        auto cluster = helper.Install(MakeStar(2));
        RunRecorder recorder(cluster);
        cluster->Submit(MakeJob(8), {1000}, Seconds(0));
        Simulator::Stop(MilliSeconds(5));
        Simulator::Run();
        const RunResult result = recorder.TakeResult();
        EXPECT_EQ(result.status, RunResult::Status::UNFINISHED);
        ASSERT_EQ(result.unfinished.size(), 1U);
        EXPECT_EQ(result.unfinished[0].what, "job 1");
        Simulator::Destroy();
        EXPECT_FALSE(cluster->GetFabric()); // disposed
    }
}

TEST_F(ClusterHelperTest, ConfigPathsLeadToEveryPart)
{
    ClusterHelper helper;
    helper.SetGpus(2);
    helper.SetNetworkScheduler("grouper");
    auto cluster = helper.Install(MakeStar(2));
    Config::Set("/TrainingCluster/Coordinator/Period", TimeValue(MilliSeconds(5)));
    TimeValue period;
    cluster->GetCoordinator()->GetAttribute("Period", period);
    EXPECT_EQ(period.Get(), MilliSeconds(5));
    Config::Set("/TrainingCluster/Agents/1/ControlAcks", StringValue("true"));
    std::map<std::string, uint32_t> calls;
    std::function<void(std::string, GpuId, const GpuTask&)> task =
        [&](std::string path, GpuId, const GpuTask&) { ++calls[path]; };
    Config::Connect("/TrainingCluster/Machines/*/Gpus/1/TaskStart",
                    Callback<void, std::string, GpuId, const GpuTask&>(task));
    std::function<void(std::string, const RemarkRecord&)> remark =
        [&](std::string path, const RemarkRecord&) { ++calls[path]; };
    Config::Connect("/TrainingCluster/Agents/*/Remark",
                    Callback<void, std::string, const RemarkRecord&>(remark));
    std::function<void(std::string, const ScheduleRecord&)> schedule =
        [&](std::string path, const ScheduleRecord&) { ++calls[path]; };
    Config::Connect("/TrainingCluster/Coordinator/Schedule",
                    Callback<void, std::string, const ScheduleRecord&>(schedule));
    EXPECT_EQ(Config::LookupMatches("/TrainingCluster/Transport").GetN(), 1U);
    EXPECT_EQ(Config::LookupMatches("/NodeList/*/DeviceList/*/$ns3::ddl::HostPort").GetN(), 2U);
    cluster->Submit(MakeJob(4), {3}, Seconds(0));
    Simulator::Run();
    EXPECT_EQ(calls["/TrainingCluster/Machines/0/Gpus/1/TaskStart"], 3U); // iterations
    EXPECT_EQ(calls["/TrainingCluster/Machines/1/Gpus/1/TaskStart"], 3U);
    EXPECT_GT(calls["/TrainingCluster/Agents/0/Remark"], 0U);
    EXPECT_GT(calls["/TrainingCluster/Coordinator/Schedule"], 0U);
    Simulator::Destroy();
    EXPECT_EQ(Config::LookupMatches("/TrainingCluster/Coordinator").GetN(), 0U);
}

TEST_F(ClusterHelperTest, FlowMonitorSeesTheBytesOfTheJob)
{
    auto fabric = MakeStar(2);
    ClusterHelper helper;
    helper.SetControlPlane("direct"); // so that all that crosses the fabric is the job's
    helper.SetGpus(1);
    auto cluster = helper.Install(fabric);
    NodeContainer hosts;
    hosts.Add(fabric->GetHost(HostId{0}));
    hosts.Add(fabric->GetHost(HostId{1}));
    FlowMonitorHelper monitorHelper;
    auto monitor = monitorHelper.Install(hosts);
    cluster->Submit(MakeJob(2), {2}, Seconds(0));
    Simulator::Stop(Seconds(1)); // FlowMonitor looks at its flows again and again
    Simulator::Run();
    EXPECT_TRUE(cluster->GetJobManager()->IsDone());
    uint64_t payload = 0;
    for (const auto& flow : monitor->GetFlowStats())
    {
        EXPECT_EQ(flow.second.txPackets, flow.second.rxPackets);
        payload += flow.second.rxBytes;
    }
    // 2 workers x 2 iterations x 2 (N - 1) M / N = 4 MB, and headers and acknowledgements.
    EXPECT_GT(payload, 4000000U);
    EXPECT_LT(payload, 4000000U * 1.1);
}

TEST_F(ClusterHelperTest, AScenarioDoesTheSameByTheHelper)
{
    Scenario scenario;
    scenario.output.tables = {"iterations"};
    scenario.cluster.topology.shape.Set("Leaves", UintegerValue(1));
    scenario.cluster.topology.shape.Set("Spines", UintegerValue(1));
    scenario.scheduling.network.SetTypeId("ns3::ddl::GrouperNetworkScheduler");
    JobSpec job = MakeJob(6);
    job.id = JobId{1};
    job.pattern.SetTypeId("ns3::ddl::RingCommunicationPattern");
    scenario.workload.groups = {MakePlainJob(job, MilliSeconds(2), {3})};
    std::string expected;
    {
        ClusterSimulation simulation(scenario);
        expected = Describe(simulation.Run());
    }
    auto fabric = CreateObject<Fabric>();
    auto leaf = fabric->AddSwitch("leaf0");
    for (uint32_t host = 0; host < 4; ++host)
    {
        fabric->Connect(fabric->AddHost(), leaf, DataRate("10Gbps"), MicroSeconds(1));
    }
    fabric->Connect(leaf, fabric->AddSwitch("spine0"), DataRate("10Gbps"), MicroSeconds(1));
    fabric->ComputeRoutes();
    fabric->InstallStack();
    ClusterHelper helper;
    helper.SetNetworkScheduler("grouper");
    auto cluster = helper.Install(fabric);
    RunRecorder recorder(cluster, {"iterations"});
    cluster->GetJobManager()->TraceConnectWithoutContext(
        "AllDone",
        MakeCallback(static_cast<void (*)()>(&Simulator::Stop))); // as a ClusterSimulation does
    cluster->Submit(job, {3}, MilliSeconds(2));
    Simulator::Run();
    EXPECT_EQ(Describe(recorder.TakeResult()), expected);
}

TEST_F(ClusterHelperTest, TablesThatNeedAnotherSettingAreRefusedByName)
{
    auto cluster = ClusterHelper().Install(MakeStar(2));
    for (const auto& [table, key] :
         std::map<std::string, std::string>{{"series", "output.series"},
                                            {"samples", "fidelity=sampled"},
                                            {"nothing", "there is no result table"}})
    {
        try
        {
            RunRecorder recorder(cluster, {table});
            FAIL() << table << " was taken";
        }
        catch (const InputError& error)
        {
            EXPECT_NE(std::string(error.what()).find(key), std::string::npos) << error.what();
        }
    }
    RunRecorder recorder(cluster, {"jobs", "waits"});
}

TEST_F(ClusterHelperTest, AScriptsResultsAreTheStandardFiles)
{
    auto cluster = ClusterHelper().Install(MakeStar(2));
    RunRecorder recorder(cluster, {"iterations"});
    cluster->Submit(MakeJob(8), {2}, Seconds(0));
    Simulator::Run();
    const RunResult result = recorder.TakeResult();
    RunIdentity identity;
    identity.name = "script";
    WriteResults(m_folder / "out", identity, result);
    EXPECT_EQ(Read("out/jobs.csv"), FindTable("jobs").Format(result));
    EXPECT_EQ(Read("out/runs.csv"), FindTable("runs").Format(result));
    EXPECT_EQ(Read("out/ports.csv"), FindTable("ports").Format(result));
    EXPECT_EQ(Read("out/remarks.csv"), FindTable("remarks").Format(result));
    EXPECT_EQ(Read("out/schedule.csv"), FindTable("schedule").Format(result));
    EXPECT_EQ(Read("out/iterations.csv"), FindTable("iterations").Format(result));
    const auto summary = nlohmann::json::parse(Read("out/summary.json"));
    EXPECT_EQ(summary["name"], "script");
    EXPECT_EQ(summary["status"], "done");
    EXPECT_TRUE(summary["scenario"].is_null());
    // stages, jobs, runs, ports, remarks, schedule, iterations
    EXPECT_EQ(summary["files"].size(), 7U);
    EXPECT_EQ(summary["files"]["jobs.csv"], FindTable("jobs").Format(result).size());
}

TEST_F(ClusterHelperTest, RowsThatWentToFilesStayAsTheyAre)
{
    Scenario scenario;
    JobSpec job = MakeJob(8, 2);
    job.id = JobId{1};
    job.pattern.SetTypeId("ns3::ddl::ParameterServerCommunicationPattern");
    scenario.workload.groups = {MakePlainJob(job, Seconds(0), {2})};
    const auto write = [&](const std::string& name, bool rows) {
        ClusterSimulation simulation(scenario);
        std::filesystem::create_directory(m_folder / name);
        if (rows)
        {
            simulation.EnableRows((m_folder / name).string());
        }
        const RunResult result = simulation.Run();
        EXPECT_EQ(result.remarks.empty(), rows);
        simulation.WriteResults((m_folder / name).string(), result);
    };
    write("kept", false);
    write("as-they-come", true);
    for (const auto& name :
         {"stages.csv", "jobs.csv", "ports.csv", "remarks.csv", "schedule.csv", "summary.json"})
    {
        SCOPED_TRACE(name);
        EXPECT_NE(Read(std::string("kept/") + name), "");
        EXPECT_EQ(Read(std::string("kept/") + name), Read(std::string("as-they-come/") + name));
    }
}

TEST_F(ClusterHelperTest, TheSeedOfTheCommandLineCountsUnlessTheScenarioHasOne)
{
    Scenario scenario;
    JobSpec job = MakeJob(8);
    job.id = JobId{1};
    job.pattern.SetTypeId("ns3::ddl::RingCommunicationPattern");
    job.noise.jitter.SetTypeId("ns3::UniformRandomVariable");
    job.noise.jitter.Set("Min", DoubleValue(0.5));
    scenario.workload.groups = {MakePlainJob(job, Seconds(0), {3})};
    const auto run = [&scenario](std::optional<uint32_t> seed) {
        scenario.seed = seed;
        ClusterSimulation simulation(scenario);
        EXPECT_EQ(RngSeedManager::GetSeed(), ToRngSeed(seed.value_or(7)));
        return Describe(simulation.Run());
    };
    const ProcessStateGuard guard;
    RngSeedManager::SetSeed(7); // what --RngSeed=7 does
    RngSeedManager::SetRun(3);
    const std::string own = run(std::nullopt);
    const std::string third = run(3);
    EXPECT_EQ(RngSeedManager::GetSeed(), 7U); // given back
    EXPECT_EQ(RngSeedManager::GetRun(), 3U);
    EXPECT_NE(own, third);
    EXPECT_EQ(own, run(7));
    EXPECT_EQ(own, run(std::nullopt));
    RngSeedManager::SetRun(4);
    EXPECT_NE(own, run(7));
}

TEST_F(ClusterHelperTest, DrawsOfDifferentSeedsAreIndependent)
{
    // ns-3's draws of seed k are k times those of seed 1, modulo 1: with seeds 1 and 2 as they are
    // the correlation is 0.5.
    constexpr int DRAWS = 4000;
    std::vector<std::vector<double>> draws;
    for (uint32_t seed = 1; seed <= 8; ++seed)
    {
        const SeedGuard guard(seed);
        auto uniform = CreateObject<UniformRandomVariable>();
        uniform->SetStream(17);
        draws.emplace_back();
        for (int i = 0; i < DRAWS; ++i)
        {
            draws.back().push_back(uniform->GetValue() - 0.5);
        }
    }
    for (std::size_t a = 0; a < draws.size(); ++a)
    {
        for (std::size_t b = 0; b < a; ++b)
        {
            double sum = 0;
            for (int i = 0; i < DRAWS; ++i)
            {
                sum += draws[a][i] * draws[b][i];
            }
            EXPECT_LT(std::abs(12 * sum / DRAWS), 0.07) << a + 1 << " and " << b + 1; // 4.4 sigma
        }
    }
    EXPECT_EQ(ToRngSeed(1), 1U); // ns-3's default
    EXPECT_LE(ToRngSeed(LARGEST_SEED), LARGEST_SEED);
    EXPECT_GE(ToRngSeed(LARGEST_SEED), 1U);
}

TEST_F(ClusterHelperTest, ASeedThatGaveUpIsGivenBack)
{
    Scenario scenario;
    scenario.seed = 5;
    JobSpec job = MakeJob(1000);
    job.id = JobId{1};
    job.pattern.SetTypeId("ns3::ddl::RingCommunicationPattern");
    scenario.workload.groups = {MakePlainJob(job, Seconds(0), {3})};
    EXPECT_THROW(ClusterSimulation{scenario}, InputError);
    EXPECT_EQ(RngSeedManager::GetSeed(), 1U);
}
