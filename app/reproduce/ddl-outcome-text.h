// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_OUTCOME_TEXT_H
#define DDL_OUTCOME_TEXT_H

#include "ddl-figure-outcome.h"

#include <set>
#include <string>
#include <vector>

namespace ns3::ddl
{

// Texts about what was measured for a figure, for the report and the terminal.

/** \return text of the published number: "-31.0 %", "8.000 units", or "-" if there is none */
std::string FormatPublished(const FigureValue& value);

/** \return text of our number: "-12.3 ± 1.1 % (3 seeds)", or "-" if nothing was measured; without
 * seeds if the outcome does not say how many */
std::string FormatOurs(const FigureValue& value, const ValueOutcome& outcome);

/** \return text of the gap: "+18.7 points" for a change, "+1.2 %" otherwise, "" if there is none */
std::string FormatGap(const FigureValue& value, const ValueOutcome& outcome);

/** \return " (at 2)" for a value that was picked from a sweep, else "" */
std::string FormatPlace(const ValueOutcome& outcome);

/** \return a few words on the verdict; in capitals if the sign or the order differs */
std::string FormatVerdict(const ValueOutcome& outcome);
std::string FormatVerdict(OrderVerdict verdict);

/** \return text of a ratio: "0.690 ± 0.010" */
std::string FormatRatio(const Estimate& ratio);

/** \return text of an order: "grouper 0.690 ± 0.010 < fair-share 1.000", or "-" */
std::string FormatAscending(const OrderOutcome& outcome);

/** \return signs and orders that are not as published, a sentence each: "The sign differs: ..." */
std::vector<std::string> FindProblems(const PaperFigure& figure, const FigureOutcome& outcome);

/**
 * \param agreements agreement of each published number, or order; none is NONE
 * \param what name of these: "published numbers"
 * \return a sentence: "12 of 20 published numbers are met, 6 missed, 2 not run"
 */
std::string FormatCounts(const std::multiset<Agreement>& agreements, const std::string& what);

/**
 * \param figure a figure, with the rows of \p variant as its `expected`
 * \param outcome what was measured
 * \return text of an `expected.csv` of the values that were measured: the figure's rows, with the
 *         measured number and interval unless an independent source gives the expected one; and a
 *         row without tolerance for each published number that is then not recorded
 */
std::string FormatExpected(const PaperFigure& figure,
                           FigureVariant variant,
                           const FigureOutcome& outcome);

/**
 * Renew the tables of values in a page (RenewParts). They stand between the lines
 * `<!-- values of FIGURE -->`, with the name of a folder below scenarios/, and
 * `<!-- end of values -->`, and have the published numbers beside those that the default set of
 * `expected.csv` records.
 */
std::string RenewValueTables(const std::string& page);

} // namespace ns3::ddl

#endif // DDL_OUTCOME_TEXT_H
