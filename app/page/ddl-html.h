// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_HTML_H
#define DDL_HTML_H

#include <nlohmann/json.hpp>
#include <string>

namespace ns3::ddl
{

/**
 * \param text any bytes: names that users give may hold any
 * \return HTML that shows it, for elements and for quoted attributes; bytes that are no UTF-8, and
 *         control characters that HTML does not allow, become U+FFFD
 */
std::string EscapeHtml(const std::string& text);

/**
 * \param json any JSON value
 * \return the value as text for a `<script type="application/json">`. As `<`, `>` and `&` are
 *         written as \\u003c and so on, nothing in it can end the script. Bytes that are no UTF-8
 *         become U+FFFD
 */
std::string DumpForScript(const nlohmann::ordered_json& json);

} // namespace ns3::ddl

#endif // DDL_HTML_H
