// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-comparison-file.h"

namespace ns3::ddl
{

namespace
{

/** Add the columns that tell how far `--until` came. */
void
AddOutcome(Table<ComparisonRow>& table)
{
    using Row = ComparisonRow;
    const char* const base = "for the rows that others are compared with";
    table
        .Add("until_rule",
             "with `--until`: the rule that decided on the number of seeds",
             [](const Row& row) { return row.outcome->rule; })
        .Add("until_seeds",
             "with `--until`: number of seeds that the row's combination was run with",
             [](const Row& row) { return row.outcome->seeds; })
        .Add(
            "until_pairs",
            "with `--until`: number of those seeds that have a ratio to the base",
            [](const Row& row) { return row.outcome->pairs; },
            base)
        .Add(
            "until_ratio",
            "with `--until`: mean ratio of its metric to the base, seed by seed",
            [](const Row& row) { return row.outcome->ratio; },
            base)
        .Add(
            "until_ci95",
            "with `--until`: half of the width of the ratio's 95 % interval, which allows for "
            "having looked more than once",
            [](const Row& row) { return row.outcome->width; },
            base)
        .Add(
            "until_settled",
            "with `--until`: 1 if the rule is met, 0 if the ratio is still uncertain",
            [](const Row& row) -> std::optional<uint64_t> {
                return row.outcome->isSettled
                           ? std::make_optional<uint64_t>(*row.outcome->isSettled ? 1 : 0)
                           : std::nullopt;
            },
            base);
}

} // namespace

Table<ComparisonRow>
DescribeComparisonFile(const std::vector<std::string>& varied,
                       const std::vector<Metric>& metrics,
                       bool hasRule)
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
    if (hasRule)
    {
        AddOutcome(table);
    }
    return table;
}

} // namespace ns3::ddl
