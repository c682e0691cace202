// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FULL_DISK_H
#define DDL_FULL_DISK_H

#include <csignal>
#include <sys/resource.h>

namespace ns3::ddl
{

/**
 * Makes files refuse to grow beyond some bytes while it lives. A limit on their size stands for a
 * full disk: write() fails in the same way.
 */
class FullDisk
{
  public:
    /** \param bytes that a file can have */
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
