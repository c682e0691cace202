// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-text-file.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <boost/locale/utf.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;

[[noreturn]] void
Refuse(const std::string& where, const std::string& what)
{
    throw InputError(std::vector<Diagnostic>{{where, "", what}});
}

/** \return a hint on a missing file: "; did you mean X?" with the nearest in its folder, or "" */
std::string
SuggestFile(const fs::path& missing)
{
    const fs::path folder = missing.has_parent_path() ? missing.parent_path() : fs::path(".");
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    {
        names.push_back(it->path().filename().string());
    }
    std::sort(names.begin(), names.end()); // a folder's own order differs between machines
    const std::string nearest = NearestName(missing.filename().string(), names);
    return nearest.empty() ? ""
                           : "; did you mean " + (missing.parent_path() / nearest).string() + "?";
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File
Open(const std::string& path)
{
    std::error_code ignored;
    if (fs::is_directory(path, ignored))
    {
        Refuse(path, "is a folder, a file is needed");
    }
    File file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!file)
    {
        const int reason = errno;
        Refuse(path,
               std::string("cannot be opened: ") + std::strerror(reason) +
                   (reason == ENOENT ? SuggestFile(path) : ""));
    }
    return file;
}

/** \return length in bytes of the UTF-8 character at an offset, 0 if there is no valid one */
std::size_t
CharacterLength(const std::string& text, std::size_t offset)
{
    namespace utf = boost::locale::utf;
    auto at = text.begin() + static_cast<std::ptrdiff_t>(offset);
    const auto begin = at;
    const utf::code_point character = utf::utf_traits<char>::decode(at, text.end());
    const bool isIt = character != utf::illegal && character != utf::incomplete;
    return isIt ? static_cast<std::size_t>(at - begin) : 0;
}

bool
IsControl(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7F || (byte < 0x20 && c != '\n' && c != '\r' && c != '\t');
}

std::string
Hex(char c)
{
    char text[8];
    std::snprintf(text, sizeof(text), "0x%02X", static_cast<unsigned char>(c));
    return text;
}

} // namespace

std::string
ReadTextFile(const std::string& path, std::size_t maxBytes)
{
    const File file = Open(path);
    std::string text;
    std::vector<char> block(std::size_t{64} << 10);
    while (const std::size_t got = std::fread(block.data(), 1, block.size(), file.get()))
    {
        text.append(block.data(), got);
        if (text.size() > maxBytes)
        {
            Refuse(path, "is too large (at most " + std::to_string(maxBytes >> 20) + " MiB)");
        }
    }
    if (std::ferror(file.get()))
    {
        Refuse(path, std::string("cannot be read: ") + std::strerror(errno));
    }
    return text;
}

void
CheckUtf8(const std::string& text, const std::string& name)
{
    if (text.empty())
    {
        Refuse(name, "is empty (at least {} is needed)");
    }
    if (text.compare(0, 3, "\xEF\xBB\xBF") == 0)
    {
        Refuse(name + ":1", "begins with a byte order mark; save it as UTF-8 without one");
    }
    for (std::size_t i = 0; i < text.size();)
    {
        const std::size_t length = CharacterLength(text, i);
        if (length == 0 || IsControl(text[i]))
        {
            Refuse(WhereInText(text, i, name),
                   "column " + std::to_string(ColumnInText(text, i)) + ": byte " + Hex(text[i]) +
                       (length == 0 ? " is not UTF-8; save the file as UTF-8 text"
                                    : " is a control character; is this a text file?"));
        }
        i += length;
    }
}

std::string
WhereInText(const std::string& text, std::size_t offset, const std::string& name)
{
    const auto end = text.begin() + std::min(offset, text.size());
    return name + ":" + std::to_string(1 + std::count(text.begin(), end, '\n'));
}

std::size_t
ColumnInText(const std::string& text, std::size_t offset)
{
    const std::size_t end = std::min(offset, text.size());
    const std::size_t newline = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
    return newline == std::string::npos ? end + 1 : end - newline;
}

} // namespace ns3::ddl
