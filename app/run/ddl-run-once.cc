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
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace ns3::ddl
{

namespace
{

constexpr int WAS_INTERRUPTED = 130;

/** \return beginning of the names of unfinished results that processes of this machine make */
std::string
GetPartPrefix(const fs::path& folder)
{
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    return "." + folder.filename().string() + ".part-" + host.data() + "-";
}

/** \return true if the folder belongs to a process of this machine that is no more */
bool
IsLeft(const fs::path& part, const std::string& prefix)
{
    const std::string name = part.filename().string();
    if (name.compare(0, prefix.size(), prefix) != 0)
    {
        return false;
    }
    const auto process = static_cast<pid_t>(std::strtol(name.c_str() + prefix.size(), nullptr, 10));
    if (process <= 0 || process == getpid() || kill(process, 0) == 0 || errno != ESRCH)
    {
        return false;
    }
    try
    {
        const FolderLock lock(part); // a process of another container has other numbers
        return true;
    }
    catch (const RunError&)
    {
        return false;
    }
}

/** Remove what processes of this machine have left that were killed during this run. */
void
RemoveLeftParts(const fs::path& folder)
{
    const std::string prefix = GetPartPrefix(folder);
    std::vector<fs::path> left;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder.parent_path(), ignored))
    {
        if (IsLeft(entry.path(), prefix))
        {
            left.push_back(entry.path());
        }
    }
    for (const auto& part : left)
    {
        fs::remove_all(part, ignored);
    }
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
 * its own there in between, they change places again, for equal runs give equal results. A client
 * of NFS that asks twice because an answer was lost is told that there is nothing to rename.
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
        const bool wasRenamed = !error || (!fs::exists(part, ignored) && HoldsResults(folder));
        if (wasRenamed)
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
    const fs::path part = folder.parent_path() / (GetPartPrefix(folder) + std::to_string(getpid()));
    RemoveLeftParts(folder);
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
