// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-run-once.h"

#include "app/process/ddl-folder.h"
#include "app/process/ddl-signal-watch.h"
#include "app/results/ddl-run-summary.h"
#include "ddl-run-identity.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"
#include "ns3/ddl-summary.h"

#include <array>
#include <iostream>
#include <unistd.h>

namespace fs = std::filesystem;

namespace ns3::ddl
{

namespace
{

constexpr int WAS_INTERRUPTED = 130;

/** \return a name that no other process has, on any machine that shares the file system */
std::string
NameProcess()
{
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    return std::string(host.data()) + "-" + std::to_string(getpid());
}

/** \return true if the folder holds complete results of this very run, and nothing in it failed */
bool
IsThere(const fs::path& folder, const Scenario& scenario, const fs::path& scratch)
{
    if (!HoldsResults(folder) || RunSummary(folder.string()).hasFailures)
    {
        return false;
    }
    const fs::path now = scratch / "identity";
    WriteFileSafely(now, FormatIdentity(IdentifyRun(scenario)));
    const std::string identity = ReadIdentity(now.string());
    fs::remove(now);
    return !identity.empty() && identity == ReadIdentity((folder / "summary.json").string());
}

/**
 * Give a folder of results its name. An older one of that name makes way; if another process puts
 * its own there in between, they change places again, for equal runs give equal results.
 */
void
PutInPlace(const fs::path& part, const fs::path& folder)
{
    constexpr int TRIES = 10;
    const SignalWatch blocked; // a signal between two renames would leave no results at all
    const fs::path old = part.string() + ".old";
    std::error_code error;
    for (int i = 0; i < TRIES; ++i)
    {
        std::error_code ignored;
        fs::rename(folder, old, ignored);
        fs::rename(part, folder, error);
        if (!error)
        {
            fs::remove_all(old, ignored);
            return;
        }
        fs::rename(old, folder, ignored);
    }
    throw RunError("cannot rename " + part.string() + " to " + folder.string() + ": " +
                   error.message());
}

} // namespace

int
RunOnce(const Scenario& scenario, const RunOptions& options)
{
    const fs::path given =
        options.folder.empty() ? fs::path("results") / scenario.name : fs::path(options.folder);
    const fs::path whole = fs::absolute(given).lexically_normal();
    const fs::path folder = whole.has_filename() ? whole : whole.parent_path();
    const fs::path part =
        folder.parent_path() / ("." + folder.filename().string() + ".part-" + NameProcess());
    const TemporaryFolder scratch(part); // what is renamed is no longer there to be removed
    PrepareFolder(part);
    if (IsThere(folder, scenario, part))
    {
        return 0;
    }
    RunOptions own = options;
    own.folder = part.string();
    own.shownFolder = given.string();
    const int status = RunScenario(scenario, own);
    std::error_code ignored;
    const bool hasResults = fs::exists(part / "summary.json", ignored);
    if (status != WAS_INTERRUPTED && hasResults &&
        RunSummary(part.string()).status != "interrupted")
    {
        PutInPlace(part, folder);
    }
    return status;
}

} // namespace ns3::ddl
