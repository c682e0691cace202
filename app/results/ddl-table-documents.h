// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TABLE_DOCUMENTS_H
#define DDL_TABLE_DOCUMENTS_H

#include <string>

namespace ns3::ddl
{

/**
 * Renew the parts of a page of the documentation that describe result tables: their list, between
 * the lines `<!-- list of tables -->` and `<!-- end of list -->`, the columns of each, between
 * `<!-- columns of NAME -->` (of compare.csv, NAME is "compare") and `<!-- end of columns -->`, and
 * the metrics, between
 * `<!-- list of metrics -->` and `<!-- end of list -->`.
 *
 * \param page text in Markdown
 * \throws InputError when a NAME is that of no table, or when the page has the list and lacks the
 *         columns of a table
 */
std::string RenewResultTables(const std::string& page);

/** \return the schema of all result tables: a Frictionless data package
 * (scenarios/results.schema.json) */
std::string FormatResultSchema();

} // namespace ns3::ddl

#endif // DDL_TABLE_DOCUMENTS_H
