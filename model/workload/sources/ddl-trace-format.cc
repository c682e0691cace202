// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-trace-format.h"

#include "ns3/ddl-content-hash.h"
#include "ns3/ddl-error.h"

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/stream.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <tuple>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(TraceFormat);

namespace
{

/** Number jobs from 1 if a file numbers them from 0; report duplicates as errors. */
template <typename Rows>
void
CheckIds(Rows& rows, TraceLines& lines)
{
    std::vector<std::pair<uint32_t, uint64_t>> ids; // ids and their lines
    for (const auto& row : rows)
    {
        ids.emplace_back(row.id, row.line);
    }
    std::sort(ids.begin(), ids.end());
    for (std::size_t i = 1; i < ids.size(); ++i)
    {
        if (ids[i].first == ids[i - 1].first)
        {
            lines.Refuse(ids[i].second,
                         "the number " + std::to_string(ids[i].first) + " is that of line " +
                             std::to_string(ids[i - 1].second) + " already");
        }
    }
    const bool isFromZero = !ids.empty() && ids.front().first == 0;
    for (auto& row : rows)
    {
        row.id += isFromZero ? 1 : 0;
    }
}

/** Sort jobs by arrival; all jobs of a cojob arrive with its first one, and follow each other. */
void
SortJobs(std::vector<TraceJob>& jobs)
{
    std::map<uint32_t, Time> first;
    for (const auto& job : jobs)
    {
        if (job.cojob != NOT_GIVEN)
        {
            const auto [known, isNew] = first.emplace(job.cojob, job.submit);
            known->second = std::min(known->second, job.submit);
        }
    }
    for (auto& job : jobs)
    {
        job.submit = job.cojob != NOT_GIVEN ? first.at(job.cojob) : job.submit;
    }
    std::sort(jobs.begin(), jobs.end(), [](const auto& a, const auto& b) {
        return std::tie(a.submit, a.cojob, a.line) < std::tie(b.submit, b.cojob, b.line);
    });
}

/** \return the format that recognises the first line that is not empty */
Ptr<TraceFormat>
FindFormat(const std::string& path, std::istream& input)
{
    TraceLines lines(input, path);
    const auto header = lines.Next();
    const TypeId family = TraceFormat::GetTypeId();
    for (const auto& name : ListPolicies(family))
    {
        const auto format = CreatePolicy<TraceFormat>(name);
        if (header && format->Recognises(*header))
        {
            return format;
        }
    }
    throw InputError({{path + ":" + std::to_string(std::max<uint64_t>(1, lines.GetNumber())),
                       "",
                       "is the first line of no known trace (say which of " +
                           JoinNames(ListPolicies(family)) + " it is)"}});
}

} // namespace

TypeId
TraceFormat::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::TraceFormat").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

Trace
TraceFormat::Read(std::istream& input, const std::string& name) const
{
    Trace trace;
    trace.name = name;
    TraceLines lines(input, name);
    DoRead(lines, trace);
    CheckIds(trace.jobs, lines);
    CheckIds(trace.coflows, lines);
    if (trace.jobs.empty() && trace.coflows.empty())
    {
        lines.Refuse(trace.notes.empty() ? "there is nothing behind the first line"
                                         : "no job is left: " + boost::join(trace.notes, "; "));
    }
    lines.Finish();
    SortJobs(trace.jobs);
    std::stable_sort(trace.coflows.begin(), trace.coflows.end(), [](const auto& a, const auto& b) {
        return a.submit < b.submit;
    });
    return trace;
}

Trace
ReadTrace(const std::string& path, const ObjectFactory& format)
{
    // The file is read once: it may be a pipe, and the hash has to be that of the text in use.
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file || text.empty())
    {
        throw InputError({{path, "", "cannot be read, or is empty"}});
    }
    boost::iostreams::stream<boost::iostreams::array_source> input(text.data(), text.size());
    const auto reader =
        format.IsTypeIdSet() ? format.Create<TraceFormat>() : FindFormat(path, input);
    input.clear();
    input.seekg(0);
    Trace trace = reader->Read(input, path);
    trace.hash = HashText(trace.hash.empty() ? text : text + trace.hash);
    return trace;
}

} // namespace ns3::ddl
