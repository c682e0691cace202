// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BAR_CHART_H
#define DDL_BAR_CHART_H

#include "ns3/ddl-statistics.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/** Groups of bars, a colour a series: what figures of bars have in common. */
struct BarChart
{
    /** Bars that stand together: a metric, or a model. */
    struct Group
    {
        std::string key;     //!< in the data: "sct_s"
        std::string title;   //!< below the bars
        std::string unit;    //!< of the texts above them, with a space before
        std::string count{}; //!< of the values behind a bar: "n = 14", "" where that is not known
    };

    /** Bars of one colour. */
    struct Series
    {
        std::string label;
        std::vector<std::optional<Estimate>> heights; //!< a bar a group
        std::vector<std::string> texts;               //!< above each bar
    };

    std::string title;
    std::string note; //!< which runs these are
    std::string axis;
    std::vector<Group> groups;
    std::vector<Series> series;
    bool hasReference{false}; //!< bars are ratios: a line at 1
};

/** \return mean over the replications that have a value, nothing if none has */
std::optional<Estimate> EstimatePresent(const std::vector<std::optional<double>>& values);

/** \return a mean in three digits with its unit, "" if there is none */
std::string LabelBar(const std::optional<Estimate>& mean, const std::string& unit);

/** \return text of NAME-data.csv */
std::string FormatBarData(const BarChart& bars);

/**
 * \param name of the figure
 * \param bars at least one group and series
 * \return text of NAME.gp
 */
std::string FormatBarScript(const std::string& name, const BarChart& bars);

} // namespace ddl
} // namespace ns3

#endif // DDL_BAR_CHART_H
