// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-trace-file.h"

#include "ddl-csv-writer.h"
#include "ddl-safe-file.h"

#include <cerrno>

namespace ns3::ddl
{

namespace
{

/** \return a time in microseconds, with three decimals, as the format wants */
std::string
FormatMicroseconds(Time time)
{
    const int64_t ns = time.GetNanoSeconds();
    std::string fraction = std::to_string(1000 + ns % 1000);
    fraction[0] = '.';
    return std::to_string(ns / 1000) + fraction;
}

std::string
Where(uint32_t process, uint32_t track)
{
    return "\"pid\":" + std::to_string(process + 1) + ",\"tid\":" + std::to_string(track + 1);
}

} // namespace

TraceFile::TraceFile(const std::filesystem::path& path)
    : m_path(path),
      m_file(GetPartPath(path), std::ios::binary | std::ios::trunc)
{
    if (!m_file.is_open())
    {
        CompleteFile(m_path, GetSystemCause());
    }
    // No displayTimeUnit: Perfetto up to 2021 took it for the unit of the times.
    m_file << "{\"traceEvents\":[";
}

TraceFile::~TraceFile()
{
    if (m_file.is_open())
    {
        m_file.close();
        std::error_code ignored;
        std::filesystem::remove(GetPartPath(m_path), ignored);
    }
}

void
TraceFile::AddEvent(const std::string& event)
{
    errno = 0;
    m_file << (m_isFirst ? "\n" : ",\n") << event;
    m_isFirst = false;
    NoteFailure();
}

/** Keep the cause of the first failed write: later ones do not set errno. */
void
TraceFile::NoteFailure()
{
    if (!m_file && m_cause.empty())
    {
        m_cause = GetSystemCause();
    }
}

void
TraceFile::NameProcess(uint32_t process, const std::string& name)
{
    AddEvent("{\"ph\":\"M\",\"name\":\"process_name\"," + Where(process, 0) +
             ",\"args\":{\"name\":\"" + name + "\"}}");
    AddEvent("{\"ph\":\"M\",\"name\":\"process_sort_index\"," + Where(process, 0) +
             ",\"args\":{\"sort_index\":" + std::to_string(process) + "}}");
}

void
TraceFile::NameTrack(uint32_t process, uint32_t track, const std::string& name)
{
    AddEvent("{\"ph\":\"M\",\"name\":\"thread_name\"," + Where(process, track) +
             ",\"args\":{\"name\":\"" + name + "\"}}");
    AddEvent("{\"ph\":\"M\",\"name\":\"thread_sort_index\"," + Where(process, track) +
             ",\"args\":{\"sort_index\":" + std::to_string(track) + "}}");
}

void
TraceFile::AddSlice(uint32_t process,
                    uint32_t track,
                    const std::string& name,
                    Time start,
                    Time end,
                    const std::string& arguments)
{
    AddEvent("{\"ph\":\"X\",\"name\":\"" + name + "\"," + Where(process, track) +
             ",\"ts\":" + FormatMicroseconds(start) +
             ",\"dur\":" + FormatMicroseconds(end - start) + ",\"args\":" + arguments + "}");
}

void
TraceFile::AddArrow(uint64_t id, const std::string& name, const Point& from, const Point& to)
{
    const auto add = [&](const std::string& phase, const Point& point) {
        AddEvent("{\"ph\":" + phase + ",\"cat\":\"" + name + "\",\"name\":\"" + name +
                 "\",\"id\":" + std::to_string(id) + "," + Where(point.process, point.track) +
                 ",\"ts\":" + FormatMicroseconds(point.time) + "}");
    };
    add("\"s\"", from);
    add("\"f\",\"bp\":\"e\"", to); // bound to the slice around it, not to the next one
}

void
TraceFile::AddCounter(uint32_t process, const std::string& name, Time time, double value)
{
    AddEvent("{\"ph\":\"C\",\"name\":\"" + name + "\"," + Where(process, 0) + ",\"ts\":" +
             FormatMicroseconds(time) + ",\"args\":{\"value\":" + FormatReal(value) + "}}");
}

void
TraceFile::Finish()
{
    errno = 0;
    m_file << "\n]}\n" << std::flush;
    NoteFailure();
    m_file.close();
    CompleteFile(m_path, m_cause);
}

} // namespace ns3::ddl
