// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PLAN_MEMO_H
#define DDL_PLAN_MEMO_H

#include "ns3/ddl-bucket-plan.h"
#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-rank-plan.h"
#include "ns3/object-factory.h"

#include <map>
#include <memory>
#include <string>

namespace ns3::ddl
{

/**
 * Shares plans of iterations: a plan is made once and kept as long as some run holds it. A job that
 * is suspended and resumed, and equal jobs, share one. A plan follows from the pattern, the numbers
 * of ranks, the bytes of the buckets, and which workers share a server or a rack.
 */
class PlanMemo
{
  public:
    /**
     * \param pattern of a CommunicationPattern
     * \param view servers and racks of the workers may have any numbers; the pattern gets them
     *        numbered from 0 in the order of their first rank
     * \param buckets of the gradients
     * \return the plan
     */
    std::shared_ptr<const JobPlan> Get(const ObjectFactory& pattern,
                                       PatternView view,
                                       const BucketPlan& buckets);

  private:
    std::map<std::string, std::weak_ptr<const JobPlan>> m_plans;
};

} // namespace ns3::ddl

#endif // DDL_PLAN_MEMO_H
