// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-comparison-file.h"

namespace ns3::ddl
{

Table<ComparisonRow>
DescribeComparisonFile(const std::vector<std::string>& varied, const std::vector<Metric>& metrics)
{
    using Row = ComparisonRow;
    Table<Row> table("compare", "a run, in the order of the cross product, seeds fastest");
    table.Add("run", "run: its folder below `runs`, with all its files and the log", &Row::run)
        .Add("seed", "seed of the run", &Row::seed);
    for (std::size_t i = 0; i < varied.size(); ++i)
    {
        table.Add(varied[i], "value of the varied key", [i](const Row& row) {
            return row.values[i];
        });
    }
    for (std::size_t i = 0; i < metrics.size(); ++i)
    {
        table.Add(
            metrics[i].name,
            metrics[i].GetTitle() + ": of the run's `summary.json`, the mean of a distribution",
            [i](const Row& row) { return row.own[i]; },
            "if the run has none, or failed");
    }
    for (std::size_t i = 0; i < metrics.size(); ++i)
    {
        table.Add(
            metrics[i].name + "_mean",
            metrics[i].GetTitle() + ", mean: over the seeds of the row's combination",
            [i](const Row& row) {
                return row.means[i] ? std::make_optional(row.means[i]->mean) : std::nullopt;
            },
            "if no run has any");
        table.Add(
            metrics[i].name + "_ci95",
            metrics[i].GetTitle() +
                ", interval: half of the width of the mean's 95 % confidence interval",
            [i](const Row& row) { return row.means[i] ? row.means[i]->halfWidth : std::nullopt; },
            "with one seed");
    }
    return table;
}

} // namespace ns3::ddl
