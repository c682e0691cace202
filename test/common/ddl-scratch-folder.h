// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCRATCH_FOLDER_H
#define DDL_SCRATCH_FOLDER_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace ns3::ddl
{

/** A test with an empty folder of its own, which is removed afterwards. */
class ScratchFolder : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        std::string pattern = ::testing::TempDir() + "ddl-test-XXXXXX";
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        m_folder = pattern;
    }

    void TearDown() override
    {
        std::filesystem::remove_all(m_folder);
    }

    /** Write a file below the folder. \return path of the file */
    std::string Write(const std::string& name, const std::string& text)
    {
        const auto path = m_folder / name;
        std::filesystem::create_directories(path.parent_path());
        std::filesystem::remove(path); // a new file, since to overwrite one may wait for the disk
        std::ofstream(path) << text;
        return path.string();
    }

    /** Write a shell script below the folder. \return path of the script */
    std::string WriteScript(const std::string& name, const std::string& body)
    {
        const std::string path = Write(name, "#!/bin/sh\n" + body);
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        return path;
    }

    /** \return the text of a file below the folder, "" if there is none */
    std::string Read(const std::filesystem::path& name) const
    {
        std::ifstream file(m_folder / name);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }

    /** \return true if there is a file of that name below the folder */
    bool Exists(const std::filesystem::path& name) const
    {
        return std::filesystem::exists(m_folder / name);
    }

    std::filesystem::path m_folder;
};

} // namespace ns3::ddl

#endif // DDL_SCRATCH_FOLDER_H
