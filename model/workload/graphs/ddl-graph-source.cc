// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-graph-source.h"

#include "ddl-graph-format.h"

#include "ns3/ddl-content-hash.h"

#include <map>
#include <sstream>
#include <utility>

namespace ns3::ddl
{

LoadedGraph
LoadGraph(const ObjectFactory& format, const std::vector<std::string>& paths)
{
    static std::map<std::string, std::weak_ptr<const TaskGraph>> loaded; // by format and contents
    const std::vector<GraphFile> files = OpenGraphFiles(paths);
    std::string hashes;
    for (const GraphFile& file : files)
    {
        hashes += HashFile(file.name);
    }
    LoadedGraph result;
    result.hash = files.size() == 1 ? hashes : HashText(hashes);
    std::ostringstream key;
    key << format << "|" << hashes;
    for (const GraphFile& file : files) // messages name files, and so do the rules for ranks
    {
        key << "|" << file.name;
    }
    result.graph = loaded[key.str()].lock();
    if (!result.graph)
    {
        for (auto other = loaded.begin(); other != loaded.end();)
        {
            other = other->second.expired() ? loaded.erase(other) : std::next(other);
        }
        result.graph = std::make_shared<const TaskGraph>(format.Create<GraphFormat>()->Read(files));
        loaded[key.str()] = result.graph;
    }
    return result;
}

} // namespace ns3::ddl
