// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cdf-jct-figure.h"

#include "ddl-cdf-chart.h"

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(CdfJctFigure);

TypeId
CdfJctFigure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::CdfJctFigure")
                            .SetParent<Figure>()
                            .SetGroupName("Ddl")
                            .AddConstructor<CdfJctFigure>();
    return tid;
}

std::string
CdfJctFigure::GetSummary() const
{
    return "distribution of the completion time of jobs, a line for each result";
}

FigureFiles
CdfJctFigure::DoMake(const std::vector<ResultSet>& sets) const
{
    const CdfPanel panel = ReadCdfPanel(sets, "jobs", "jct_s", "job completion time, s");
    if (IsEmpty(panel))
    {
        return {"", "", "no job was completed"};
    }
    return {FormatCdfData("jct_s", sets, {panel}),
            FormatCdfScript(GetName(), "Distribution of job completion times", sets, {panel}),
            ""};
}

} // namespace ddl
} // namespace ns3
