// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-plugin.h"

#include "ddl-content-hash.h"

#include "ns3/ddl-error.h"

#include <dlfcn.h>
#include <filesystem>
#include <set>

namespace ns3
{
namespace ddl
{

namespace
{

/** \return what ListPlugins lists. As the libraries themselves, it lasts as long as the process */
std::set<std::string>&
GetLoaded()
{
    static std::set<std::string> loaded;
    return loaded;
}

} // namespace

void
LoadPlugins(const std::vector<std::string>& files)
{
    std::vector<Diagnostic> diagnostics;
    for (const auto& file : files)
    {
        // A name without a slash would be looked for in the system's folders, not here.
        const auto path = std::filesystem::absolute(file).string();
        if (!dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL))
        {
            diagnostics.push_back({"--plugin", "", std::string("cannot load ") + dlerror()});
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

} // namespace ddl
} // namespace ns3
