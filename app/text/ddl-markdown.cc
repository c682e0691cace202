// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-markdown.h"

#include "ns3/ddl-error.h"

#include <sstream>

namespace ns3::ddl
{

std::string
FormatMarkdownRow(const std::vector<std::string>& cells)
{
    std::string row = "|";
    for (std::string cell : cells)
    {
        for (auto at = cell.find('|'); at != std::string::npos; at = cell.find('|', at + 2))
        {
            cell.insert(at, 1, '\\');
        }
        row += (cell.empty() ? "" : " ") + cell + " |";
    }
    return row + "\n";
}

std::string
RenewParts(const std::string& page,
           const std::string& part,
           const std::function<std::string(const std::string&)>& make)
{
    const std::string begin = "<!-- " + part + " of ";
    const std::string end = "<!-- end of " + part + " -->";
    std::istringstream lines(page);
    std::string renewed;
    bool isInside = false;
    for (std::string line; std::getline(lines, line);)
    {
        isInside = isInside && line != end;
        renewed += isInside ? "" : line + "\n";
        if (line.rfind(begin, 0) == 0)
        {
            if (isInside)
            {
                throw InputError("the page has no line " + end + " before " + line);
            }
            renewed += make(line.substr(begin.size(), line.find(" -->") - begin.size()));
            isInside = true;
        }
    }
    if (isInside)
    {
        throw InputError("the page has no line " + end);
    }
    return renewed;
}

} // namespace ns3::ddl
