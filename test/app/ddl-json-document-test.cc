// SPDX-License-Identifier: GPL-2.0-only
#include "app/json/ddl-json-document.h"

#include <gtest/gtest.h>

using namespace ns3::ddl;

namespace
{

JsonDocument
Parse(const std::string& text)
{
    return JsonDocument::ParseText(text, "s.json");
}

/** \return everything that is said about a text that must be refused, one complaint a line */
std::string
Refusal(const std::string& text)
{
    try
    {
        Parse(text);
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    ADD_FAILURE() << "not refused: " << text.substr(0, 100);
    return "";
}

/** \return what an override that must be refused is told; the document must stay as it was */
std::string
OverrideRefusal(const std::string& text, const std::string& path, const std::string& value)
{
    JsonDocument document = Parse(text);
    const Json before = document.GetRoot();
    std::vector<Diagnostic> diagnostics;
    document.Override(path, value, diagnostics);
    EXPECT_EQ(diagnostics.size(), 1u);
    EXPECT_EQ(document.GetRoot(), before);
    return diagnostics.empty() ? "" : diagnostics[0].ToString();
}

/** \return the document after an override that must succeed, in one line */
std::string
Overridden(const std::string& text, const std::string& path, const std::string& value)
{
    JsonDocument document = Parse(text);
    std::vector<Diagnostic> diagnostics;
    document.Override(path, value, diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << diagnostics.at(0).ToString();
    return document.GetRoot().dump();
}

std::string
Repeat(const std::string& text, int times)
{
    std::string result;
    for (int i = 0; i < times; ++i)
    {
        result += text;
    }
    return result;
}

} // namespace

TEST(JsonDocument, KeepsOrderAndTakesComments)
{
    const auto document =
        Parse("// first\n{\"z\": 1, /* in\n between */ \"a\": [true, null, 2.5]}");
    EXPECT_EQ(document.GetRoot().dump(), R"({"z":1,"a":[true,null,2.5]})");
}

TEST(JsonDocument, KnowsTheLineOfEveryValue)
{
    const auto document = Parse("{\n"                     // 1
                                "  \"a\": 1,\n"           // 2
                                "  \"b\":\n"              // 3
                                "    {\"c\": [10,\n"      // 4
                                "           20\n"         // 5
                                "    ], \"d\": \"x\"},\n" // 6
                                "  // no value here\n"    // 7
                                "  \"e/f~\": {\n"         // 8
                                "    \"g\": -1.5e3\n"     // 9
                                "  }\n"
                                "}\n");
    const std::map<std::string, int> lines{{"", 1},
                                           {"/a", 2},
                                           {"/b", 3}, // where its key stands
                                           {"/b/c", 4},
                                           {"/b/c/0", 4},
                                           {"/b/c/1", 5},
                                           {"/b/d", 6},
                                           {"/e~1f~0", 8}, // escaped as RFC 6901 says
                                           {"/e~1f~0/g", 9},
                                           {"/missing", 1},
                                           {"/b/c/7", 4}};
    for (const auto& [pointer, line] : lines)
    {
        EXPECT_EQ(document.Where(pointer), "s.json:" + std::to_string(line)) << pointer;
    }
}

TEST(JsonDocument, SyntaxErrorsHavePlaceAndRemedy)
{
    EXPECT_EQ(Refusal(""), "s.json: is empty (at least {} is needed)");
    EXPECT_EQ(Refusal("{\n  \"a\": 1,\n  \"b\": [1, 2\n"),
              "s.json:4: column 1: syntax error while parsing array - unexpected end of input; "
              "expected ']'; the text ends inside the list of line 3, is it complete?");
    EXPECT_EQ(Refusal("{\n\"a\": 1,\n}"),
              "s.json:3: column 1: syntax error while parsing object key - unexpected '}'; "
              "expected string literal; remove the comma before it");
    EXPECT_EQ(Refusal("{}\n{}"),
              "s.json:2: column 1: syntax error while parsing value - unexpected '{'; expected end "
              "of input");
    EXPECT_EQ(Refusal("{\"a\":\n tru}"),
              "s.json:2: column 5: syntax error while parsing value - invalid literal");
    EXPECT_EQ(Refusal("{\"a\": 1e999}"), "s.json:1: column 11: number overflow parsing '1e999'");
    for (const char* text : {"{'a': 1}",
                             "{a: 1}",
                             "[01]",
                             "{\"a\": .5}",
                             "NaN",
                             "[1 2]",
                             "\"\n\"",
                             "{\"a\" 1}",
                             "// only a comment",
                             "   ",
                             "/* open",
                             "\"\\ud800\""})
    {
        EXPECT_EQ(Refusal(text).compare(0, 8, "s.json:1"), 0) << text;
    }
}

TEST(JsonDocument, AllRepeatedKeysAreReported)
{
    EXPECT_EQ(Refusal("{\"a\": 1,\n\"b\": {\"c\": 1, \"c\": {}},\n\"a\": 2}"),
              "s.json:2: /b/c: key given twice; the first one is on line 2\n"
              "s.json:3: /a: key given twice; the first one is on line 1");
    Parse(R"({"a": {"x": 1}, "b": {"x": 1}})"); // one key in two objects is fine
}

TEST(JsonDocument, WholeNumbersAreNotRounded)
{
    const auto document = Parse("[18446744073709551615, -9223372036854775808]");
    EXPECT_EQ(document.GetRoot()[0].get<uint64_t>(), UINT64_MAX);
    EXPECT_EQ(document.GetRoot()[1].get<int64_t>(), INT64_MIN);
    EXPECT_EQ(Refusal("{\"a\":\n18446744073709551616\n}"),
              "s.json:2: /a: the whole number 18446744073709551616 has more than 64 bits");
    EXPECT_EQ(Refusal("[-9223372036854775809]"),
              "s.json:1: /0: the whole number -9223372036854775809 has more than 64 bits");
}

TEST(JsonDocument, DepthIsLimited)
{
    const int most = MAX_JSON_DEPTH;
    Parse(Repeat("[", most) + Repeat("]", most));
    for (const int depth : {most + 1, 10000, 1000000})
    {
        EXPECT_EQ(Refusal(Repeat("[", depth) + Repeat("]", depth)),
                  "s.json:1: more than 64 objects and lists inside each other");
        EXPECT_EQ(Refusal(Repeat("{\"a\":", depth)),
                  "s.json:1: more than 64 objects and lists inside each other");
    }
}

TEST(JsonDocument, LongFlatTextsTakeLinearTime)
{
    // ordered_json compares each new key with all before it: 200,000 keys would take minutes
    std::string text = "{\n";
    for (int i = 0; i < 200000; ++i)
    {
        text += "\"k" + std::to_string(i) + "\": 1,\n";
    }
    const auto document = Parse(text + "\"last\": 1}");
    EXPECT_EQ(document.GetRoot().size(), 200001u);
    EXPECT_EQ(document.Where("/last"), "s.json:200002");
}

TEST(JsonDocument, MissingFileIsAnInputError)
{
    EXPECT_THROW(JsonDocument::ParseFile("no/such/file.json"), InputError);
}

TEST(JsonOverride, SetsValuesOfAnyType)
{
    EXPECT_EQ(Overridden(R"({"a": 1})", "a", "2"), R"({"a":2})");
    EXPECT_EQ(Overridden(R"({"a": 1})", "a", "5us"), R"({"a":"5us"})");
    EXPECT_EQ(Overridden(R"({"a": 1})", "a", ""), R"({"a":""})");
    EXPECT_EQ(Overridden(R"({"a": 1})", "a", "true"), R"({"a":true})");
    EXPECT_EQ(Overridden(R"({"a": 1})", "a", "\"2\""), R"({"a":"2"})");
    EXPECT_EQ(Overridden(R"({"a": 1})", "a", "[1,{\"b\": 2}]"), R"({"a":[1,{"b":2}]})");
    EXPECT_EQ(Overridden(R"({"a": 1})", "a", "//x"), R"({"a":"//x"})");
}

TEST(JsonOverride, WalksKeysAndIndicesAndCreatesKeys)
{
    EXPECT_EQ(Overridden(R"({"a": {"b": [{}, {"c": 1}]}})", "a.b.1.c", "2"),
              R"({"a":{"b":[{},{"c":2}]}})");
    EXPECT_EQ(Overridden("{}", "a.b.c", "1"), R"({"a":{"b":{"c":1}}})");
}

TEST(JsonOverride, StringsOnTheWayBecomeObjects)
{
    EXPECT_EQ(
        Overridden(R"({"scheduler": {"placement": "lwf"}})", "scheduler.placement.Kappa", "2"),
        R"({"scheduler":{"placement":{"type":"lwf","Kappa":2}}})");
    EXPECT_EQ(Overridden(R"({"cluster": "grouper-testbed"})", "cluster.hosts.gpus", "2"),
              R"({"cluster":{"preset":"grouper-testbed","hosts":{"gpus":2}}})");
}

TEST(JsonOverride, IsFoundAtTheCommandLine)
{
    JsonDocument document = Parse("{\n\"a\": {\n\"b\": 1,\n\"c\": \"lwf\"}}");
    std::vector<Diagnostic> diagnostics;
    document.Override("a.c.Kappa", "2", diagnostics);
    EXPECT_EQ(document.Where("/a/c/Kappa"), "--set");
    EXPECT_EQ(document.Where("/a/c/type"), "s.json:4");
    EXPECT_EQ(document.Where("/a/b"), "s.json:3");
    document.Override("a", "{\"b\": 3}", diagnostics);
    EXPECT_EQ(document.Where("/a/b"), "--set"); // its line 3 is gone
    EXPECT_TRUE(diagnostics.empty());
}

TEST(JsonOverride, RefusalsLeaveTheDocumentAlone)
{
    const std::string text = R"({"n": 1, "l": [1, 2], "e": [], "s": "x"})";
    EXPECT_EQ(OverrideRefusal(text, "l.2", "1"),
              "--set: /l/2: there is no element 2 (indices are 0 to 1)");
    EXPECT_EQ(OverrideRefusal(text, "e.0", "1"),
              "--set: /e/0: there is no element 0 (the list is empty)");
    EXPECT_EQ(OverrideRefusal(text, "l.x", "1"),
              "--set: /l/x: no index of a list: x (indices are 0 to 1)");
    EXPECT_EQ(OverrideRefusal(text, "n.b", "1"), "--set: /n/b: /n is 1, which has no keys");
    EXPECT_EQ(OverrideRefusal(text, "", "1"), "--set: \"\" is no path of keys such as a.b.0.c");
    EXPECT_EQ(OverrideRefusal(text, "x..y", "1"),
              "--set: /x: \"x..y\" is no path of keys such as a.b.0.c");
    for (const char* path : {".", "a.", ".a", "l.-1", "l.99999999999999999999", "l.1.x", "l.1e0"})
    {
        OverrideRefusal(text, path, "1");
    }
    for (const char* value : {"{\"a\"", "[1,", "\"x", "{\"a\": 1, \"a\": 2}", "\xFF", "\x01"})
    {
        OverrideRefusal(text, "s", value);
    }
    OverrideRefusal(text, Repeat("a.", 10000) + "a", "1");
    OverrideRefusal(text, "a", Repeat("[", 10000) + Repeat("]", 10000));
    OverrideRefusal(text, "a", Repeat("[", 64) + Repeat("]", 64)); // 65 with the root
    EXPECT_EQ(OverrideRefusal("[]", "a", "1"),
              "--set: /a: no index of a list: a (the list is empty)");
}

/** \return a document laid over another */
JsonDocument
Laid(const std::string& lower, const std::string& upper)
{
    JsonDocument document = JsonDocument::ParseText(lower, "lower.json");
    document.LayOver(JsonDocument::ParseText(upper, "upper.json"));
    return document;
}

TEST(JsonLayers, ObjectsAreLaidOverKeyByKeyAndAllElseReplaces)
{
    EXPECT_EQ(Laid(R"({"a": {"x": 1, "y": {"z": 2}}, "l": [1, 2], "n": 1})",
                   R"({"a": {"y": {"w": 3}, "v": 4}, "l": [5], "n": {"o": 6}, "m": null})")
                  .GetRoot()
                  .dump(),
              R"({"a":{"x":1,"y":{"z":2,"w":3},"v":4},"l":[5],"n":{"o":6},"m":null})");
    EXPECT_EQ(Laid(R"({"p": {"type": "lwf", "Kappa": 2}})", R"({"p": "lwf"})").GetRoot().dump(),
              R"({"p":"lwf"})")
        << "a name is a whole policy";
    EXPECT_EQ(Laid("[1]", R"({"a": 1})").GetRoot().dump(), R"({"a":1})");
}

TEST(JsonLayers, ANameBelowAnObjectBecomesOne)
{
    EXPECT_EQ(Laid(R"({"cluster": "big"})", R"({"cluster": {"hosts": {"gpus": 2}}})").GetRoot(),
              Json::parse(R"({"cluster": {"preset": "big", "hosts": {"gpus": 2}}})"));
    EXPECT_EQ(Laid(R"({"p": "lwf"})", R"({"p": {"Kappa": 2}})").GetRoot(),
              Json::parse(R"({"p": {"type": "lwf", "Kappa": 2}})"));
    EXPECT_EQ(Laid(R"({"p": "lwf"})", R"({"p": {"type": "random", "Seed": 2}})").GetRoot(),
              Json::parse(R"({"p": {"type": "random", "Seed": 2}})"));
}

TEST(JsonLayers, OfAnotherTypeNothingIsKept)
{
    EXPECT_EQ(Laid(R"({"p": {"type": "lwf", "Kappa": 2}})", R"({"p": {"type": "random"}})")
                  .GetRoot()
                  .dump(),
              R"({"p":{"type":"random"}})");
    EXPECT_EQ(Overridden(R"({"p": {"type": "lwf", "Kappa": 2}})", "p.type", "random"),
              R"({"p":{"type":"random"}})");
}

TEST(JsonLayers, OfAnotherKindKeysArePassedOverUnlessGivenAgain)
{
    const JsonDocument document = Laid(R"({"t": {"kind": "tcp", "mtu": 4000, "cc": 1}})",
                                       R"({"t": {"kind": "fluid", "cc": 2}})");
    EXPECT_EQ(document.GetRoot().at("t").at("mtu"), 4000);
    EXPECT_TRUE(document.IsOfOtherKind("/t/mtu"));
    EXPECT_FALSE(document.IsOfOtherKind("/t/cc")) << "the upper one says it itself";
    EXPECT_FALSE(document.IsOfOtherKind("/t/kind"));
    EXPECT_FALSE(Laid(R"({"t": {"kind": "tcp", "mtu": 1}})", R"({"t": {"kind": "tcp"}})")
                     .IsOfOtherKind("/t/mtu"));
    JsonDocument set = Parse(R"({"t": {"kind": "tcp", "mtu": 4000}})");
    std::vector<Diagnostic> diagnostics;
    set.Override("t.kind", "fluid", diagnostics);
    EXPECT_TRUE(set.IsOfOtherKind("/t/mtu")) << "the same rule for --set";
}

TEST(JsonLayers, EveryValueIsFoundWhereItWasWritten)
{
    JsonDocument document = Laid("{\n\"a\": {\"x\": 1,\n\"y\": 2},\n\"p\": \"lwf\"}",
                                 "{\"a\":\n{\"x\":\n3}, \"p\":\n\n{\"K\": 1}}");
    EXPECT_EQ(document.Where("/a/x"), "upper.json:2"); // the line of the key
    EXPECT_EQ(document.Where("/a/y"), "lower.json:3");
    EXPECT_EQ(document.Where("/a/none"), "upper.json:1");
    EXPECT_EQ(document.Where("/p/K"), "upper.json:5");
    EXPECT_EQ(document.Where("/p/type"), "lower.json:4");
    std::vector<Diagnostic> diagnostics;
    document.Override("a.y", "4", diagnostics, "--vary");
    EXPECT_EQ(document.Where("/a/y"), "--vary");
    EXPECT_EQ(document.Where("/a/x"), "upper.json:2");
}

TEST(JsonLayers, RelativePathsStartFromTheFileThatSaysThem)
{
    JsonDocument document = JsonDocument::ParseText(R"({"t": "x", "s": "y"})", "some/lower.json");
    document.LayOver(JsonDocument::ParseText(R"({"u": "z"})", "upper.json"));
    std::vector<Diagnostic> diagnostics;
    document.Override("s", "w", diagnostics);
    EXPECT_EQ(document.GetFolder("/t"), "some");
    EXPECT_EQ(document.GetFolder("/s"), "") << "from --set: the current folder";
    EXPECT_EQ(document.GetFolder("/u"), "");
}

TEST(JsonLayers, APresetLiesBelowWhatIsGiven)
{
    const std::string text = "{\"topology\": {\"kind\": \"star\",\n\"leaves\": 4}, \"gpus\": 8}";
    const JsonDocument preset = JsonDocument::ParseText(text, "big.json").Nest("cluster");
    JsonDocument named = Parse("{\n\"cluster\": \"big\"}");
    named.LayUnder(preset);
    EXPECT_EQ(named.GetRoot().at("cluster").dump(),
              R"({"topology":{"kind":"star","leaves":4},"gpus":8,"preset":"big"})");
    EXPECT_EQ(named.Where("/cluster/topology/leaves"), "big.json:2");
    EXPECT_EQ(named.Where("/cluster/preset"), "s.json:2");

    JsonDocument changed = Parse(R"({"cluster": {"preset": "big", "topology": {"leaves": 2}}})");
    changed.LayUnder(preset);
    EXPECT_EQ(changed.GetRoot().at("cluster"),
              Json::parse(R"({"topology": {"kind": "star", "leaves": 2}, "gpus": 8,
                              "preset": "big"})"));

    JsonDocument other = Parse(R"({"cluster": {"topology": {"kind": "dumbbell"}}})");
    other.LayUnder(preset);
    EXPECT_TRUE(other.IsOfOtherKind("/cluster/topology/leaves"));
    EXPECT_FALSE(other.IsOfOtherKind("/cluster/gpus"));
}

TEST(JsonText, DumpsTheSameBytesAndReadsBack)
{
    const Json value = Json::parse(R"({"b": 0.1, "a": [1, 1e300, "é\n"], "c": {}, "d": []})");
    const std::string text = DumpJson(value);
    EXPECT_EQ(text,
              "{\n  \"b\": 0.1,\n  \"a\": [\n    1,\n    1e+300,\n    \"é\\n\"\n  ],\n"
              "  \"c\": {},\n  \"d\": []\n}\n");
    EXPECT_EQ(DumpJson(Json::parse(text)), text);
    EXPECT_EQ(DumpJson(Json("\xFF")), "\"\xEF\xBF\xBD\"\n"); // U+FFFD instead of an exception
}
