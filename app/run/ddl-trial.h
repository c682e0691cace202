// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TRIAL_H
#define DDL_TRIAL_H

#include "ns3/ddl-scenario.h"

#include <map>
#include <string>

namespace ns3
{
namespace ddl
{

/** What the first part of a run took. */
struct Trial
{
    double buildSeconds{0}; //!< CPU time until the first event, and of the end of the run
    double runSeconds{0};   //!< CPU time of the part that was run
    double share{0};        //!< part of the work that was done in it, 0 to 1
    double halfSeconds{0}; //!< CPU time of its first half, in which jobs start, perhaps all at once
    double halfShare{0};   //!< part of the work that was done in that
    double networkBytes{0}; //!< of one iteration of each job that was placed: over the network
    double bytes{0};        //!< of the same: of all messages, those within a machine too
    double packetHops{0};   //!< in the part that was run; 0 without packets
    bool hasEnded{false};   //!< the whole run went into the trial

    /** \return CPU seconds of the whole run: after this part it goes on as in its second half */
    double GetWhole() const;
};

/**
 * Work that CPU time is taken to go with: bytes where there are packets, else messages, and a
 * little for each iteration of each worker.
 */
class WorkTable
{
  public:
    /** \param hasPackets of the transport */
    explicit WorkTable(bool hasPackets);

    /** What one iteration of a job amounts to. */
    struct Iteration
    {
        uint64_t bytes{0};    //!< of all messages
        uint64_t messages{0}; //!< that there are
        double work{0};       //!< in units of this table
    };

    /** \return one iteration of a job; patterns are asked once for jobs that are alike */
    const Iteration& Get(const JobSpec& job);

  private:
    bool m_hasPackets;
    std::map<std::string, Iteration> m_known;
};

/**
 * Run the beginning of a scenario, in this process, for about so much CPU time.
 *
 * \param scenario a valid one; runs alone, figures and captures are left out
 * \param work of the whole scenario, by `table`
 * \param table of the scenario's transport
 * \param budget CPU seconds behind the building of the network
 * \throws what the run itself would throw
 */
Trial TryOut(const Scenario& scenario, double work, WorkTable& table, double budget);

} // namespace ddl
} // namespace ns3

#endif // DDL_TRIAL_H
