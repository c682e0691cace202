// SPDX-License-Identifier: GPL-2.0-only
// Dally, Table I: rings of 8 GPUs, layer by layer, against the closed form and the paper.
#include "ddl-layer-cases.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Parameters: row of the table, place, transport, whether buckets are sent serially. */
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
    EXPECT_NEAR(measured / form, 1, 0.02) << name << ", " << place.cluster << ", " << place.name
                                          << ": " << measured << " s, closed form " << form << " s";
}

INSTANTIATE_TEST_SUITE_P(FluidOfTheAuthors,
                         LayerCases,
                         testing::Combine(testing::Values(0, 1, 2, 3, 4, 5),
                                          testing::Values(3, 4, 5),
                                          testing::Values("fluid"),
                                          testing::Values(true)));

INSTANTIATE_TEST_SUITE_P(Fluid,
                         LayerCases,
                         testing::Combine(testing::Values(0, 1, 2, 3, 4, 5),
                                          testing::Values(0, 1, 2),
                                          testing::Values("fluid"),
                                          testing::Bool()));

// The other cases take some seconds each; ./ddl study layers runs them.
INSTANTIATE_TEST_SUITE_P(Packets,
                         LayerCases,
                         testing::Combine(testing::Values(2, 3),
                                          testing::Values(0, 1, 2),
                                          testing::Values("rdma"),
                                          testing::Bool()));

TEST(LayerForms, ModelsThatMeetThePaper)
{
    // Rows within 25 %, with layers sent one after the other during the backward pass.
    const auto listMet = [](const RingPlace& place) {
        std::vector<std::string> met;
        for (const TableRow& row : ListTableRows())
        {
            const ModelProfile& model = FindModel(row.model);
            const double percent =
                GetExposedPercent(model, GetIterationForm(model, {0, 0, true, true}, place));
            if (std::abs(percent / row.published[place.column] - 1) <= 0.25)
            {
                met.push_back(row.model.substr(std::string("Dally-").size()));
            }
        }
        return met;
    };
    using Models = std::vector<std::string>;
    const auto& places = ListRingPlaces();
    EXPECT_EQ(listMet(places[0]), Models{});
    EXPECT_EQ(listMet(places[1]), Models{"MobileNetV3"});
    EXPECT_EQ(listMet(places[2]),
              (Models{"VGG11", "AlexNet", "MobileNetV3", "ResNet18", "ResNet50", "BERT-large"}));
    EXPECT_EQ(listMet(places[3]), Models{});
    EXPECT_EQ(listMet(places[4]), (Models{"AlexNet", "MobileNetV3", "ResNet18"}));
    EXPECT_EQ(listMet(places[5]), (Models{"MobileNetV3", "ResNet18", "BERT-large"}));
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

TEST(LayerForms, ByHandTierByTier)
{
    // MobileNetV3 on 4 + 4 GPUs of two servers of a rack: 54 layers of 6 steps of 10 ns and 2 of
    // 5.01 us; 10 MB x 6 / 4 at 4.8 Tbps are 25 us, 10 MB x 2 / 8 at 1.6 Tbps 12.5 us.
    const ModelProfile& model = FindModel("Dally-MobileNetV3");
    const double seconds = GetIterationForm(model, {0, 0, true, false}, ListRingPlaces()[4]);
    const double form = 63.3 + 54 * (6 * 0.01 + 2 * 5.01) + 25 + 12.5;
    EXPECT_NEAR(seconds * 1e6, form, 0.02 * form);
}
