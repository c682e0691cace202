// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-graph-format.h"

#include "ddl-graph-schedule.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(GraphFormat);

namespace
{

const std::string SUFFIX = ".et";      //!< ends the name of a file of one rank
constexpr std::size_t MOST_DIGITS = 8; //!< longest number of a rank in a name

GraphFile
MakeFile(const std::string& path)
{
    return {path, [path] { return std::make_unique<std::ifstream>(path, std::ios::binary); }};
}

/** \return the files of ranks that begin with a prefix, in the order of ranks; gaps are left */
std::vector<std::string>
ListRankFiles(const std::string& prefix)
{
    const std::filesystem::path path(prefix);
    const std::string begin = path.filename().string() + ".";
    std::multimap<uint64_t, std::string> sorted;
    std::error_code error;
    std::filesystem::directory_iterator entry(path.has_parent_path() ? path.parent_path()
                                                                     : std::filesystem::path("."),
                                              error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error))
    {
        const std::string name = entry->path().filename().string();
        const bool isOurs = name.rfind(begin, 0) == 0 &&
                            name.find('.', begin.size()) == name.size() - SUFFIX.size();
        const auto rank = isOurs ? FindFileRank(name) : std::nullopt;
        if (rank)
        {
            sorted.emplace(*rank, prefix + name.substr(begin.size() - 1));
        }
    }
    std::vector<std::string> files;
    for (const auto& [rank, file] : sorted)
    {
        files.push_back(file);
    }
    return files;
}

/** \return paths that a path stands for: itself, or those of all ranks behind a prefix */
std::vector<std::string>
ExpandPrefix(const std::string& path)
{
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error))
    {
        return {path};
    }
    const auto files = ListRankFiles(path);
    return files.empty() ? std::vector<std::string>{path} : files;
}

} // namespace

std::optional<uint64_t>
FindFileRank(const std::string& name)
{
    const std::size_t last = name.size() - std::min(name.size(), SUFFIX.size());
    const std::size_t dot = name.rfind('.', last - std::min<std::size_t>(last, 1));
    const std::string digits = dot == std::string::npos ? "" : name.substr(dot + 1, last - dot - 1);
    if (name.substr(last) != SUFFIX || digits.empty() || digits.size() > MOST_DIGITS ||
        digits.find_first_not_of("0123456789") != std::string::npos)
    {
        return std::nullopt;
    }
    return std::stoull(digits);
}

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
                          "most nodes of all ranks together; reading and checking takes 60 "
                          "to 400 bytes a node",
                          UintegerValue(10000000),
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
                     "is no file that can be read, and there is no file of a rank that begins "
                     "with it: PREFIX.RANK" +
                         SUFFIX});
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
