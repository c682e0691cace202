// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-html.h"

namespace ns3::ddl
{

namespace
{

/** \return the JSON as text in UTF-8; bytes that are no UTF-8 become U+FFFD */
std::string
DumpAsUtf8(const nlohmann::ordered_json& json)
{
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace

std::string
EscapeHtml(const std::string& text)
{
    const auto utf8 = nlohmann::json::parse(DumpAsUtf8(text)).get<std::string>();
    std::string escaped;
    for (const char c : utf8)
    {
        switch (c)
        {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        case '\'':
            escaped += "&#39;";
            break;
        default: {
            const auto byte = static_cast<unsigned char>(c);
            const bool isForbidden = (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F;
            escaped += isForbidden ? "\xEF\xBF\xBD" : std::string(1, c);
        }
        }
    }
    return escaped;
}

std::string
DumpForScript(const nlohmann::ordered_json& json)
{
    std::string safe;
    for (const char c : DumpAsUtf8(json)) // outside of texts, JSON has none of these characters
    {
        safe += c == '<'   ? "\\u003c"
                : c == '>' ? "\\u003e"
                : c == '&' ? "\\u0026"
                           : std::string(1, c);
    }
    return safe;
}

} // namespace ns3::ddl
