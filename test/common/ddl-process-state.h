// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PROCESS_STATE_H
#define DDL_PROCESS_STATE_H

#include "ns3/attribute.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/**
 * The state that a process has once and all tests share, at one moment: ns-3's defaults of
 * attributes, its global values (seed and run of random numbers, the scheduler of events), the
 * roots of its configuration paths, and the environment.
 */
class ProcessState
{
  public:
    /** Reads the state as it is now. */
    ProcessState();

    /** \return a sentence for each change since then; a class that was registered since is
     * compared with its own defaults */
    std::vector<std::string> ListChanges() const;

    /** Sets defaults, global values and the environment back. */
    void Restore() const;

  private:
    using Attribute = std::pair<uint16_t, std::size_t>; //!< id of the class, index
    using Texts = std::map<std::string, std::string>;

    static Texts ReadGlobals();
    static Texts ReadEnvironment();

    /** \return default values of those attributes that were changed since the process began */
    static std::map<Attribute, Ptr<const AttributeValue>> ReadChangedDefaults();

    std::map<Attribute, Ptr<const AttributeValue>> m_defaults;
    Texts m_globals;
    Texts m_environment;
    std::size_t m_roots;
};

/** When it goes out of scope, it sets back what a test has changed. */
class ProcessStateGuard
{
  public:
    ProcessStateGuard() = default;

    ~ProcessStateGuard()
    {
        m_before.Restore();
    }

    ProcessStateGuard(const ProcessStateGuard&) = delete;
    ProcessStateGuard& operator=(const ProcessStateGuard&) = delete;

  private:
    ProcessState m_before;
};

} // namespace ns3::ddl

#endif // DDL_PROCESS_STATE_H
