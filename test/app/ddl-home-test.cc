// SPDX-License-Identifier: GPL-2.0-only
#include "app/reproduce/ddl-menus.h"
#include "app/scenario/ddl-home.h"
#include "ddl-process-state.h"
#include "ddl-scratch-folder.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-plugin.h"
#include "ns3/ddl-policy-source.h"
#include "ns3/ddl-policy.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::ddl;

/** Two scenarios and a cluster in a home of their own. */
class Home : public ScratchFolder
{
  protected:
    void SetUp() override
    {
        ScratchFolder::SetUp();
        setenv("DDL_HOME", m_folder.c_str(), 1);
        Write("scenarios/second/scenario.json", R"({"description": "the second"})");
        Write("scenarios/first/scenario.json", "{broken");
        Write("scenarios/no-scenario/README.md", "");
        Write("scenarios/clusters/small.json", "// Two hosts.\n{}");
        Write("scenarios/clusters/README.md", "not a cluster");
    }

  private:
    ProcessStateGuard m_guard;
};

TEST_F(Home, ScenariosAreFoundByNameByFolderAndByFile)
{
    const std::string second = (m_folder / "scenarios/second/scenario.json").string();
    EXPECT_EQ(FindScenarioFile("second"), second);
    EXPECT_EQ(FindScenarioFile((m_folder / "scenarios/second").string()), second);
    EXPECT_EQ(FindScenarioFile(second), second);
    const std::string odd = Write("with a space and \xff/x.json", "{}");
    EXPECT_EQ(FindScenarioFile(odd), odd);
}

TEST_F(Home, AScenarioThatIsNotThereIsSaidWithTheNearest)
{
    for (const std::string name : {"secnd", "", "no-scenario", "nowhere/at.json"})
    {
        try
        {
            FindScenarioFile(name);
            ADD_FAILURE() << name << " was found";
        }
        catch (const InputError& error)
        {
            EXPECT_EQ(std::string(error.what()),
                      "there is no scenario \"" + name +
                          "\" (a JSON file, or one of first, second)" +
                          (name == "secnd" ? "; did you mean \"second\"?" : ""));
        }
    }
}

TEST_F(Home, ListsWhatThereIsInOrder)
{
    const auto scenarios = ListScenarios();
    ASSERT_EQ(scenarios.size(), 2U);
    EXPECT_EQ(scenarios[0].name, "first");
    EXPECT_NE(scenarios[0].summary, ""); // what is wrong with it
    EXPECT_EQ(scenarios[1].summary, "the second");
    const auto clusters = ListPresets(PresetKind::CLUSTER);
    ASSERT_EQ(clusters.size(), 1U);
    EXPECT_EQ(clusters[0].name, "small");
    EXPECT_EQ(clusters[0].summary, "Two hosts.");
    EXPECT_EQ(FindPresetFile(PresetKind::CLUSTER, "small"),
              (m_folder / "scenarios/clusters/small.json").string());
    EXPECT_EQ(FindPresetFile(PresetKind::CLUSTER, "large"), "");
    EXPECT_EQ(FindPresetFile(PresetKind::CLUSTER, "../clusters/small"), "");
}

TEST_F(Home, AnEmptyHomeHasNothing)
{
    std::filesystem::remove_all(m_folder / "scenarios");
    EXPECT_TRUE(ListScenarios().empty());
    EXPECT_TRUE(ListPresets(PresetKind::CLUSTER).empty());
    EXPECT_EQ(FindPresetFile(PresetKind::CLUSTER, "small"), "");
    EXPECT_THROW(FindScenarioFile("second"), InputError);
}

TEST_F(Home, MenusNameEveryKind)
{
    const auto menus = MakeMenus("");
    const auto titles = [&menus] {
        std::vector<std::string> names;
        for (const auto& menu : menus)
        {
            names.push_back(menu.title);
            for (const auto& item : menu.items)
            {
                EXPECT_FALSE(item.name.empty()) << menu.title;
                EXPECT_FALSE(item.summary.empty()) << menu.title << " " << item.name;
            }
        }
        return names;
    }();
    for (const char* title : {"policies: network-scheduler",
                              "policies: communication-pattern",
                              "policies: queue-scheduler",
                              "policies: transport",
                              "models",
                              "clusters",
                              "schedulers",
                              "scenarios",
                              "papers, and their figures",
                              "figures"})
    {
        EXPECT_EQ(std::count(titles.begin(), titles.end(), title), 1) << title;
    }
    ASSERT_EQ(MakeMenus("clusters").size(), 1U);
    EXPECT_EQ(MakeMenus("clusters")[0].items[0].name, "small");
    EXPECT_GE(MakeMenus("policies").size(), 8U);
    try
    {
        MakeMenus("model");
        FAIL() << "no error";
    }
    catch (const InputError& error)
    {
        EXPECT_EQ(std::string(error.what()),
                  "nothing of the kind \"model\" can be listed (one of policies, models, clusters, "
                  "schedulers, scenarios, papers, figures, results); did you mean \"models\"?");
    }
}

/** Policies of the module that answer a key of `scheduler`; test policies have another group. */
TEST(PolicySources, EveryPolicyOfTheSchedulerHasOne)
{
    std::size_t policies = 0;
    for (const char* family : {"NetworkScheduler",
                               "CommunicationGate",
                               "JobQueuePolicy",
                               "PlacementPolicy",
                               "PlacementScorer",
                               "TaskQueuePolicy",
                               "RoundScheduler",
                               "Estimator"})
    {
        const TypeId type = TypeId::LookupByName(std::string("ns3::ddl::") + family);
        for (const auto& name : ListPolicies(type))
        {
            const TypeId policy = FindPolicy(type, name);
            if (policy.GetGroupName() != "Ddl")
            {
                continue;
            }
            ++policies;
            const PolicySource* const source = FindPolicySource(policy);
            ASSERT_NE(source, nullptr)
                << family << " " << name << " has no DDL_POLICY_SOURCE (ddl-policy-source.h)";
            EXPECT_FALSE(source->needs.empty()) << family << " " << name;
            EXPECT_EQ(source->paper.empty(), source->year == 0) << family << " " << name;
            EXPECT_TRUE(source->year == 0 || (source->year > 1960 && source->year < 2100)) << name;
        }
    }
    EXPECT_GT(policies, 50U);
}

TEST(PolicySources, StandInMenuAndTable)
{
    const auto menus = MakeMenus("policies");
    const auto gates = std::find_if(menus.begin(), menus.end(), [](const Menu& menu) {
        return menu.title == "policies: communication-gate";
    });
    ASSERT_NE(gates, menus.end());
    const std::string& said = gates->items.at(0).summary;
    EXPECT_NE(said.find(" [Ada-SRSF, arXiv 2020; needs bytes left of transfers, remaining time]"),
              std::string::npos)
        << said;
    const std::string page = RenewPolicyTables("a\n<!-- policies of task-queue -->\nold\n"
                                               "<!-- end of policies -->\nb\n");
    EXPECT_EQ(page.find("a\n<!-- policies of task-queue -->\n| policy | rule | published | needs"),
              0U);
    EXPECT_NE(page.find("| `fifo` | the task that came first | no paper | nothing |\n"),
              std::string::npos);
    EXPECT_EQ(page.find("old"), std::string::npos);
    EXPECT_THROW(RenewPolicyTables("<!-- policies of task-queue -->\n"), InputError);
}

TEST_F(Home, AllPluginsThatCannotBeLoadedAreSaid)
{
    const std::string text = Write("plugin.so", "this is no library");
    EXPECT_NO_THROW(LoadPlugins({}));
    try
    {
        LoadPlugins({text, (m_folder / "missing.so").string()});
        FAIL() << "no error";
    }
    catch (const InputError& error)
    {
        ASSERT_EQ(error.GetDiagnostics().size(), 2U);
        EXPECT_EQ(error.GetDiagnostics()[0].where, "--plugin");
        EXPECT_NE(error.GetDiagnostics()[0].what.find("plugin.so"), std::string::npos);
        EXPECT_NE(error.GetDiagnostics()[1].what.find("missing.so"), std::string::npos);
    }
}
