// SPDX-License-Identifier: GPL-2.0-only
#include "app/scenario/ddl-scenario-document.h"
#include "ddl-scratch-folder.h"

#include "ns3/ddl-error.h"

namespace ns3::ddl
{
namespace
{

/** Scenarios that extend one another, by path. */
class ScenarioDocumentTest : public ScratchFolder
{
  protected:
    /** \return the only complaint about a scenario */
    std::string Complain(const std::string& file)
    {
        std::vector<Diagnostic> diagnostics;
        OpenScenario(file, diagnostics);
        EXPECT_EQ(diagnostics.size(), 1U);
        return diagnostics.empty() ? "" : diagnostics[0].ToString();
    }
};

TEST_F(ScenarioDocumentTest, WhatIsMissingComesFromAbove)
{
    const std::string root =
        Write("root.json", R"({"name": "root", "a": {"x": 1, "y": 2}, "list": [1, 2], "z": 0})");
    const std::string middle = Write("middle.json",
                                     R"({"name": "middle", "description": "d", "extends": ")" +
                                         root + R"(", "a": {"x": 3}})");
    const std::string file =
        Write("file.json",
              R"({"name": "file", "extends": ")" + middle + R"(", "list": [5], "z": 1})");
    std::vector<Diagnostic> diagnostics;
    const Json json = OpenScenario(file, diagnostics).GetRoot();
    EXPECT_TRUE(diagnostics.empty());
    EXPECT_EQ(json["name"], "file");
    EXPECT_FALSE(json.contains("description")) << "not handed down";
    EXPECT_EQ(json["a"]["x"], 3) << "from the nearest";
    EXPECT_EQ(json["a"]["y"], 2);
    EXPECT_EQ(json["list"], Json::parse("[5]")) << "lists are taken whole";
    EXPECT_EQ(json["z"], 1);
}

TEST_F(ScenarioDocumentTest, PathsStartFromTheFileThatSaysThem)
{
    Write("above/root.json", R"({"name": "root", "seed": 1, "trace": "t.csv"})");
    Write("above/middle.json", R"({"name": "middle", "extends": "root.json", "seed": 2})");
    const std::string file =
        Write("file.json", R"({"name": "file", "extends": "above/middle.json"})");
    std::vector<Diagnostic> diagnostics;
    const JsonDocument document = OpenScenario(file, diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << diagnostics[0].ToString();
    EXPECT_EQ(document.GetRoot()["seed"], 2);
    EXPECT_EQ(document.GetFolder("/trace"), (m_folder / "above").string());
    EXPECT_EQ(document.Where("/seed"), (m_folder / "above/middle.json").string() + ":1");
}

TEST_F(ScenarioDocumentTest, WrongBasesAreComplainedAbout)
{
    EXPECT_NE(Complain(Write("a.json", "{\n\"extends\": 7}"))
                  .find("a.json:2: /extends: must be the name of a scenario, is 7"),
              std::string::npos);
    EXPECT_NE(Complain(Write("b.json", R"({"extends": "no-such"})"))
                  .find("/extends: there is no scenario \"no-such\""),
              std::string::npos);
    const std::string self = (m_folder / "c.json").string();
    EXPECT_NE(Complain(Write("c.json", R"({"extends": ")" + self + R"("})"))
                  .find("extends this scenario itself"),
              std::string::npos);
    const std::string broken = Write("e.json", "{");
    EXPECT_EQ(Complain(Write("d.json", R"({"extends": "e.json"})")).rfind(broken + ":1: ", 0), 0U);
    const std::string middle = Write("f.json", "{\n\"extends\": \"none.json\"}");
    EXPECT_EQ(Complain(Write("g.json", R"({"extends": "f.json"})"))
                  .rfind(middle + ":2: /extends: there is no scenario \"none.json\"", 0),
              0U)
        << "at the file that says it";
    Write("h.json", "[]");
    EXPECT_NE(Complain(Write("i.json", R"({"extends": "h.json"})"))
                  .find("h.json:1: must be an object, is a list"),
              std::string::npos);
}

} // namespace
} // namespace ns3::ddl
