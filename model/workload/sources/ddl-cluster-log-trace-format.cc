// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cluster-log-trace-format.h"

#include "ns3/enum.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <cmath>

namespace ns3::ddl
{

namespace
{

constexpr double CLOCK_SECOND = 1; //!< most by which two correctly rounded durations differ

std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    boost::split(parts, text, [separator](char c) { return c == separator; });
    for (auto& part : parts)
    {
        boost::trim(part);
    }
    parts.erase(std::remove(parts.begin(), parts.end(), ""), parts.end());
    return parts;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(ClusterLogTraceFormat);

TypeId
ClusterLogTraceFormat::GetTypeId()
{
    // a checker for each attribute: ns-3 tells them apart by these
    static TypeId tid =
        TypeId("ns3::ddl::ClusterLogTraceFormat").SetParent<TraceFormat>().SetGroupName("Ddl");
    static TypeId all = AddMeanings(AddFilters(tid));
    return all;
}

TypeId
ClusterLogTraceFormat::AddFilters(TypeId tid)
{
    using Self = ClusterLogTraceFormat;
    return tid
        .AddAttribute("From",
                      "jobs that arrive earlier are left out: a time as in the log, 2020-09-01 or "
                      "2020-09-01 18:00:00 (UTC without a zone) or seconds; none if empty",
                      StringValue(""),
                      MakeStringAccessor(&Self::m_from),
                      MakeStringChecker())
        .AddAttribute("To",
                      "jobs that arrive then or later are left out; none if empty",
                      StringValue(""),
                      MakeStringAccessor(&Self::m_to),
                      MakeStringChecker())
        .AddAttribute("States",
                      "states of the jobs that are kept, COMPLETED,FAILED; all if empty",
                      StringValue(""),
                      MakeStringAccessor(&Self::m_states),
                      MakeStringChecker())
        .AddAttribute("Only",
                      "jobs that are kept by texts of other columns, vc=vcA,vcB;user=u1; all if "
                      "empty",
                      StringValue(""),
                      MakeStringAccessor(&Self::m_only),
                      MakeStringChecker());
}

TypeId
ClusterLogTraceFormat::AddMeanings(TypeId tid)
{
    using Self = ClusterLogTraceFormat;
    // a class up to ns-3.40, and a template from 3.41 on
    using FractionValue = decltype(EnumValue(ROUND_UP));
    using SpanValue = decltype(EnumValue(FROM_TIMES));
    return tid
        .AddAttribute("Fraction",
                      "jobs that ask for a part of a GPU: round-up counts each part as a GPU, drop "
                      "leaves them out",
                      FractionValue(ROUND_UP),
                      MakeAccessorHelper<FractionValue>(&Self::m_fraction),
                      MakeEnumChecker(ROUND_UP, "round-up", DROP, "drop"))
        .AddAttribute("MostGpus",
                      "jobs with more GPUs are left out; 0: those with more than 4096",
                      UintegerValue(0),
                      MakeUintegerAccessor(&Self::m_mostGpus),
                      MakeUintegerChecker<uint32_t>(0, MOST_GPUS))
        .AddAttribute("Duration",
                      "times: a job runs for end - start, or the column duration where one of them "
                      "is missing; column: for the column duration if there is one",
                      SpanValue(FROM_TIMES),
                      MakeAccessorHelper<SpanValue>(&Self::m_span),
                      MakeEnumChecker(FROM_TIMES, "times", FROM_COLUMN, "column"))
        .AddAttribute("ModelColumn",
                      "column whose texts are names of models; empty: model (helios), type (acme), "
                      "none (alibaba)",
                      StringValue(""),
                      MakeStringAccessor(&Self::m_modelColumn),
                      MakeStringChecker())
        .AddAttribute("Models",
                      "models by text of that column, Pretrain=VGG-16;Evaluation=ResNet-50",
                      StringValue(""),
                      MakeStringAccessor(&Self::m_models),
                      MakeStringChecker());
}

void
LogJob::AddGpus(double wanted, uint64_t instances)
{
    constexpr double MANY = 1e9; // far above what any job may have
    const double whole = std::ceil(wanted);
    gpus += instances * static_cast<uint64_t>(std::min(whole, MANY));
    isPart = isPart || whole != wanted;
}

void
ClusterLogTraceFormat::DoRead(TraceLines& lines, Trace& trace) const
{
    const TraceColumns columns(lines.Next().value_or(""));
    const LogColumns names = GetColumns();
    if (!columns.Require(names.required, lines))
    {
        return;
    }
    LogJobs jobs(*this, columns, lines, trace);
    while (const auto line = lines.Next())
    {
        const TraceRow row(columns, *line, lines);
        LogJob job;
        jobs.ReadCommon(row, job);
        ReadGpus(row, job);
        job.submit = jobs.ReadTime(row, names.submit);
        job.start = jobs.ReadTime(row, names.start);
        job.end = jobs.ReadTime(row, names.end);
        job.duration = LogJobs::ReadNumber(row, names.duration);
        if (row.IsGood())
        {
            jobs.Take(job);
        }
    }
    jobs.Finish();
}

LogJobs::LogJobs(const ClusterLogTraceFormat& rules,
                 const TraceColumns& columns,
                 TraceLines& lines,
                 Trace& trace)
    : m_rules(rules),
      m_columns(columns),
      m_state(rules.GetColumns().state),
      m_modelColumn(rules.m_modelColumn.empty() ? rules.GetColumns().model : rules.m_modelColumn),
      m_lines(lines),
      m_trace(trace)
{
    if (!rules.m_modelColumn.empty() && !columns.Has(m_modelColumn))
    {
        m_lines.Refuse("has no column \"" + m_modelColumn + "\" (ModelColumn names it)");
    }
    for (const auto& name : Split(rules.m_states, ','))
    {
        m_states.insert(boost::to_lower_copy(name));
    }
    if (!m_states.empty() && !columns.Has(m_state))
    {
        m_lines.Refuse("has no column of states (the attribute States needs one)");
    }
    ReadOnly(rules.m_only);
    ReadModels(rules.m_models);
}

void
LogJobs::ReadOnly(const std::string& text)
{
    for (const auto& part : Split(text, ';'))
    {
        const auto equals = std::min(part.find('='), part.size());
        const std::string column = boost::trim_copy(part.substr(0, equals));
        const auto texts = Split(part.substr(std::min(equals + 1, part.size())), ',');
        if (texts.empty())
        {
            m_lines.Refuse("Only must be COLUMN=TEXT,TEXT;COLUMN=TEXT, is \"" + text + "\"");
        }
        else if (!m_columns.Has(column))
        {
            m_lines.Refuse("has no column \"" + column + "\" (Only names it)");
        }
        m_only[column].insert(texts.begin(), texts.end());
    }
}

void
LogJobs::ReadModels(const std::string& text)
{
    for (const auto& part : Split(text, ';'))
    {
        const auto equals = std::min(part.find('='), part.size());
        const std::string model = boost::trim_copy(part.substr(std::min(equals + 1, part.size())));
        if (model.empty())
        {
            m_lines.Refuse("Models must be TEXT=MODEL;TEXT=MODEL, is \"" + text + "\"");
        }
        m_names[boost::trim_copy(part.substr(0, equals))] = model;
    }
}

std::optional<double>
LogJobs::ReadNumber(const TraceRow& row, const std::string& column)
{
    const std::string& text = row.Text(column);
    if (column.empty() || IsMissing(text))
    {
        return std::nullopt;
    }
    const auto number = ParseReal(text);
    if (!number)
    {
        row.Refuse(column, "a number, or empty");
    }
    return number;
}

double
LogJobs::ReadCount(const TraceRow& row, const std::string& column)
{
    const double number = ReadNumber(row, column).value_or(0);
    if (number < 0)
    {
        row.Refuse(column, "a number, 0 or more, or empty");
    }
    return std::max(0.0, number);
}

std::optional<double>
LogJobs::ReadTime(const TraceRow& row, const std::string& column)
{
    const std::string& text = row.Text(column);
    if (column.empty() || IsMissing(text))
    {
        return std::nullopt;
    }
    const auto time = ParseLogTime(text);
    if (!time)
    {
        row.Refuse(column, "a time such as 2020-06-09 18:41:01, or seconds, 0 or more, or empty");
        return std::nullopt;
    }
    if (!m_isDated)
    {
        m_isDated = time->isDate;
        ReadWindow(m_rules.m_from, "From", m_from);
        ReadWindow(m_rules.m_to, "To", m_to);
    }
    if (*m_isDated != time->isDate)
    {
        row.Refuse(column,
                   *m_isDated ? "a date, as above in the log" : "seconds, as above in the log");
    }
    return time->seconds;
}

void
LogJobs::ReadWindow(const std::string& text, const char* name, std::optional<double>& member)
{
    if (text.empty())
    {
        return;
    }
    const auto time = ParseLogTime(text);
    if (!time || time->isDate != *m_isDated)
    {
        m_lines.Refuse(std::string(name) + " must be " +
                       (*m_isDated ? "a time such as 2020-09-01 or 2020-09-01 18:00:00"
                                   : "seconds, as the times of the log are") +
                       ", is \"" + text + "\"");
        return;
    }
    member = time->seconds;
}

void
LogJobs::ReadCommon(const TraceRow& row, LogJob& job) const
{
    job.line = m_lines.GetNumber();
    for (const auto& [column, texts] : m_only)
    {
        job.isOther = job.isOther || texts.count(row.Text(column)) == 0;
    }
    job.isWrongState =
        job.isWrongState ||
        (!m_states.empty() && m_states.count(boost::to_lower_copy(row.Text(m_state))) == 0);
    job.model = m_modelColumn.empty() ? "" : row.Text(m_modelColumn);
}

void
LogJobs::Note(const std::string& what, uint64_t line)
{
    auto note = std::find_if(m_notes.begin(), m_notes.end(), [&](const auto& known) {
        return known.first == what;
    });
    if (note == m_notes.end())
    {
        note = m_notes.insert(note, {what, {0, line}});
    }
    ++note->second.count;
}

std::optional<double>
LogJobs::FindDuration(const LogJob& job)
{
    const bool hasTimes = job.start && job.end;
    if (hasTimes && job.duration && std::abs(*job.end - *job.start - *job.duration) > CLOCK_SECOND)
    {
        Note("kept: duration is not end - start, see attribute Duration", job.line);
    }
    const bool usesColumn =
        job.duration && (!hasTimes || m_rules.m_span == ClusterLogTraceFormat::FROM_COLUMN);
    if (!usesColumn && !hasTimes)
    {
        Note(job.start ? "left out: no end, they still ran when the log ended"
                       : "left out: no start, they never ran",
             job.line);
        return std::nullopt;
    }
    const double duration = usesColumn ? *job.duration : *job.end - *job.start;
    if (duration <= 0 || duration > MOST_SECONDS)
    {
        Note(duration < 0    ? "left out: end before start"
             : duration == 0 ? "left out: a duration of 0"
                             : "left out: more than a century",
             job.line);
        return std::nullopt;
    }
    return duration;
}

const char*
LogJobs::FindReason(const LogJob& job) const
{
    const uint64_t most = m_rules.m_mostGpus > 0 ? m_rules.m_mostGpus : MOST_GPUS;
    if (job.isOther)
    {
        return "left out: other than the attribute Only names";
    }
    if (job.isWrongState)
    {
        return "left out: in other states than the attribute States names";
    }
    if (job.gpus == 0)
    {
        return "left out: no GPU";
    }
    if (job.isPart && m_rules.m_fraction == ClusterLogTraceFormat::DROP)
    {
        return "left out: a part of a GPU, by attribute Fraction";
    }
    if (job.gpus > most)
    {
        return "left out: too many GPUs, by attribute MostGpus";
    }
    if (!job.submit)
    {
        return "left out: no time of arrival";
    }
    const bool isOutside = (m_from && *job.submit < *m_from) || (m_to && *job.submit >= *m_to);
    return isOutside ? "left out: not between From and To" : nullptr;
}

void
LogJobs::Take(const LogJob& job)
{
    if (const char* const reason = FindReason(job))
    {
        Note(reason, job.line);
        return;
    }
    const auto duration = FindDuration(job);
    if (!duration)
    {
        return;
    }
    if (job.isPart)
    {
        Note("kept: a part of a GPU counts as one, by attribute Fraction", job.line);
    }
    if (job.start && *job.start < *job.submit - CLOCK_SECOND)
    {
        Note("kept: start before arrival", job.line);
    }
    WatchEnd(job);
    TraceJob row;
    row.line = job.line;
    row.id = static_cast<uint32_t>(job.line);
    row.submit = Seconds(*job.submit);
    row.duration = Seconds(*duration);
    row.gpus = static_cast<uint32_t>(job.gpus);
    row.model = FindModel(job.model);
    if (job.servers != NOT_GIVEN)
    {
        row.details = static_cast<uint32_t>(m_trace.details.size());
        m_trace.details.emplace_back();
        m_trace.details.back().servers = job.servers;
    }
    m_trace.jobs.push_back(row);
}

void
LogJobs::WatchEnd(const LogJob& job)
{
    if (job.end.value_or(0) > m_lastEnd)
    {
        m_lastEnd = *job.end;
        m_lastEnders = {0, job.line};
    }
    m_lastEnders.count += job.end == m_lastEnd ? 1 : 0;
}

uint32_t
LogJobs::FindModel(const std::string& text)
{
    const auto known = m_models.find(text);
    if (known != m_models.end())
    {
        return known->second;
    }
    const auto mapped = m_names.find(text);
    const std::string name = mapped != m_names.end() ? mapped->second : text;
    uint32_t index = NOT_GIVEN;
    if (!IsMissing(name))
    {
        const auto& names = m_trace.models;
        index = static_cast<uint32_t>(std::find(names.begin(), names.end(), name) - names.begin());
        if (index == names.size())
        {
            m_trace.models.push_back(name);
        }
    }
    return m_models.emplace(text, index).first->second;
}

void
LogJobs::Finish()
{
    Time first = Time::Max();
    for (const auto& job : m_trace.jobs)
    {
        first = std::min(first, job.submit);
    }
    for (auto& job : m_trace.jobs)
    {
        job.submit -= first;
    }
    if (m_rules.GetColumns().isCut && m_lastEnders.count > 1)
    {
        m_notes.emplace_back("kept: end with the log, they may have run longer", m_lastEnders);
    }
    for (const auto& [what, tally] : m_notes)
    {
        m_trace.notes.push_back(std::to_string(tally.count) +
                                (tally.count == 1 ? " job " : " jobs ") + what +
                                (tally.count == 1 ? " (line " : " (the first: line ") +
                                std::to_string(tally.line) + ")");
    }
}

} // namespace ns3::ddl
