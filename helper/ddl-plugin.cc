// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-plugin.h"

#include "ns3/ddl-error.h"

#include <dlfcn.h>
#include <filesystem>

namespace ns3
{
namespace ddl
{

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
        }
    }
    if (!diagnostics.empty())
    {
        throw InputError(diagnostics);
    }
}

} // namespace ddl
} // namespace ns3
