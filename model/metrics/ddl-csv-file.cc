// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-csv-file.h"

#include "ddl-safe-file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t MOST_BYTES = 65536; //!< bytes kept before they are written
constexpr auto LONGEST = std::chrono::seconds(1);

} // namespace

CsvFile::CsvFile(const std::filesystem::path& path, const std::string& header)
    : m_path(path),
      m_rows(header),
      m_written(Clock::now()),
      m_file(open(GetPartPath(path).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666))
{
    if (m_file < 0)
    {
        CompleteFile(m_path, GetSystemCause());
    }
}

CsvFile::~CsvFile()
{
    if (m_file >= 0)
    {
        Write();
        close(m_file);
    }
}

void
CsvFile::NoteRow()
{
    if (m_rows.GetSize() >= MOST_BYTES || Clock::now() - m_written >= LONGEST)
    {
        Write();
    }
}

bool
CsvFile::HasFailed() const
{
    return m_error != 0;
}

void
CsvFile::Write()
{
    const std::string text = m_rows.TakeText();
    m_written = Clock::now();
    std::size_t done = 0;
    while (done < text.size() && m_error == 0)
    {
        const ssize_t more = write(m_file, text.data() + done, text.size() - done);
        if (more >= 0)
        {
            done += static_cast<std::size_t>(more);
        }
        else if (errno != EINTR)
        {
            m_error = errno;
            static_cast<void>(ftruncate(m_file, m_size) == 0); // remove a cut row
        }
    }
    m_size += m_error == 0 ? static_cast<int64_t>(text.size()) : 0;
}

void
CsvFile::Finish()
{
    Write();
    if (close(m_file) != 0 && m_error == 0)
    {
        m_error = errno;
    }
    m_file = -1;
    CompleteFile(m_path, m_error == 0 ? "" : std::strerror(m_error));
}

} // namespace ns3::ddl
