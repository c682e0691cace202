// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FULL_DISK_H
#define DDL_FULL_DISK_H

#include <csignal>
#include <sys/resource.h>

namespace ns3::ddl
{

/**
 * While an object of it lives, no file can grow beyond some bytes. The limit on file sizes stands
 * for a full disk: write() fails in the same way.
 */
class FullDisk
{
  public:
    /** \param bytes greatest size of a file, bytes */
    explicit FullDisk(rlim_t bytes)
        : m_handler(std::signal(SIGXFSZ, SIG_IGN))
    {
        getrlimit(RLIMIT_FSIZE, &m_before);
        rlimit small = m_before;
        small.rlim_cur = bytes;
        setrlimit(RLIMIT_FSIZE, &small);
    }

    ~FullDisk()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }

    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

  private:
    void (*m_handler)(int);
    rlimit m_before{};
};

} // namespace ns3::ddl

#endif // DDL_FULL_DISK_H
