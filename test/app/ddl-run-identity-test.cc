// SPDX-License-Identifier: GPL-2.0-only
#include "app/run/ddl-run-identity.h"
#include "ddl-process-state.h"
#include "ddl-simulation-fixture.h"

#include "ns3/config.h"
#include "ns3/ddl-content-hash.h"
#include "ns3/global-value.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::ddl;

/** What identifies a run, written to a file and read back as `--resume` does. */
class RunIdentityTest : public SimulationFixture
{
  protected:
    Scenario MakeScenario(const Settings& settings = {})
    {
        return ReadText(
            OnSwitch(2,
                     1,
                     R"({"jobs": [{"model": {"bytes": "1MB"}, "workers": 2, "iterations": 1}]})"),
            settings);
    }

    std::string Identify(const Scenario& scenario)
    {
        return ReadIdentity(Write("identity", FormatIdentity(IdentifyRun(scenario))));
    }

    std::string Identify(const Settings& settings = {})
    {
        return Identify(MakeScenario(settings));
    }

    ProcessStateGuard m_guard;
};

TEST_F(RunIdentityTest, IsTheSameForTheSameRunAndSaysWhatItIs)
{
    const std::string once = Identify();
    EXPECT_EQ(once, Identify());
    const auto json = nlohmann::json::parse(once);
    EXPECT_EQ(json["identity"]["build"].get<std::string>().size(), 16U);
    EXPECT_EQ(json["identity"]["globals"]["RngRun"], "1");
    EXPECT_EQ(json["identity"]["globals"].count("RngSeed"), 0U) << "the scenario has the seed";
    EXPECT_TRUE(json["identity"]["attributes"].empty()) << json["identity"]["attributes"];
    EXPECT_EQ(once.find(m_folder.string()), std::string::npos) << "no path of this machine";
}

TEST_F(RunIdentityTest, TheScenarioHasEveryAttributeOfEveryPolicy)
{
    const Settings fluid = {"transport.kind=fluid", "scheduler.placement=lwf"};
    const auto json = nlohmann::json::parse(Identify(fluid));
    EXPECT_EQ(json["scenario"]["scheduler"]["placement"]["type"], "lwf");
    EXPECT_TRUE(json["scenario"]["scheduler"]["placement"].contains("Kappa"));
    EXPECT_TRUE(json["scenario"]["transport"].contains("headerBytes")) << json["scenario"];
    // What is written out is the same run as what was left to defaults.
    Settings same = fluid;
    same.push_back("scheduler.placement.Kappa=" +
                   json["scenario"]["scheduler"]["placement"]["Kappa"].dump());
    EXPECT_EQ(Identify(same), Identify(fluid));
    EXPECT_NE(Identify(fluid), Identify());
}

TEST_F(RunIdentityTest, AChangedDefaultIsAnotherRunWhetherItsPolicyIsChosenOrNot)
{
    const std::string before = Identify();
    Config::SetDefault("ns3::ddl::FluidTransport::HeaderBytes", UintegerValue(100));
    const std::string after = Identify();
    EXPECT_NE(before, after);
    const auto json = nlohmann::json::parse(after);
    EXPECT_EQ(json["identity"]["attributes"]["ns3::ddl::FluidTransport::HeaderBytes"], "100");
    const auto fluid = nlohmann::json::parse(Identify({"transport.kind=fluid"}));
    EXPECT_EQ(fluid["scenario"]["transport"]["headerBytes"], 100);
}

TEST_F(RunIdentityTest, AnObjectAsDefaultIsToldByItsAttributes)
{
    const auto set = [](const std::string& value) {
        Config::SetDefault("ns3::ArpL3Protocol::RequestJitter", StringValue(value));
    };
    set("ns3::ConstantRandomVariable[Constant=1.0]");
    const std::string one = Identify();
    set("ns3::ConstantRandomVariable[Constant=1.0]"); // another object, at another place in memory
    EXPECT_EQ(Identify(), one);
    set("ns3::ConstantRandomVariable[Constant=2.0]");
    EXPECT_NE(Identify(), one);
}

TEST_F(RunIdentityTest, AChangedGlobalValueIsAnotherRun)
{
    const std::string before = Identify();
    GlobalValue::Bind("RngRun", UintegerValue(7));
    EXPECT_NE(Identify(), before);
}

TEST_F(RunIdentityTest, DefaultsFromTheEnvironmentAreAnotherRun)
{
    const std::string before = Identify();
    setenv("NS_ATTRIBUTE_DEFAULT", "ns3::ddl::FluidTransport::HeaderBytes=100", 1);
    EXPECT_NE(Identify(), before);
}

TEST_F(RunIdentityTest, ATraceIsToldByItsContentNotByItsTime)
{
    const std::string head = "job_id,num_gpu,submit_time,iterations,model_name\n";
    const auto identify = [this](const std::string& trace) {
        const std::string file = Write("trace.csv", trace);
        return Identify(ReadText(OnSwitch(2, 1, R"({"trace": ")" + file + "\"}")));
    };
    const std::string one = identify(head + "1,2,0,1,VGG-16\n");
    EXPECT_EQ(identify(head + "1,2,0,1,VGG-16\n"), one);
    EXPECT_NE(identify(head + "1,2,0,2,VGG-16\n"), one);
}

TEST_F(RunIdentityTest, WhatDoesNotSayEverythingIsNoIdentity)
{
    EXPECT_EQ(ReadIdentity("/no/such/file"), "");
    EXPECT_EQ(ReadIdentity(Write("broken", "{\"versions\": {}, ")), "");
    EXPECT_EQ(ReadIdentity(Write("old", R"({"versions": {}, "scenario": {}})")), "");
}

TEST(ContentHash, IsFnv1aOf64Bits)
{
    // Test vectors of the hash's authors, http://www.isthe.com/chongo/src/fnv/test_fnv.c
    EXPECT_EQ(HashText(""), "cbf29ce484222325");
    EXPECT_EQ(HashText("a"), "af63dc4c8601ec8c");
    EXPECT_EQ(HashText("foobar"), "85944171f73967e8");
}

using ContentHashOfFile = ScratchFolder;

TEST_F(ContentHashOfFile, IsThatOfItsTextHoweverLong)
{
    const std::string text(3'000'001, 'x'); // more than two blocks
    EXPECT_EQ(HashFile(Write("file", text)), HashText(text));
    EXPECT_EQ(HashFile(Write("empty", "")), HashText(""));
    EXPECT_THROW(HashFile((m_folder / "none").string()), InputError);
    EXPECT_THROW(HashFile(m_folder.string()), InputError);
}
