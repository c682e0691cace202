// SPDX-License-Identifier: GPL-2.0-only
#include "app/sampling/ddl-forecast.h"
#include "ddl-fuzz-inputs.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/**
 * Tries changed inputs, the same ones for equal seeds.
 *
 *     ddl-fuzz inputs COUNT SEED            reads scenarios, traces, figures and settings
 *     ddl-fuzz runs COUNT SEED DDL-RUN      runs scenarios that are accepted
 *
 * An input must be accepted or refused with lines that can be read, each with its place, within a
 * minute of CPU time. Scenarios that are cut off must be refused, and quantities read as ns-3 reads
 * them. A run must end with 0, 1 (only for work that was left over) or 2 within a minute of CPU
 * time. What does not is kept in a folder that is named. Exit status: 0 nothing was found; 1
 * something was.
 */

namespace fs = std::filesystem;
using namespace ns3::ddl;

namespace
{

constexpr unsigned LONGEST = 60; //!< seconds of CPU time

/** SIGXCPU ends this process when it has used LONGEST more, unless this is called again before. */
void
LimitTime()
{
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    // The limit is in whole seconds: each of the two sums loses less than one.
    const rlim_t spent = used.ru_utime.tv_sec + used.ru_stime.tv_sec + 2;
    rlimit seconds{};
    getrlimit(RLIMIT_CPU, &seconds);
    seconds.rlim_cur = std::min<rlim_t>(spent + LONGEST, seconds.rlim_max);
    setrlimit(RLIMIT_CPU, &seconds);
}

fs::path
MakeFolder()
{
    std::string pattern = (fs::temp_directory_path() / "ddl-fuzz-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
    {
        throw std::runtime_error("cannot make a folder in " + fs::temp_directory_path().string());
    }
    return pattern;
}

/** Reads inputs until one is a finding. \return inputs that were read, and accepted */
std::array<int, 2>
ReadInputs(int count, uint32_t seed, InputReader& reader)
{
    Mutator mutator(seed);
    std::array<int, 2> numbers{0, 0};
    LimitTime();
    CheckTruncations();
    CheckQuantities(mutator, 20 * count);
    for (int i = 0; i < count; ++i)
    {
        LimitTime();
        const auto kind = static_cast<InputKind>(i % INPUT_KINDS);
        const std::string text = mutator.Make(kind);
        numbers[1] += reader.Read(kind, text) ? 1 : 0;
        ++numbers[0];
    }
    return numbers;
}

/** A child reads, so that the parent can say what ended it. */
int
TryInputs(int count, uint32_t seed)
{
    const fs::path folder = MakeFolder();
    const pid_t child = fork();
    if (child == 0)
    {
        InputReader reader(folder);
        try
        {
            const auto [read, accepted] = ReadInputs(count, seed, reader);
            std::cout << read << " inputs, " << accepted << " accepted" << std::endl;
            _exit(accepted > 0 && accepted < read ? 0 : 1); // both kinds, or it tested nothing
        }
        catch (const std::exception& error)
        {
            std::cout << reader.GetFile() << ": " << error.what() << std::endl;
            _exit(1);
        }
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
    {
        std::cout << "signal " << strsignal(WTERMSIG(status)) << ", last input in " << folder
                  << std::endl;
    }
    if (status == 0)
    {
        fs::remove_all(folder);
    }
    return status == 0 ? 0 : 1;
}

/** Runs the program. \return how it ended, as waitpid says it */
int
Run(const std::vector<std::string>& command, const fs::path& log)
{
    const pid_t child = fork();
    if (child == 0)
    {
        const rlimit seconds{LONGEST, LONGEST};
        setrlimit(RLIMIT_CPU, &seconds);
        const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
        std::vector<char*> argv;
        for (const auto& word : command)
        {
            argv.push_back(const_cast<char*>(word.c_str()));
        }
        argv.push_back(nullptr);
        execv(argv[0], argv.data());
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

/** \return payload of a full packet, as far as the scenario says it */
uint64_t
GetPacketBytes(const Scenario& scenario)
{
    ns3::UintegerValue segment(0);
    scenario.transport.Create<ns3::Object>()->GetAttributeFailSafe("SegmentSize", segment);
    return segment.Get() > 0 ? segment.Get() : scenario.cluster.topology.mtu;
}

/** \return true if the run has little to do: a change may ask for a million iterations */
bool
IsSmall(const Scenario& scenario)
{
    const Forecast forecast = MakeForecast(WorkloadSample(scenario));
    return forecast.hosts <= 300 && forecast.jobs <= 200 && forecast.iterations <= 10000 &&
           forecast.bytes / GetPacketBytes(scenario) <= 350000;
}

/**
 * \param results folder of a run that ended with 1
 * \return why that was not for work that was left over, or ""
 */
std::string
FindFault(const fs::path& results)
{
    std::ifstream file(results / "summary.json");
    const Json summary = Json::parse(file, nullptr, false);
    if (!summary.is_object())
    {
        return "status 1 without a summary";
    }
    if (!summary["unaccounted"].empty())
    {
        return "packets that nobody accounts for: " + summary["unaccounted"].dump();
    }
    return summary["failures"].empty() ? "" : summary["failures"].dump();
}

int
TryRuns(int count, uint32_t seed, const std::string& program)
{
    const fs::path folder = MakeFolder();
    Mutator mutator(seed);
    InputReader reader(folder);
    std::array<int, 3> ended{};
    int findings = 0;
    for (int run = 0; run < count;)
    {
        const std::string text = DumpJson(mutator.MakeSmallScenario());
        const auto scenario = reader.ReadScenarioText(text);
        if (!scenario || !IsSmall(*scenario))
        {
            continue;
        }
        ++run;
        const fs::path log = folder / "log.txt";
        fs::remove_all(folder / "results");
        const int status = Run({program,
                                reader.GetFile().string(),
                                "--quiet",
                                "--out=" + (folder / "results").string()},
                               log);
        const std::string fault =
            WIFEXITED(status) && WEXITSTATUS(status) == 1 ? FindFault(folder / "results") : "";
        if (WIFEXITED(status) && WEXITSTATUS(status) <= 2 && fault.empty())
        {
            ++ended[WEXITSTATUS(status)];
            continue;
        }
        ++findings;
        const fs::path kept = folder / ("finding-" + std::to_string(findings) + ".json");
        fs::copy_file(reader.GetFile(), kept, fs::copy_options::overwrite_existing);
        std::cout << kept << ": "
                  << (!fault.empty()        ? fault
                      : WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                            : "status " + std::to_string(WEXITSTATUS(status)))
                  << '\n';
        std::ifstream said(log);
        std::string line;
        for (int lines = 0; lines < 5 && std::getline(said, line); ++lines)
        {
            std::cout << "    " << line << '\n';
        }
    }
    std::cout << count << " runs: " << ended[0] << " done, " << ended[1] << " with work left over, "
              << ended[2] << " refused when they were built, " << findings << " findings"
              << std::endl;
    if (findings == 0)
    {
        fs::remove_all(folder);
    }
    return findings == 0 && ended[0] > 0 ? 0 : 1;
}

} // namespace

int
main(int argc, char** argv)
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    try
    {
        if (words.size() == 3 && words[0] == "inputs")
        {
            return TryInputs(std::stoi(words[1]), std::stoul(words[2]));
        }
        if (words.size() == 4 && words[0] == "runs")
        {
            return TryRuns(std::stoi(words[1]), std::stoul(words[2]), words[3]);
        }
    }
    catch (const std::exception& error)
    {
        std::cerr << error.what() << std::endl;
        return 1;
    }
    std::cerr << "usage: ddl-fuzz inputs COUNT SEED | runs COUNT SEED DDL-RUN" << std::endl;
    return 2;
}
