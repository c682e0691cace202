// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMMUNICATION_GATE_H
#define DDL_COMMUNICATION_GATE_H

#include "ddl-gate-view.h"

#include "ns3/ddl-policy.h"

namespace ns3
{
namespace ddl
{

/**
 * Family: may this transfer start now?
 *
 * A policy is a function of the view. Whoever is refused is asked for again when a task ends or
 * another one comes; so a gate must let a task pass when its servers carry nothing, or the task may
 * wait for ever.
 */
class CommunicationGate : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param view the tasks that wait, the one in question, and what its servers carry; aborts when
     *        its indices point nowhere
     * \return true if the task in question may start at once
     */
    bool MayStart(const GateView& view);

    /** \return false if the answer is always yes, so that nobody needs to ask */
    virtual bool IsAsked() const;

    /** \return true if the view has to tell what is really left of the tasks that run */
    virtual bool WantsTruth() const;

  private:
    virtual bool DoMayStart(const GateView& view) = 0;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_COMMUNICATION_GATE_H
