// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/boolean.h"
#include "ns3/ddl-model-profile.h"
#include "ns3/ddl-placement-policy.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

GpuId
T(uint32_t host, uint32_t index)
{
    return {HostId{host}, index};
}

using TiresiasGpus = std::vector<GpuId>;

/** Two racks of two machines of four GPUs. */
class TiresiasTest : public testing::Test
{
  protected:
    void Free(const std::vector<uint32_t>& free)
    {
        m_cluster.machines.clear();
        for (uint32_t host = 0; host < 4; ++host)
        {
            MachineView machine;
            machine.host = HostId{host};
            machine.rack = host / 2;
            for (uint32_t index = 0; index < 4; ++index)
            {
                machine.gpus.push_back({T(host, index), index < free[host]});
            }
            m_cluster.machines.push_back(machine);
        }
    }

    PlacementAnswer Ask(uint32_t workers, double skew)
    {
        PlacementView view{m_cluster, workers};
        view.job.skew = skew;
        return m_policy->Place(view);
    }

    TiresiasGpus Place(uint32_t workers, double skew)
    {
        const auto placement = Ask(workers, skew).placement;
        return placement ? placement->workers : TiresiasGpus();
    }

    ClusterView m_cluster;
    Ptr<PlacementPolicy> m_policy{CreatePolicy<PlacementPolicy>("tiresias")};
};

TEST_F(TiresiasTest, ModelsAreSkewedAsInDallysTable1)
{
    for (const auto& [name, isSkewed] :
         std::vector<std::pair<std::string, bool>>{{"VGG11", true},
                                                   {"AlexNet", true},
                                                   {"MobileNetV3", true},
                                                   {"ResNet18", false},
                                                   {"ResNet50", false},
                                                   {"BERT-large", false}})
    {
        const double skew = FindModel("Dally-" + name).GetSkew();
        EXPECT_EQ(skew >= 0.3, isSkewed) << name << " " << skew;
    }
}

TEST_F(TiresiasTest, WhoIsNotSkewedTakesWhatThereIs)
{
    Free({3, 1, 2, 1});
    EXPECT_EQ(Place(2, 0.1), (TiresiasGpus{T(2, 0), T(2, 1)}));
    EXPECT_EQ(Place(4, 0.1), (TiresiasGpus{T(0, 0), T(0, 1), T(0, 2), T(1, 0)}));
    EXPECT_EQ(Place(6, 0).size(), 6U); // across racks; layers are not known
    EXPECT_FALSE(Ask(8, 0.1).placement);
}

TEST_F(TiresiasTest, WhoIsSkewedWaitsForTheFewestServers)
{
    Free({3, 3, 4, 2});
    EXPECT_EQ(Place(4, 0.5), (TiresiasGpus{T(2, 0), T(2, 1), T(2, 2), T(2, 3)}));
    EXPECT_EQ(Place(6, 0.5), (TiresiasGpus{T(0, 0), T(0, 1), T(0, 2), T(1, 0), T(1, 1), T(1, 2)}));
    Free({3, 3, 0, 3});
    const PlacementAnswer answer = Ask(4, 0.5);
    EXPECT_FALSE(answer.placement);
    EXPECT_TRUE(answer.declines);
    EXPECT_FALSE(answer.askAgain);
    EXPECT_EQ(answer.why, "no server has room for its skewed model");
    EXPECT_FALSE(Ask(7, 0.5).placement); // two servers are enough for seven, were they free
    Free({4, 1, 4, 1});
    EXPECT_EQ(Place(8, 0.5).size(), 8U); // two servers, though in two racks
}

TEST_F(TiresiasTest, LenientAsTheAuthorsSimulator)
{
    m_policy->SetAttribute("Strict", BooleanValue(false));
    Free({2, 1, 0, 0}); // three are free: fewer than a server has
    EXPECT_FALSE(Ask(3, 0.5).placement);
    Free({2, 1, 1, 0}); // four are free: a rack will do
    EXPECT_EQ(Place(3, 0.5), (TiresiasGpus{T(0, 0), T(0, 1), T(1, 0)}));
    Free({2, 1, 1, 1});
    EXPECT_TRUE(Ask(4, 0.5).declines);
    Free({4, 3, 3, 3});
    EXPECT_EQ(Place(9, 0.5).size(), 9U); // larger than a rack
}

} // namespace
