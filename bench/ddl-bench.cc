// SPDX-License-Identifier: GPL-2.0-only
#include "app/process/ddl-folder.h"
#include "app/process/ddl-process-pool.h"
#include "app/process/ddl-program.h"
#include "app/text/ddl-complaints.h"
#include "app/text/ddl-progress.h"
#include "app/text/ddl-text-table.h"
#include "ddl-bench-pairs.h"
#include "ddl-bench-work.h"

#include "ns3/ddl-quantity.h"
#include "ns3/ddl-safe-file.h"
#include "ns3/ddl-statistics.h"
#include "ns3/ddl-transport.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unistd.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr int INTERRUPTED = 130; //!< exit status after Ctrl-C
constexpr std::size_t LAST_LINES = 10;
constexpr uint64_t FULL_BYTES = 480000000;
constexpr uint64_t QUICK_BYTES = 240000000;
constexpr uint64_t STOCK_256_BYTES = 120000000; //!< payload for stock at 256 hosts, which is slow
constexpr const char* STOCK = "stock";          //!< name of ns-3 without us, as a transport

/** A work and what carries it: a line of the table. */
struct BenchCase
{
    std::string work;      //!< name of the work, as MakeBenchWork takes it
    std::string transport; //!< "stock", or the short name of one of ours
    uint32_t hosts{16};
    uint32_t mtu{1500};
    uint64_t bytes{0}; //!< payload of the application, bytes

    /** \return name of the case for files and messages: "W-16-1500-tcp" */
    std::string GetName() const
    {
        return work + "-" + std::to_string(hosts) + "-" + std::to_string(mtu) + "-" + transport;
    }
};

/** Cases, and pairs of runs, to be repeated round robin. */
struct BenchPlan
{
    std::vector<BenchCase> cases;
    std::vector<BenchPair> pairs;
    uint32_t repetitions{1};
};

/** \return names of what carries works: "stock", and the short names of all transports */
std::vector<std::string>
ListBenchTransports()
{
    auto names = ListPolicies(Transport::GetTypeId());
    names.insert(names.begin(), STOCK);
    return names;
}

/** A list of names that an option restricts. */
class Choice
{
  public:
    Choice(const Arguments& arguments,
           const std::string& option,
           const std::vector<std::string>& menu,
           Complaints& complaints)
        : m_words(arguments.Has(option) ? arguments.GetList(option) : menu)
    {
        for (const auto& word : m_words)
        {
            if (std::find(menu.begin(), menu.end(), word) == menu.end())
            {
                complaints.Add(
                    {{"--" + option,
                      "",
                      "\"" + word + "\" is none of " + JoinNames(menu) + SuggestName(word, menu)}});
            }
        }
    }

    bool Has(const std::string& word) const
    {
        return std::find(m_words.begin(), m_words.end(), word) != m_words.end();
    }

  private:
    std::vector<std::string> m_words;
};

uint64_t
ReadBytes(const Arguments& arguments, Complaints& complaints)
{
    if (!arguments.Has("bytes"))
    {
        return 0;
    }
    std::string problem;
    const auto bytes = ParseBytes(arguments.Get("bytes"), problem);
    if (!bytes || *bytes < 256)
    {
        complaints.Add({{"--bytes", "", bytes ? "at least 256B" : problem}});
    }
    return bytes.value_or(0);
}

/** \return all cases of the full benchmark, in the order of the table */
std::vector<BenchCase>
ListCases()
{
    std::vector<BenchCase> cases;
    for (const uint32_t hosts : {16, 256})
    {
        for (const uint32_t mtu : {1500, 9000})
        {
            for (const auto& transport : ListBenchTransports())
            {
                const bool less = hosts == 256 && transport == STOCK;
                cases.push_back({"W", transport, hosts, mtu, less ? STOCK_256_BYTES : FULL_BYTES});
            }
        }
    }
    for (const uint32_t hosts : {1024, 4096})
    {
        cases.push_back({"W", "rdma", hosts, 1500, FULL_BYTES}); // other transports take minutes
    }
    for (const std::string work : {"remark", "ring"})
    {
        for (const auto& transport : ListPolicies(Transport::GetTypeId()))
        {
            cases.push_back({work, transport, 16, 1500, FULL_BYTES});
        }
    }
    return cases;
}

/** \return names of all works, those of cases and those of pairs */
std::vector<std::string>
ListAllBenchWorks()
{
    auto works = ListBenchWorks();
    for (const auto& work : ListBenchPairWorks())
    {
        works.push_back(work);
    }
    return works;
}

bool
IsQuick(const BenchCase& one)
{
    return one.work == "W" && one.hosts == 16 && one.mtu == 1500;
}

/** Declare the options that MakeBenchPlan reads. */
void
AddBenchOptions(Arguments& arguments)
{
    arguments.AddFlag("quick", "W at 16 hosts and MTU 1500 only, half the bytes, 3 repetitions");
    arguments.AddOption("work", "LIST", "only these of " + JoinNames(ListAllBenchWorks()));
    arguments.AddOption("transport", "LIST", "only these of " + JoinNames(ListBenchTransports()));
    arguments.AddOption("hosts", "LIST", "only these of 16, 256, 1024, 4096");
    arguments.AddOption("mtu", "LIST", "only these of 1500, 9000");
    arguments.AddOption("bytes", "SIZE", "what every case carries in all, instead of its default");
    arguments.AddOption("repeat", "N", "repetitions of each case; 5 by default");
}

/**
 * \param arguments the parsed arguments
 * \return the plan that the arguments ask for
 * \throws InputError with everything that makes no sense, or when no case is left
 */
BenchPlan
MakeBenchPlan(const Arguments& arguments)
{
    Complaints complaints;
    const Choice works(arguments, "work", ListAllBenchWorks(), complaints);
    const Choice transports(arguments, "transport", ListBenchTransports(), complaints);
    const Choice hosts(arguments, "hosts", {"16", "256", "1024", "4096"}, complaints);
    const Choice mtus(arguments, "mtu", {"1500", "9000"}, complaints);
    const uint64_t bytes = ReadBytes(arguments, complaints);
    complaints.Throw();
    const bool quick = arguments.Has("quick");
    BenchPlan plan;
    plan.repetitions = static_cast<uint32_t>(arguments.GetNumber("repeat", quick ? 3 : 5, 1, 1000));
    for (auto& one : ListCases())
    {
        const bool wanted = works.Has(one.work) && transports.Has(one.transport) &&
                            hosts.Has(std::to_string(one.hosts)) &&
                            mtus.Has(std::to_string(one.mtu)) && (!quick || IsQuick(one));
        if (wanted)
        {
            one.bytes = bytes > 0 ? bytes : quick ? QUICK_BYTES : one.bytes;
            plan.cases.push_back(one);
        }
    }
    // Pairs have a fixed size, so options of sizes exclude them.
    const bool sized = quick || arguments.Has("hosts") || arguments.Has("mtu") || bytes > 0;
    for (auto& pair : ListBenchPairs())
    {
        if (!sized && works.Has(pair.work) && transports.Has(pair.transport))
        {
            plan.pairs.push_back(pair);
        }
    }
    if (plan.cases.empty() && plan.pairs.empty())
    {
        throw InputError("no case of the benchmark is all of that; ddl bench --help lists them");
    }
    return plan;
}

/** A line of the table. */
struct BenchRow
{
    BenchCase what;
    Json median; //!< output of ddl-bench-case, with the medians of CPU seconds and memory; the
                 //!< rest is the same in every repetition
    uint32_t repetitions{0};
    double spread{0};                   //!< (most - least) / median of the CPU seconds
    std::optional<double> ratioToStock; //!< CPU s/GB of stock on W, same hosts and MTU, over ours
};

/** A line of the table of pairs. */
struct BenchPairRow
{
    const BenchPair* what;
    std::array<double, 2> cpu{};    //!< median CPU seconds of each run
    std::array<double, 2> spread{}; //!< (most - least) / median of the CPU seconds
    uint32_t repetitions{0};

    double GetRatio() const
    {
        return cpu[1] / cpu[0];
    }
};

double
CpuPerGigabyte(const BenchRow& row)
{
    return row.median["cpu_s"].get<double>() / (row.median["bytes"].get<double>() * 1e-9);
}

std::optional<double>
DataHopRate(const BenchRow& row)
{
    const Json& hops = row.median["data_hops"]; // null if there are no packets
    return hops.is_null()
               ? std::nullopt
               : std::optional<double>(hops.get<double>() / row.median["cpu_s"].get<double>());
}

/** \return median of a field over the samples, and its spread, (most - least) / median */
std::pair<double, double>
SummariseField(const std::vector<Json>& samples, const char* field)
{
    std::vector<double> values;
    for (const Json& sample : samples)
    {
        values.push_back(sample[field]);
    }
    std::sort(values.begin(), values.end());
    const double median = Percentile(values, 50);
    return {median, (values.back() - values.front()) / median};
}

BenchRow
Summarise(const BenchCase& what, const std::vector<Json>& samples)
{
    BenchRow row;
    row.what = what;
    row.median = samples.front();
    row.repetitions = static_cast<uint32_t>(samples.size());
    for (const char* field : {"setup_cpu_s", "peak_mb", "cpu_s"})
    {
        std::tie(row.median[field], row.spread) = SummariseField(samples, field); // cpu_s at last
    }
    return row;
}

void
CompareToStock(std::vector<BenchRow>& rows)
{
    for (auto& row : rows)
    {
        for (const auto& stock : rows)
        {
            if (stock.what.transport == STOCK && stock.what.hosts == row.what.hosts &&
                stock.what.mtu == row.what.mtu && row.what.work != "ring")
            {
                row.ratioToStock = CpuPerGigabyte(stock) / CpuPerGigabyte(row);
            }
        }
    }
}

Json
OrNull(const std::optional<double>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

/**
 * \param line a line of JSON
 * \return the value of the line
 * \throws RunError when the line is not one that ddl-bench-case writes
 */
Json
ReadBenchSample(const std::string& line)
{
    const Json json = Json::parse(line, nullptr, false);
    for (const char* field : {"bytes",
                              "simulated_s",
                              "goodput_gbps_per_host",
                              "data_hops",
                              "drops",
                              "events",
                              "cpu_s",
                              "setup_cpu_s",
                              "peak_mb"})
    {
        if (!json.is_object() || !json.contains(field))
        {
            throw RunError("not a measurement: \"" + line + "\"");
        }
    }
    return json;
}

/**
 * \param plan the plan that was run
 * \param samples samples of each case; a case without samples gets no row
 * \return rows in the order of the plan. A ring has no stock case, so no ratio.
 */
std::vector<BenchRow>
MakeBenchRows(const BenchPlan& plan, const std::vector<std::vector<Json>>& samples)
{
    std::vector<BenchRow> rows;
    for (std::size_t i = 0; i < plan.cases.size(); ++i)
    {
        if (!samples[i].empty())
        {
            rows.push_back(Summarise(plan.cases[i], samples[i]));
        }
    }
    CompareToStock(rows);
    return rows;
}

/** \return rows of the pairs of which both runs have samples. \param samples as in GetSamples() */
std::vector<BenchPairRow>
MakeBenchPairRows(const BenchPlan& plan, const std::vector<std::vector<Json>>& samples)
{
    std::vector<BenchPairRow> rows;
    for (std::size_t i = 0; i < plan.pairs.size(); ++i)
    {
        const auto* const both = &samples[plan.cases.size() + 2 * i];
        if (both[0].empty() || both[1].empty())
        {
            continue;
        }
        BenchPairRow row{&plan.pairs[i]};
        row.repetitions = static_cast<uint32_t>(std::min(both[0].size(), both[1].size()));
        for (std::size_t run = 0; run < 2; ++run)
        {
            std::tie(row.cpu[run], row.spread[run]) = SummariseField(both[run], "cpu_s");
        }
        rows.push_back(row);
    }
    return rows;
}

Json
FormatPairs(const std::vector<BenchPairRow>& rows)
{
    Json pairs = Json::array();
    for (const auto& row : rows)
    {
        Json runs = Json::array();
        for (std::size_t run = 0; run < 2; ++run)
        {
            runs.push_back({{"name", row.what->runs[run].name},
                            {"settings", row.what->runs[run].settings},
                            {"cpu_s", row.cpu[run]},
                            {"spread", row.spread[run]}});
        }
        pairs.push_back({{"case", row.what->work},
                         {"transport", row.what->transport},
                         {"runs", runs},
                         {"ratio", row.GetRatio()},
                         {"repetitions", row.repetitions}});
    }
    return pairs;
}

/** \return text of bench.json */
std::string
FormatBenchJson(const std::vector<BenchRow>& rows, const std::vector<BenchPairRow>& pairs)
{
    Json results = Json::array();
    for (const auto& row : rows)
    {
        Json json = {{"case", row.what.work},
                     {"transport", row.what.transport},
                     {"hosts", row.what.hosts},
                     {"mtu", row.what.mtu},
                     {"cpu_s_per_gb", CpuPerGigabyte(row)},
                     {"data_hops_per_cpu_s", OrNull(DataHopRate(row))},
                     {"ratio_to_stock", OrNull(row.ratioToStock)},
                     {"spread", row.spread},
                     {"repetitions", row.repetitions}};
        json.update(row.median);
        results.push_back(json);
    }
    return Json({{"results", results}, {"pairs", FormatPairs(pairs)}}).dump(2) + "\n";
}

/** Print the rows for people, if there are any. */
void
PrintBenchTable(std::ostream& os, const std::vector<BenchRow>& rows)
{
    if (rows.empty())
    {
        return;
    }
    TextTable table({"work",
                     "hosts",
                     "MTU",
                     "transport",
                     "MB",
                     "Gbps/host",
                     "CPU s/GB",
                     "spread",
                     "data-hops/CPU s",
                     "events/CPU s",
                     "peak MB",
                     "x stock"});
    for (const auto& row : rows)
    {
        const auto number = [&row](const char* field) { return row.median[field].get<double>(); };
        const auto hops = DataHopRate(row);
        table.AddRow({row.what.work,
                      std::to_string(row.what.hosts),
                      std::to_string(row.what.mtu),
                      row.what.transport,
                      FormatNumber(number("bytes") * 1e-6, 3),
                      FormatNumber(number("goodput_gbps_per_host"), 3),
                      FormatNumber(CpuPerGigabyte(row), 3),
                      FormatNumber(row.spread * 100, 2) + " %",
                      hops ? FormatNumber(*hops * 1e-6, 3) + " M" : "-",
                      FormatNumber(number("events") / number("cpu_s") * 1e-6, 3) + " M",
                      FormatNumber(number("peak_mb"), 3),
                      row.ratioToStock ? FormatNumber(*row.ratioToStock, 3) : "-"});
    }
    table.Print(os);
}

/** Print the pairs for people, if there are any. */
void
PrintBenchPairs(std::ostream& os, const std::vector<BenchPairRow>& rows)
{
    if (rows.empty())
    {
        return;
    }
    TextTable table({"work", "transport", "first", "CPU ms", "second", "CPU ms", "second / first"});
    for (const auto& row : rows)
    {
        table.AddRow({row.what->work,
                      row.what->transport,
                      row.what->runs[0].name,
                      FormatNumber(row.cpu[0] * 1e3, 3),
                      row.what->runs[1].name,
                      FormatNumber(row.cpu[1] * 1e3, 3),
                      FormatNumber(row.GetRatio(), 3)});
    }
    os << "\n";
    table.Print(os);
}

/** A program that is run repeatedly, and where its results are. */
struct BenchTask
{
    std::string name; //!< name for files and messages
    std::vector<std::string> command;
    fs::path results; //!< folder of ddl-run's results; empty: ddl-bench-case, which prints a line
};

/** \return the cases in their order, then both runs of each pair; writes the pairs' scenarios */
std::vector<BenchTask>
ListTasks(const BenchPlan& plan, const fs::path& folder)
{
    const auto programs = fs::read_symlink("/proc/self/exe").parent_path();
    std::vector<BenchTask> tasks;
    for (const auto& one : plan.cases)
    {
        tasks.push_back({one.GetName(),
                         {(programs / "ddl-bench-case").string(),
                          one.work,
                          one.transport,
                          "--hosts=" + std::to_string(one.hosts),
                          "--mtu=" + std::to_string(one.mtu),
                          "--bytes=" + std::to_string(one.bytes) + "B"},
                         {}});
    }
    for (const auto& pair : plan.pairs)
    {
        const auto scenario = folder / "pairs" / (pair.work + ".json");
        PrepareFolder(scenario.parent_path());
        WriteFileSafely(scenario, pair.scenario);
        for (std::size_t run = 0; run < pair.runs.size(); ++run)
        {
            BenchTask task{pair.GetName(run), {}, folder / "pairs" / pair.GetName(run)};
            task.command = {(programs / "ddl-run").string(),
                            scenario.string(),
                            "--quiet",
                            "--out=" + task.results.string(),
                            "--set=transport.kind=" + pair.transport};
            for (const auto& setting : pair.runs[run].settings)
            {
                task.command.push_back("--set=" + setting);
            }
            tasks.push_back(task);
        }
    }
    return tasks;
}

/** The runs of a benchmark: one at a time, every task before any is repeated. */
class Benchmark
{
  public:
    Benchmark(const BenchPlan& plan, const fs::path& folder, bool quiet)
        : m_tasks(ListTasks(plan, folder)),
          m_repetitions(plan.repetitions),
          m_logs(folder / "logs"),
          m_samples(m_tasks.size()),
          m_progress(std::cerr, GetStyle(quiet), m_tasks.size() * plan.repetitions, 1)
    {
        PrepareFolder(m_logs);
    }

    /** \return false if the benchmark was interrupted */
    bool Run()
    {
        std::vector<ProcessPool::Task> processes;
        for (uint32_t repetition = 1; repetition <= m_repetitions; ++repetition)
        {
            for (const auto& task : m_tasks)
            {
                const auto log = task.name + "-" + std::to_string(repetition) + ".txt";
                processes.push_back({task.command, m_logs / log});
            }
        }
        return ProcessPool(1).Run(
            processes,
            {[this](std::size_t number) {
                 // a sampled run would find the samples of the repetition before
                 fs::remove_all(m_tasks[number % m_tasks.size()].results);
                 m_started = Clock::now();
                 m_progress.Start();
             },
             [&](std::size_t number, int status) { End(number, processes[number].log, status); },
             [this] { m_progress.Tick(); }});
    }

    /** \return samples by task, in the order of ListTasks; those of a pair have cpu_s alone */
    const std::vector<std::vector<Json>>& GetSamples() const
    {
        return m_samples;
    }

    /** \return messages on what went wrong, run by run */
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

    void End(std::size_t number, const fs::path& log, int status)
    {
        const std::size_t which = number % m_tasks.size();
        const auto& results = m_tasks[which].results;
        const std::chrono::duration<double> took = Clock::now() - m_started;
        m_progress.End(log.stem().string(), took.count(), status == 0 ? "" : "failed");
        if (status == 0)
        {
            m_samples[which].push_back(results.empty() ? ReadBenchSample(ReadEnd(log, 1))
                                                       : Json{{"cpu_s", ReadCpuSeconds(results)}});
            return;
        }
        m_failures += log.stem().string() + " failed with exit status " + std::to_string(status) +
                      "; the end of " + log.string() + ":\n" + ReadEnd(log, LAST_LINES);
    }

    const std::vector<BenchTask> m_tasks;
    const uint32_t m_repetitions;
    const fs::path m_logs;
    std::vector<std::vector<Json>> m_samples; //!< samples of each task
    std::string m_failures;
    Clock::time_point m_started; //!< start of the present run
    CompareProgress m_progress;
};

int
RunBenchmark(const BenchPlan& plan, const fs::path& folder, bool quiet)
{
    PrepareFolder(folder);
    const FolderLock lock(folder);
    std::vector<BenchRow> rows;
    std::vector<BenchPairRow> pairs;
    std::string failures;
    {
        Benchmark benchmark(plan, folder, quiet);
        if (!benchmark.Run())
        {
            std::cerr << "interrupted; nothing is written\n";
            return INTERRUPTED;
        }
        rows = MakeBenchRows(plan, benchmark.GetSamples());
        pairs = MakeBenchPairRows(plan, benchmark.GetSamples());
        failures = benchmark.GetFailures();
    }
    WriteFileSafely(folder / "bench.json", FormatBenchJson(rows, pairs));
    if (!quiet)
    {
        PrintBenchTable(std::cout, rows);
        PrintBenchPairs(std::cout, pairs);
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
        "1,024 hosts (32 x 32) and 4,096 (64 x 64) on rdma alone.\n"
        "remark: W with every stream remarked each 100 us. ring: an all-reduce of 16.\n"
        "Pairs of scenarios: repeat, rings that contend with nobody, with leaps and without; "
        "sampled,\n"
        "rings that contend, sampled and all on packets; waiting, 1,000 jobs in a queue and "
        "10,000.\n"
        "They run unless --quick, --hosts, --mtu or --bytes is given.\n"
        "CPU seconds are those of the simulation, without start-up; medians over the repetitions.\n"
        "Exit status: 0 done; 1 a case failed; 2 bad input; 130 interrupted.\n");
    return RunProgram(arguments, argc, argv, [&arguments] {
        return RunBenchmark(MakeBenchPlan(arguments),
                            arguments.Get("out", "results/bench"),
                            arguments.Has("quiet"));
    });
}
