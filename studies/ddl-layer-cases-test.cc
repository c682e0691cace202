// SPDX-License-Identifier: GPL-2.0-only
// Dally, Table I: rings of 8 GPUs, layer by layer, against the closed form and the paper.
#include "ddl-layer-cases.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Row, place, transport, serial. */
class LayerCases
    : public testing::TestWithParam<std::tuple<std::size_t, std::size_t, std::string, bool>>
{
};

} // namespace

TEST_P(LayerCases, MatchTheClosedForm)
{
    const auto [row, where, transport, serial] = GetParam();
    const std::string& name = ListTableRows()[row].model;
    const RingPlace& place = ListRingPlaces()[where];
    const OverlapSpec overlap{0, 0, serial, true};
    const double form = GetIterationForm(FindModel(name), overlap, place);
    const double measured = MeasureIteration(name, overlap, place, transport);
    EXPECT_NEAR(measured / form, 1, 0.02)
        << name << ", " << place.name << ": " << measured << " s, closed form " << form << " s";
}

INSTANTIATE_TEST_SUITE_P(Fluid,
                         LayerCases,
                         testing::Combine(testing::Values(0, 1, 2, 3, 4, 5),
                                          testing::Values(0, 1, 2),
                                          testing::Values("fluid"),
                                          testing::Bool()));

// The others, some seconds each, are in ./ddl study layers.
INSTANTIATE_TEST_SUITE_P(Packets,
                         LayerCases,
                         testing::Combine(testing::Values(2, 3),
                                          testing::Values(0, 1, 2),
                                          testing::Values("rdma"),
                                          testing::Bool()));

TEST(LayerForms, TheNetworkColumnOfThePaperIsMet)
{
    // Within 25 %, one layer after the other, during the backward pass.
    const RingPlace& network = ListRingPlaces()[2];
    for (const TableRow& row : ListTableRows())
    {
        const ModelProfile& model = FindModel(row.model);
        const double percent =
            GetExposedPercent(model, GetIterationForm(model, {0, 0, true, true}, network));
        EXPECT_NEAR(percent / row.published[2], 1, 0.25) << row.model << ": " << percent << " %";
    }
}

TEST(LayerForms, ByHand)
{
    // MobileNetV3 across racks, after the backward pass: 63.3 us, and 54 layers of 14 steps of
    // 17.5 us; 10.1 MB x 14 / 8 take 4.9 us, packets behind the first wire at most 14 x 54 x 13 ns.
    const ModelProfile& model = FindModel("Dally-MobileNetV3");
    const double seconds = GetIterationForm(model, {0, 0, true, false}, ListRingPlaces()[2]);
    EXPECT_GT(seconds * 1e6, 63.3 + 54 * 14 * 17.5 + 4.9);
    EXPECT_LT(seconds * 1e6, 63.3 + 54 * 14 * 17.5 + 5.0 + 10);
}
