// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_POLICY_SOURCE_H
#define DDL_POLICY_SOURCE_H

#include "ns3/type-id.h"

#include <cstdint>
#include <string>

namespace ns3::ddl
{

/** Where a policy was published, and what it has to know to decide. */
struct PolicySource
{
    std::string paper; //!< short name of the system or paper and where it appeared; "": none
    uint16_t year{0};  //!< year of that; 0: none
    /** What it has to know beyond what every policy sees: who asks, since when, and which GPUs and
     * links are in use. "nothing", or a few words. */
    std::string needs;

    /** \return the publication as menus show it: "Varys, SIGCOMM 2014", or "no paper" */
    std::string Describe() const;
};

/** Notes the source of a policy where it is registered; see DDL_POLICY_SOURCE. */
class NotePolicySource
{
  public:
    NotePolicySource(TypeId policy, const PolicySource& source);
};

/** \return the source of a policy; null: it has none */
const PolicySource* FindPolicySource(TypeId policy);

/**
 * Says where a policy was published. It stands behind NS_OBJECT_ENSURE_REGISTERED.
 *
 * \param type the policy's class
 * \param paper, year, needs as in PolicySource
 */
#define DDL_POLICY_SOURCE(type, paper, year, needs)                                                \
    static const NotePolicySource g_sourceOf##type(type::GetTypeId(), {paper, year, needs})

} // namespace ns3::ddl

#endif // DDL_POLICY_SOURCE_H
