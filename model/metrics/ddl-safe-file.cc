// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-safe-file.h"

#include "ns3/ddl-error.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace ns3::ddl
{

namespace
{

/** \return why the last system call failed, or "" if it is not known */
std::string
LastCause()
{
    return errno == 0 ? "" : std::string(": ") + std::strerror(errno);
}

} // namespace

void
PrepareFolder(const std::filesystem::path& folder)
{
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure)
    {
        throw RunError("cannot make the folder \"" + folder.string() + "\": " + failure.message() +
                       "; give another one with --out=DIR");
    }
    try
    {
        const auto probe = folder / ".writable";
        WriteFileSafely(probe, "");
        std::filesystem::remove(probe, failure);
    }
    catch (const RunError& error)
    {
        throw RunError("the folder \"" + folder.string() + "\" cannot be written to (" +
                       error.what() + "); give another one with --out=DIR");
    }
}

void
WriteFileSafely(const std::filesystem::path& path, const std::string& text)
{
    auto neighbour = path;
    neighbour += ".part";
    errno = 0;
    {
        std::ofstream file(neighbour, std::ios::binary | std::ios::trunc);
        file.write(text.data(), static_cast<std::streamsize>(text.size()));
        file.close();
        if (!file)
        {
            const std::string cause = LastCause();
            std::error_code ignored;
            std::filesystem::remove(neighbour, ignored);
            throw RunError("cannot write \"" + path.string() + "\"" + cause);
        }
    }
    std::error_code failure;
    std::filesystem::rename(neighbour, path, failure);
    if (failure)
    {
        std::error_code ignored;
        std::filesystem::remove(neighbour, ignored);
        throw RunError("cannot write \"" + path.string() + "\": " + failure.message());
    }
}

} // namespace ns3::ddl
