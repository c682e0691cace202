// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-temporary-folder.h"

#include "ns3/ddl-error.h"

#include <cstdlib>

namespace ns3
{
namespace ddl
{

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder()
{
    std::string pattern = (fs::temp_directory_path() / "ddl-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
    {
        throw RunError("cannot make a folder in " + fs::temp_directory_path().string());
    }
    m_path = pattern;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

const fs::path&
TemporaryFolder::GetPath() const
{
    return m_path;
}

} // namespace ddl
} // namespace ns3
