// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_MARKDOWN_H
#define DDL_MARKDOWN_H

#include <functional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** \return a row of a Markdown table: "| a | b |" */
std::string FormatMarkdownRow(const std::vector<std::string>& cells);

/**
 * Renew the parts of a page that are made from code. They stand between the lines
 * `<!-- PART of WHAT -->` and `<!-- end of PART -->`.
 *
 * \param page text in Markdown
 * \param part "keys"
 * \param make function that gives the text for a WHAT
 * \throws InputError when the last part has no end, so that the rest of the page would be lost
 */
std::string RenewParts(const std::string& page,
                       const std::string& part,
                       const std::function<std::string(const std::string&)>& make);

} // namespace ns3::ddl

#endif // DDL_MARKDOWN_H
