// SPDX-License-Identifier: GPL-2.0-only
// What contention between all-reduces costs, and whether ada-dual decides well, packet by packet.
//
//   ddl-gate-study calibration [TRANSPORT...]   a, b and eta of T = a + k b M + (k - 1) eta M
//   ddl-gate-study theorems [TRANSPORT]         two tasks: start now, or wait?
//
// Transports: tcp-dctcp, tcp-cubic, rdma-dctcp. Prints CSV (doc/gates.md).
#include "ns3/ddl-cluster-simulation.h"
#include "ns3/ddl-communication-gate.h"
#include "ns3/ddl-contention-model.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-none-search-algorithm.h"
#include "ns3/ddl-transport.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <boost/numeric/ublas/lu.hpp>
#include <boost/numeric/ublas/matrix.hpp>
#include <boost/numeric/ublas/vector.hpp>
#include <cmath>
#include <iostream>
#include <map>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr uint32_t MOST_TASKS = 8;
constexpr uint64_t KILOBYTE = 1000;
constexpr double SECONDS_PER_BYTE = 0.9e-9; //!< about the time that a task takes alone, s per byte
constexpr uint32_t TURNS = 5;               //!< about the number of measured all-reduces per task

/** Two machines on one switch at 10 Gbps, each with a GPU for every task. */
Scenario
MakeScenario(const std::string& transport)
{
    Scenario scenario;
    scenario.name = "gate-study";
    scenario.cluster.topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
    scenario.cluster.topology.shape.Set("Hosts", UintegerValue(2));
    scenario.cluster.gpus = MOST_TASKS;
    scenario.output.alone = false;
    scenario.output.tables = {"iterations"};
    const auto dash = transport.find('-');
    scenario.transport.SetTypeId(FindPolicy(Transport::GetTypeId(), transport.substr(0, dash)));
    scenario.transport.Set("CongestionControl", StringValue(transport.substr(dash + 1)));
    return scenario;
}

/** Add a ring of one worker on each machine, which computes for `compute` before it sends. */
void
AddTask(Scenario& scenario, uint64_t bytes, Time compute, uint32_t iterations)
{
    const auto id = static_cast<uint32_t>(scenario.workload.groups.size() + 1);
    JobSpec job;
    job.id = {id};
    job.model.name = "task";
    job.model.bytes = bytes;
    job.model.forward = compute;
    job.workers = 2;
    job.pattern.SetTypeId("ns3::ddl::RingCommunicationPattern");
    job.placement = Placement{{GpuId{HostId{0}, id - 1}, GpuId{HostId{1}, id - 1}}, {}};
    scenario.workload.groups.push_back(MakePlainJob(job, Time(0), {iterations}));
}

// ---- calibration

namespace ublas = boost::numeric::ublas;

constexpr std::size_t UNKNOWNS = 3;
constexpr double MEGABYTE = 1e6; //!< unit of M, in which a, b and eta are of similar size

/** Average time of k equal all-reduces between the same machines. */
struct ContentionSample
{
    uint32_t tasks{1};
    double bytes{0};
    double seconds{0};
};

/**
 * Fit T = a + k b M + (k - 1) eta M by least squares of the relative errors, so that small
 * messages, which determine a, count as much as large ones.
 *
 * \param samples samples of at least two sizes, and of at least two numbers of tasks
 */
ContentionModel
FitContention(const std::vector<ContentionSample>& samples)
{
    ublas::matrix<double> normal = ublas::zero_matrix<double>(UNKNOWNS, UNKNOWNS);
    ublas::vector<double> right = ublas::zero_vector<double>(UNKNOWNS);
    for (const auto& sample : samples)
    {
        const double size = sample.bytes / MEGABYTE;
        ublas::vector<double> row(UNKNOWNS);
        row(0) = 1;
        row(1) = sample.tasks * size;
        row(2) = (sample.tasks - 1.0) * size;
        row /= sample.seconds; // relative errors: the right side becomes 1
        normal += ublas::outer_prod(row, row);
        right += row;
    }
    ublas::permutation_matrix<std::size_t> permutation(UNKNOWNS);
    ublas::lu_factorize(normal, permutation);
    ublas::lu_substitute(normal, permutation, right);
    return {right(0), right(1) / MEGABYTE, right(2) / MEGABYTE};
}

/** Times of all-reduces that ran at the same time. */
struct TaskTimes
{
    double mean{0}; //!< mean time of an all-reduce over tasks, seconds
    double even{0}; //!< the same if all tasks had moved equally much, seconds
};

/**
 * Measure the mean, over tasks, of the mean time of an all-reduce, when `tasks` tasks repeat
 * all-reduces without a pause. All-reduces that end in the first turn, when windows open, are left
 * out, and no task is done before the end: so the number of tasks stays the same.
 */
TaskTimes
MeasureTasks(const std::string& transport, uint32_t tasks, uint64_t bytes)
{
    Scenario scenario = MakeScenario(transport);
    for (uint32_t task = 0; task < tasks; ++task)
    {
        AddTask(scenario, bytes, Time(0), 10 * TURNS);
    }
    const double turn = tasks * static_cast<double>(bytes) * SECONDS_PER_BYTE;
    scenario.stop.time = Seconds((1 + TURNS) * turn);
    ClusterSimulation simulation(scenario);
    const RunResult result = simulation.Run();
    std::map<uint32_t, std::pair<double, double>> sums; // seconds and iterations of each task
    for (const auto& row : result.iterations)
    {
        if (row.start.GetSeconds() >= turn)
        {
            sums[row.job.value].first += (row.end - row.start).GetSeconds();
            sums[row.job.value].second += 1;
        }
    }
    TaskTimes times;
    double rate = 0;
    for (const auto& [task, sum] : sums)
    {
        times.mean += sum.first / sum.second / tasks;
        rate += sum.second / sum.first;
    }
    times.even = tasks / rate;
    return times;
}

void
Calibrate(const std::string& transport)
{
    std::vector<ContentionSample> samples;
    for (const uint64_t bytes : {500 * KILOBYTE, 2000 * KILOBYTE, 8000 * KILOBYTE})
    {
        for (uint32_t tasks = 1; tasks <= MOST_TASKS; ++tasks)
        {
            const TaskTimes times = MeasureTasks(transport, tasks, bytes);
            samples.push_back({tasks, static_cast<double>(bytes), times.mean});
            std::cout << transport << "," << tasks << "," << bytes << "," << times.mean << ","
                      << times.even << std::endl;
        }
    }
    const ContentionModel model = FitContention(samples);
    double worst = 0;
    for (const auto& sample : samples)
    {
        const double fitted = model.Predict(sample.tasks, std::llround(sample.bytes));
        worst = std::max(worst, std::abs(fitted / sample.seconds - 1));
    }
    std::cout << transport << ",fit,a=" << model.a << ",b=" << model.b << ",eta=" << model.eta
              << " worst=" << worst << std::endl;
}

// ---- theorems

/** Two tasks, the second of which is ready when the first has run for `after`. */
struct Case
{
    double first{0};  //!< bytes of the first task
    double second{0}; //!< bytes of the second task
    double after{0};  //!< seconds from the first task's start
};

/** Result of a gate in a case. */
struct Outcome
{
    double average{0}; //!< mean time from 0 to the end of a task, seconds
    bool waited{false};
};

Outcome
RunCase(const std::string& transport, const Case& tasks, const std::string& gate, uint32_t n)
{
    Scenario scenario = MakeScenario(transport);
    scenario.scheduling.gate.SetTypeId(FindPolicy(CommunicationGate::GetTypeId(), gate));
    if (n > 0)
    {
        scenario.scheduling.gate.Set("N", UintegerValue(n));
    }
    AddTask(scenario, std::llround(tasks.first), Time(0), 1);
    AddTask(scenario, std::llround(tasks.second), Seconds(tasks.after), 1);
    ClusterSimulation simulation(scenario);
    const RunResult result = simulation.Run();
    Outcome outcome;
    for (const auto& row : result.jobs)
    {
        outcome.average += row.end.GetSeconds() / 2;
        outcome.waited = outcome.waited || row.gateWait > MicroSeconds(200);
    }
    return outcome;
}

/** \return bytes of the new task over those that the old one has left when the new one comes */
double
GetRatio(const Case& tasks, double b)
{
    return tasks.second / (tasks.first - tasks.after / b);
}

/** \return true if ada-dual did as well as the better of starting now and waiting */
bool
Judge(const std::string& transport, const Case& tasks, double b)
{
    const Outcome wait = RunCase(transport, tasks, "srsf-n", 1);
    const Outcome start = RunCase(transport, tasks, "srsf-n", 2);
    const Outcome ada = RunCase(transport, tasks, "ada-dual", 0);
    const double best = std::min(wait.average, start.average);
    const bool good = ada.average < best * 1.002;
    std::cout << transport << "," << tasks.first << "," << tasks.second << "," << tasks.after << ","
              << GetRatio(tasks, b) << "," << wait.average << "," << start.average << ","
              << ada.average << "," << ada.waited << "," << good << std::endl;
    return good;
}

void
CheckTheorems(const std::string& transport)
{
    constexpr double large = 16e6;
    const auto dash = transport.find('-');
    const ContentionModel model = GetCalibratedModel(transport.substr(0, dash),
                                                     transport.substr(dash + 1),
                                                     DataRate("10Gbps"));
    const double threshold = model.b / (2 * (model.b + model.eta));
    uint32_t all = 0;
    uint32_t good = 0;
    const auto judge = [&](const Case& tasks) {
        const bool isGood = Judge(transport, tasks, model.b);
        if (std::abs(GetRatio(tasks, model.b) / threshold - 1) > 0.1)
        {
            ++all;
            good += isGood ? 1 : 0;
        }
    };
    std::cout << "transport,first_bytes,second_bytes,after_s,ratio,wait_s,start_s,ada_dual_s,"
                 "waited,good"
              << std::endl;
    for (uint32_t step = 1; step <= 20; ++step)
    {
        const double small = large * step / 20;
        judge({large, small, 0});
        judge({small, large, 0});
        for (const double part : {0.02, 0.25, 0.5, 0.75})
        {
            judge({large, small, part * large * model.b});
            judge({small, large, part * small * model.b});
        }
    }
    std::cout << transport << ",good," << good << ",of," << all << ",threshold," << threshold
              << std::endl;
}

int
Run(const std::vector<std::string>& arguments)
{
    if (arguments.size() >= 1 && arguments[0] == "theorems")
    {
        CheckTheorems(arguments.size() > 1 ? arguments[1] : "rdma-dctcp");
        return 0;
    }
    if (arguments.empty() || arguments[0] != "calibration")
    {
        std::cerr << "usage: ddl-gate-study calibration [TRANSPORT...] | theorems [TRANSPORT]\n";
        return 2;
    }
    std::vector<std::string> transports(arguments.begin() + 1, arguments.end());
    if (transports.empty())
    {
        transports = {"tcp-dctcp", "tcp-cubic", "rdma-dctcp"};
    }
    std::cout << "transport,tasks,bytes,seconds,even_seconds" << std::endl;
    for (const auto& transport : transports)
    {
        Calibrate(transport);
    }
    return 0;
}

} // namespace

int
main(int argc, char** argv)
{
    try
    {
        return Run(std::vector<std::string>(argv + 1, argv + argc));
    }
    catch (const InputError& error)
    {
        std::cerr << "ddl-gate-study: " << error.what() << "\n";
        return 2;
    }
}
