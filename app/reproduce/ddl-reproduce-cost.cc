// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-reproduce-cost.h"

#include "app/json/ddl-json-text.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <fstream>
#include <sys/resource.h>

namespace ns3
{
namespace ddl
{

namespace
{

double
ToSeconds(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

/** \return CPU seconds of all children that have ended, and of theirs */
double
GetChildrenCpu()
{
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    return ToSeconds(usage.ru_utime) + ToSeconds(usage.ru_stime);
}

} // namespace

CostMeter::CostMeter(const CompareOptions& request)
    : m_file(request.folder / "cost.json"),
      m_before(Read(request.folder)),
      m_start(GetChildrenCpu())
{
}

void
CostMeter::Write(bool isResumed) const
{
    Json cost;
    cost["cpu_s"] = (isResumed ? m_before : 0) + GetChildrenCpu() - m_start;
    WriteFileSafely(m_file, DumpJson(cost));
}

double
CostMeter::Read(const std::filesystem::path& folder)
{
    std::ifstream file(folder / "cost.json");
    const Json cost = Json::parse(file, nullptr, false);
    return cost.is_object() && cost.contains("cpu_s") && cost["cpu_s"].is_number()
               ? cost["cpu_s"].get<double>()
               : 0;
}

} // namespace ddl
} // namespace ns3
