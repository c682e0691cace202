// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_POLICY_H
#define DDL_POLICY_H

#include "ns3/object-factory.h"
#include "ns3/object.h"

#include <ctime>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * What all policies share: a short name, by which users pick them, and a line that says what they
 * do.
 *
 * A family is a direct subclass (NetworkScheduler, PlacementPolicy, ...). A policy is a registered
 * TypeId with a constructor below its family. Its short name is its class name less the family's
 * name, in lower case with dashes: `ns3::ddl::FairShareNetworkScheduler` in family
 * `ns3::ddl::NetworkScheduler` is `fair-share`.
 */
class Policy : public Object
{
  public:
    static TypeId GetTypeId();

    /** \return one line for menus: the rule and where it was published */
    virtual std::string GetSummary() const = 0;

    /** \return CPU seconds that this policy's answers took so far; no simulation result may depend
     * on it */
    double GetCpuSeconds() const
    {
        return m_cpuSeconds;
    }

  protected:
    /** Adds the CPU time between its construction and destruction to GetCpuSeconds(). */
    class Stopwatch
    {
      public:
        explicit Stopwatch(const Policy& policy);
        ~Stopwatch();
        Stopwatch(const Stopwatch&) = delete;
        Stopwatch& operator=(const Stopwatch&) = delete;

      private:
        const Policy& m_policy;
        std::clock_t m_start;
    };

  private:
    mutable double m_cpuSeconds{0};
};

/**
 * \param family TypeId of the family
 * \return the short names of all the family's policies, sorted
 */
std::vector<std::string> ListPolicies(TypeId family);

/**
 * \param family TypeId of the family
 * \param name a policy's short name, or full TypeId name of a subclass of the family
 * \return the policy's TypeId
 * \throws InputError that lists the menu when there is no such policy
 */
TypeId FindPolicy(TypeId family, const std::string& name);

/** \return the short name of a policy in its family */
std::string GetShortName(TypeId family, TypeId policy);

/**
 * \tparam Family the family's class
 * \param name a policy's short name or full TypeId name
 * \return a new policy with default attributes
 * \throws InputError when there is no such policy
 */
template <typename Family>
Ptr<Family>
CreatePolicy(const std::string& name)
{
    ObjectFactory factory;
    factory.SetTypeId(FindPolicy(Family::GetTypeId(), name));
    return factory.Create<Family>();
}

} // namespace ns3::ddl

#endif // DDL_POLICY_H
