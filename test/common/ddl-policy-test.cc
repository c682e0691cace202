// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-error.h"
#include "ns3/ddl-policy.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A family of policies for this test alone: which dish? */
class DishPolicy : public Policy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::DishPolicy").SetParent<Policy>().SetGroupName("Ddl");
        return tid;
    }
};

/** A policy whose class name ends in the family's name. */
class PeaSoupDishPolicy : public DishPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::PeaSoupDishPolicy")
                                .SetParent<DishPolicy>()
                                .SetGroupName("Ddl")
                                .AddConstructor<PeaSoupDishPolicy>()
                                .AddAttribute("Peas",
                                              "How many",
                                              UintegerValue(7),
                                              MakeUintegerAccessor(&PeaSoupDishPolicy::m_peas),
                                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "pea soup";
    }

    uint32_t m_peas{0};
};

/** A policy whose class name lacks the family's name. */
class Bread : public DishPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::Bread")
                                .SetParent<DishPolicy>()
                                .SetGroupName("Ddl")
                                .AddConstructor<Bread>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "bread";
    }
};

/** A policy without a constructor, which is therefore on no menu. */
class AbstractDishPolicy : public DishPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::AbstractDishPolicy").SetParent<DishPolicy>().SetGroupName("Ddl");
        return tid;
    }
};

NS_OBJECT_ENSURE_REGISTERED(DishPolicy);
NS_OBJECT_ENSURE_REGISTERED(PeaSoupDishPolicy);
NS_OBJECT_ENSURE_REGISTERED(Bread);
NS_OBJECT_ENSURE_REGISTERED(AbstractDishPolicy);

namespace
{

TEST(PolicyTest, ShortNameDropsTheFamilysNameAndTakesDashes)
{
    const TypeId family = DishPolicy::GetTypeId();
    EXPECT_EQ(GetShortName(family, PeaSoupDishPolicy::GetTypeId()), "pea-soup");
    EXPECT_EQ(GetShortName(family, Bread::GetTypeId()), "bread");
}

TEST(PolicyTest, MenuHoldsWhatCanBeMadeInAlphabeticalOrder)
{
    // the menu has neither the family itself nor the class without a constructor
    const std::vector<std::string> menu{"bread", "pea-soup"};
    EXPECT_EQ(ListPolicies(DishPolicy::GetTypeId()), menu);
}

TEST(PolicyTest, IsFoundByShortNameAndByFullName)
{
    const TypeId family = DishPolicy::GetTypeId();
    EXPECT_EQ(FindPolicy(family, "pea-soup"), PeaSoupDishPolicy::GetTypeId());
    EXPECT_EQ(FindPolicy(family, "ns3::ddl::PeaSoupDishPolicy"), PeaSoupDishPolicy::GetTypeId());
}

TEST(PolicyTest, IsMadeWithItsDefaultAttributes)
{
    const Ptr<DishPolicy> policy = CreatePolicy<DishPolicy>("pea-soup");
    EXPECT_EQ(policy->GetSummary(), "pea soup");
    EXPECT_EQ(DynamicCast<PeaSoupDishPolicy>(policy)->m_peas, 7u);
}

TEST(PolicyTest, AWrongNameListsTheMenuAndTheNearest)
{
    try
    {
        FindPolicy(DishPolicy::GetTypeId(), "pea-soap");
        FAIL() << "pea-soap was found";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(),
                     "unknown dish-policy \"pea-soap\" (one of bread, pea-soup); did you mean "
                     "\"pea-soup\"?");
    }
}

TEST(PolicyTest, AClassWithoutAConstructorOrOfAnotherFamilyIsNotFound)
{
    const TypeId family = DishPolicy::GetTypeId();
    EXPECT_THROW(FindPolicy(family, "abstract"), InputError);
    EXPECT_THROW(FindPolicy(family, "ns3::ddl::DishPolicy"), InputError);
    EXPECT_THROW(FindPolicy(family, "ns3::Node"), InputError);
    EXPECT_THROW(FindPolicy(family, ""), InputError);
}

} // namespace
} // namespace ns3::ddl
