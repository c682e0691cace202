// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cdf-slowdown-figure.h"

#include "ddl-cdf-chart.h"

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(CdfSlowdownFigure);

TypeId
CdfSlowdownFigure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::CdfSlowdownFigure")
                            .SetParent<Figure>()
                            .SetGroupName("Ddl")
                            .AddConstructor<CdfSlowdownFigure>();
    return tid;
}

std::string
CdfSlowdownFigure::GetSummary() const
{
    return "distribution of the slowdown of stages and of jobs, a line for each result";
}

FigureFiles
CdfSlowdownFigure::DoMake(const std::vector<ResultSet>& sets) const
{
    std::vector<CdfPanel> panels;
    for (const std::string of : {"stages", "jobs"})
    {
        const std::string label = "slowdown of " + of + " (time / time alone)";
        CdfPanel panel = ReadCdfPanel(sets, of, "slowdown", label);
        if (!IsEmpty(panel))
        {
            panels.push_back(std::move(panel));
        }
    }
    if (panels.empty())
    {
        return {"",
                "",
                "no stage and no job has a slowdown (nothing was completed, or the runs alone were "
                "left out by output.alone=false)"};
    }
    return {FormatCdfData("slowdown", sets, panels),
            FormatCdfScript(GetName(), "Distribution of slowdowns", sets, panels),
            ""};
}

} // namespace ddl
} // namespace ns3
