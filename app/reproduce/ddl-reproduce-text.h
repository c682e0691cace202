// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_REPRODUCE_TEXT_H
#define DDL_REPRODUCE_TEXT_H

#include "ddl-figure-outcome.h"

#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

// How published and measured numbers are written, in the report and on the terminal.

/** \return "-31.0 %", "8.000 units", or "-" where the paper gives no number */
std::string FormatPublished(const FigureValue& value);
/** \return "-12.3 ± 1.1 % (3 seeds)", or "-" where nothing was measured */
std::string FormatOurs(const FigureValue& value, const ValueOutcome& outcome);
/** \return "+18.7 points" of a change, "+1.2 %" of another value, "" where there is none */
std::string FormatGap(const FigureValue& value, const ValueOutcome& outcome);
/** \return " (at 2)" for what was picked from a sweep, else "" */
std::string FormatPlace(const ValueOutcome& outcome);
/** \return a few words, in capitals where it must not be overlooked */
std::string FormatVerdict(Verdict verdict);
std::string FormatVerdict(OrderVerdict verdict);
/** \return "grouper 0.690 ± 0.010 < fair-share 1.000", or "-" */
std::string FormatAscending(const OrderOutcome& outcome);
/** \return "0.690 ± 0.010" */
std::string FormatRatio(const Estimate& ratio);
/** \return the texts with a separator between them */
std::string Join(const std::vector<std::string>& texts, const std::string& separator = ", ");
/** \return text that does not end a cell of a Markdown table */
std::string EscapeCell(const std::string& text);

} // namespace ddl
} // namespace ns3

#endif // DDL_REPRODUCE_TEXT_H
