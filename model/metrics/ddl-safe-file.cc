// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-safe-file.h"

#include "ns3/ddl-error.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace ns3::ddl
{

std::filesystem::path
GetPartPath(const std::filesystem::path& path)
{
    return path.string() + ".part";
}

std::string
GetSystemCause()
{
    return errno == 0 ? "the disk may be full" : std::strerror(errno);
}

void
CompleteFile(const std::filesystem::path& path, const std::string& cause)
{
    std::error_code failure;
    if (cause.empty())
    {
        std::filesystem::rename(GetPartPath(path), path, failure);
    }
    if (!cause.empty() || failure)
    {
        std::error_code ignored;
        std::filesystem::remove(GetPartPath(path), ignored);
        throw RunError("cannot write \"" + path.string() +
                       "\": " + (failure ? failure.message() : cause));
    }
}

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
    errno = 0;
    std::ofstream file(GetPartPath(path), std::ios::binary | std::ios::trunc);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    CompleteFile(path, file ? "" : GetSystemCause());
}

} // namespace ns3::ddl
