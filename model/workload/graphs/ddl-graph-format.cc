// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-graph-format.h"

#include "ddl-graph-schedule.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(GraphFormat);

namespace
{

const std::string SUFFIX = ".et"; //!< of files of one rank each

GraphFile
MakeFile(const std::string& path)
{
    return {path, [path] { return std::make_unique<std::ifstream>(path, std::ios::binary); }};
}

/** \return paths that a path stands for: itself, or those of all ranks behind a prefix */
std::vector<std::string>
ExpandPrefix(const std::string& path)
{
    std::vector<std::string> paths;
    while (!std::filesystem::exists(path) &&
           std::filesystem::exists(path + "." + std::to_string(paths.size()) + SUFFIX))
    {
        paths.push_back(path + "." + std::to_string(paths.size()) + SUFFIX);
    }
    return paths.empty() ? std::vector<std::string>{path} : paths;
}

} // namespace

TypeId
GraphFormat::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::GraphFormat")
            .SetParent<Policy>()
            .SetGroupName("Ddl")
            .AddAttribute("Names",
                          "whether nodes keep their names, for messages and pictures; without, "
                          "more ranks are found equal and share memory",
                          BooleanValue(true),
                          MakeBooleanAccessor(&GraphFormat::m_hasNames),
                          MakeBooleanChecker())
            .AddAttribute("MostNodes",
                          "most nodes of all ranks together; checks take some 40 bytes a node",
                          UintegerValue(50000000),
                          MakeUintegerAccessor(&GraphFormat::m_mostNodes),
                          MakeUintegerChecker<uint64_t>(1));
    return tid;
}

TaskGraph
GraphFormat::Read(const std::vector<GraphFile>& files) const
{
    if (files.empty())
    {
        throw InputError("a graph needs at least one file");
    }
    TaskGraph graph;
    graph.source = files.front().name;
    GraphComplaints complaints;
    try
    {
        DoRead(files, graph, complaints);
    }
    catch (const GraphRefusal& refusal)
    {
        complaints.Add(graph.source, refusal.place, refusal.what);
    }
    complaints.Finish();
    const auto wrong = CheckGraph(graph);
    if (!wrong.empty())
    {
        throw InputError(wrong);
    }
    return graph;
}

std::vector<GraphFile>
OpenGraphFiles(const std::vector<std::string>& paths)
{
    std::vector<GraphFile> files;
    std::vector<Diagnostic> missing;
    for (const auto& path : paths)
    {
        for (const auto& expanded : ExpandPrefix(path))
        {
            std::error_code error;
            if (!std::filesystem::is_regular_file(expanded, error) || !std::ifstream(expanded))
            {
                missing.push_back(
                    {expanded,
                     "",
                     "cannot be read, and there is no " + path + ".0" + SUFFIX + " either"});
            }
            files.push_back(MakeFile(expanded));
        }
    }
    if (!missing.empty())
    {
        throw InputError(missing);
    }
    return files;
}

std::string
FindGraphFormat(const std::vector<GraphFile>& files)
{
    const auto names = ListPolicies(GraphFormat::GetTypeId());
    for (const auto& file : files)
    {
        const auto input = file.open();
        std::string beginning(GraphFormat::RECOGNISED, '\0');
        input->read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
        beginning.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, input->gcount())));
        for (const auto& name : names)
        {
            if (CreatePolicy<GraphFormat>(name)->Recognises(file.name, beginning))
            {
                return name;
            }
        }
    }
    throw InputError({{files.empty() ? "" : files.front().name,
                       "",
                       "is of no known format (say which of " + JoinNames(names) + " it is)"}});
}

} // namespace ns3::ddl
