// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-plugin.h"

#include "ns3/ddl-content-hash.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-policy.h"
#include "ns3/object-factory.h"
#include "ns3/type-id.h"

#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3::ddl
{

namespace
{

constexpr unsigned LONGEST_TRIAL = 30; //!< time limit of a trial, seconds

/** \return the list of ListPlugins. It lives as long as the process, as the libraries do */
std::set<std::string>&
GetLoaded()
{
    static std::set<std::string> loaded;
    return loaded;
}

/** \return the loader's error message; "" if the library is loaded */
std::string
Load(const std::string& path)
{
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL))
    {
        return "";
    }
    const std::string reason = dlerror();
    return reason.find("libddl.so") != std::string::npos && reason.find(path) == std::string::npos
               ? reason + " (it was built for another build of this module: build it again)"
               : reason;
}

/** Make a policy of each class that was registered from \p first on, and call it. */
std::string
TryPolicies(std::size_t first)
{
    for (std::size_t i = first; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.HasParent() && type.GetParent().GetSize() > type.GetSize())
        {
            return type.GetName() + " is smaller than " + type.GetParent().GetName() +
                   " is here: it was built for another build of this module";
        }
        if (type.IsChildOf(Policy::GetTypeId()) && type.HasConstructor())
        {
            ObjectFactory factory;
            factory.SetTypeId(type);
            factory.Create<Policy>()->GetSummary();
        }
    }
    return TypeId::GetRegisteredN() == first ? "it registers no class" : "";
}

/** Load a library in a child process, which reports through a pipe. */
[[noreturn]] void
Try(const std::string& path, int pipe)
{
    alarm(LONGEST_TRIAL);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    std::string problem;
    try
    {
        const std::size_t before = TypeId::GetRegisteredN();
        problem = Load(path);
        problem = problem.empty() ? TryPolicies(before) : problem;
    }
    catch (const std::exception& error)
    {
        problem = std::string("it throws: ") + error.what();
    }
    catch (...)
    {
        problem = "it throws";
    }
    problem += '\n'; // so that success differs from a child that dies silently
    const ssize_t ignored = write(pipe, problem.data(), problem.size());
    _exit(ignored > 0 ? 0 : 1);
}

/**
 * Load a library in a child process first: one that is cut off, throws, or was built for another
 * build of this module may end the process that loads it.
 *
 * \return why the library cannot be used, or ""
 */
std::string
FindProblem(const std::string& path)
{
    if (!std::filesystem::is_regular_file(path))
    {
        return std::filesystem::exists(path) ? "it is no file" : "there is no such file";
    }
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
    {
        throw RunError(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    const pid_t child = fork();
    if (child == 0)
    {
        Try(path, ends[1]);
    }
    close(ends[1]);
    std::string said;
    char block[4096];
    for (ssize_t got = 1; got > 0 && child > 0;)
    {
        got = read(ends[0], block, sizeof(block));
        said.append(block, got > 0 ? got : 0);
    }
    close(ends[0]);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
    {
        throw RunError(std::string("cannot start a process: ") + std::strerror(errno));
    }
    if (WIFSIGNALED(status))
    {
        return std::string("loading it ends the program (") + strsignal(WTERMSIG(status)) +
               "): is it whole, and built for this build of the module?";
    }
    return said.empty() ? "loading it ends the program" : said.substr(0, said.size() - 1);
}

} // namespace

void
LoadPlugins(const std::vector<std::string>& files)
{
    std::vector<Diagnostic> diagnostics;
    std::set<std::string> paths;
    for (const auto& file : files)
    {
        // A name without a slash would be looked for in the system's folders, not here.
        const auto path =
            std::filesystem::weakly_canonical(std::filesystem::absolute(file)).string();
        if (!paths.insert(path).second)
        {
            continue; // loaded already: it was given twice
        }
        std::string problem = FindProblem(path);
        problem = problem.empty() ? Load(path) : problem;
        if (!problem.empty())
        {
            diagnostics.push_back(
                {"--plugin", "", "cannot load " + QuoteText(file) + ": " + problem});
            continue;
        }
        GetLoaded().insert(std::filesystem::path(file).filename().string() + " " + HashFile(path));
    }
    if (!diagnostics.empty())
    {
        throw InputError(diagnostics);
    }
}

std::vector<std::string>
ListPlugins()
{
    return {GetLoaded().begin(), GetLoaded().end()};
}

} // namespace ns3::ddl
