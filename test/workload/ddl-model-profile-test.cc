// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-error.h"
#include "ns3/ddl-model-profile.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

TEST(ModelProfile, AdaSrsfTableThreeVgg16)
{
    const ModelProfile& model = FindModel("VGG-16");
    EXPECT_EQ(model.bytes, 526400000U); // 526.4 MB
    EXPECT_EQ(model.forward, MicroSeconds(35800));
    EXPECT_EQ(model.backward, MicroSeconds(53700));
    EXPECT_EQ(model.gpuMemory, 4527000000U); // past 32 bits
    EXPECT_EQ(model.batch, 16U);
}

TEST(ModelProfile, GrouperTableThreeHasSizesOnly)
{
    const ModelProfile& model = FindModel("VGG19");
    EXPECT_EQ(model.bytes, 580000000U);
    EXPECT_TRUE(model.forward.IsZero());
    EXPECT_TRUE(model.backward.IsZero());
    EXPECT_EQ(model.source, "Grouper Table III");
}

TEST(ModelProfile, AllEightInNameOrder)
{
    std::vector<std::string> names;
    uint64_t bytes = 0;
    for (const auto& model : ListModels())
    {
        names.push_back(model.name);
        bytes += model.bytes;
    }
    const std::vector<std::string> expected = {"AlexNet",
                                               "DeepSpeech2",
                                               "Inception-V3",
                                               "LSTM-PTB",
                                               "ResNet-50",
                                               "ResNet152",
                                               "VGG-16",
                                               "VGG19"};
    EXPECT_EQ(names, expected);
    // MB: 160 + 230 + 250 + 580 + 526.4 + 99.2 + 103.0 + 251.8 = 2200.4
    EXPECT_EQ(bytes, 2200400000U);
}

TEST(ModelProfile, CaseDoesNotMatter)
{
    EXPECT_EQ(FindModel("resnet-50").name, "ResNet-50");
    EXPECT_EQ(FindModel("alexnet").name, "AlexNet");
}

TEST(ModelProfile, UnknownNameListsMenuAndNearest)
{
    try
    {
        FindModel("resnet50");
        FAIL() << "an unknown model was found";
    }
    catch (const InputError& error)
    {
        const std::string what = error.what();
        EXPECT_NE(what.find("LSTM-PTB"), std::string::npos) << what;
        EXPECT_NE(what.find("did you mean \"ResNet-50\"?"), std::string::npos) << what;
    }
}
