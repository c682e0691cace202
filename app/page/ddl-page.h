// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PAGE_H
#define DDL_PAGE_H

#include "ddl-report-model.h"

#include <cstddef>
#include <string>

namespace ns3::ddl
{

/** The greatest size of a page, bytes. */
constexpr std::size_t MOST_PAGE_BYTES = 5000000;

/**
 * \param report what the page shows
 * \param most greatest size of the page, bytes. If the page would be larger, charts, tables and
 *        long texts show less, and say so; headings, texts and warnings stay
 * \return an HTML page that needs no other file: style, script, numbers and texts are in it, and it
 *         loads nothing. The script draws the charts, from numbers in the page. Equal for equal
 *         reports
 */
std::string FormatPage(const Report& report, std::size_t most = MOST_PAGE_BYTES);

} // namespace ns3::ddl

#endif // DDL_PAGE_H
