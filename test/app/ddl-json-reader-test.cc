// SPDX-License-Identifier: GPL-2.0-only
#include "app/json/ddl-json-reader.h"

#include <functional>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** \return all that is said when a text is read in some way, one complaint a line */
std::string
Complaints(const std::string& text, const std::function<void(const JsonObject&)>& read)
{
    const auto document = JsonDocument::ParseText(text, "s.json");
    std::vector<Diagnostic> diagnostics;
    JsonReader reader(document, diagnostics);
    read(reader.Root());
    reader.Finish();
    return InputError(diagnostics).what();
}

/** \return what is said about the value of key "a" when it is read in some way */
std::string
About(const std::string& value, const std::function<void(const JsonValue&)>& read)
{
    const std::string prefix = "s.json:1: /a: ";
    const std::string said =
        Complaints("{\"a\": " + value + "}", [&](const JsonObject& root) { read(root.At("a")); });
    EXPECT_EQ(said.substr(0, prefix.size()), said.empty() ? "" : prefix);
    return said.empty() ? "" : said.substr(prefix.size());
}

} // namespace

TEST(JsonReader, UnknownKeysAreReportedWithTheNearestName)
{
    const std::string text =
        "{\n\"cluster\": {\n\"leavs\": 2,\n\"colour\": \"red\"},\n\"x\": {\"y\": 1}}";
    EXPECT_EQ(Complaints(text,
                         [](const JsonObject& root) {
                             const JsonObject cluster = root.At("cluster").Object();
                             cluster.At("leaves").Unsigned({1, 8}, 2);
                             cluster.At("spines").Unsigned({1, 8}, 2);
                         }),
              "s.json:3: /cluster/leavs: unknown key (known: leaves, spines); did you mean "
              "\"leaves\"?\n"
              "s.json:4: /cluster/colour: unknown key (known: leaves, spines)\n"
              "s.json:5: /x: unknown key (known: cluster)");
}

TEST(JsonReader, AnObjectMayBeReadFromSeveralPlaces)
{
    EXPECT_EQ(Complaints(R"({"a": {"x": 1, "y": 2}})",
                         [](const JsonObject& root) {
                             root.At("a").Object().At("x").Unsigned({0, MAX_UNSIGNED}, 0);
                             root.At("a").Object().At("y").Unsigned({0, MAX_UNSIGNED}, 0);
                         }),
              "");
}

TEST(JsonReader, ManyUnknownKeysAreCounted)
{
    std::string text = "{";
    for (int i = 0; i < 29; ++i)
    {
        text += "\"k" + std::to_string(i) + "\": 0, ";
    }
    const std::string said = Complaints(text + "\"k29\": 0}", [](const JsonObject&) {});
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 20); // 20 keys and the rest
    EXPECT_NE(said.find("s.json:1: 10 more unknown keys"), std::string::npos);
}

TEST(JsonReader, WrongThingsDoNotHideOthers)
{
    const std::string text = "{\n\"cluster\": 5,\n\"jobs\": [\n{\"gpus\": 0},\n7,\n{\"gpu\": 2}]}";
    EXPECT_EQ(Complaints(text,
                         [](const JsonObject& root) {
                             const JsonObject cluster = root.At("cluster").Object();
                             EXPECT_FALSE(cluster.IsPresent());
                             cluster.Require("topology"); // it is the cluster that is wrong
                             for (const auto& job : root.At("jobs").Array())
                             {
                                 job.Object().At("gpus").Unsigned({1, 64}, 1);
                             }
                             root.Require("seed");
                         }),
              "s.json:1: /seed: is missing\n"
              "s.json:2: /cluster: must be an object, is 5\n"
              "s.json:4: /jobs/0/gpus: must be a whole number from 1 to 64, is 0\n"
              "s.json:5: /jobs/1: must be an object, is 7\n"
              "s.json:6: /jobs/2/gpu: unknown key (known: gpus); did you mean \"gpus\"?");
}

TEST(JsonReader, RootMustBeAnObject)
{
    EXPECT_EQ(Complaints("[1]", [](const JsonObject& root) { EXPECT_FALSE(root.Has("a")); }),
              "s.json:1: must be an object, is a list");
}

TEST(JsonReader, OverridesAreNamedAndComeLast)
{
    JsonDocument document = JsonDocument::ParseText("{\"a\": 1,\n\"b\": -1}", "s.json");
    std::vector<Diagnostic> diagnostics;
    document.Override("a", "-2", diagnostics);
    JsonReader reader(document, diagnostics);
    const JsonObject root = reader.Root();
    EXPECT_EQ(root.At("a").Unsigned({0, 9}, 4), 4u);
    EXPECT_EQ(root.At("b").Unsigned({0, 9}, 5), 5u);
    reader.Finish();
    EXPECT_STREQ(InputError(diagnostics).what(),
                 "s.json:2: /b: must be a whole number from 0 to 9, is -1\n"
                 "--set: /a: must be a whole number from 0 to 9, is -2");
}

TEST(JsonReader, KeysMakesAllKnown)
{
    EXPECT_EQ(Complaints(R"({"z": 1, "a": 2})",
                         [](const JsonObject& root) {
                             EXPECT_EQ(root.Keys(), (std::vector<std::string>{"z", "a"}));
                         }),
              "");
}

TEST(JsonReader, SortsByLineNumberNotByText)
{
    std::vector<Diagnostic> diagnostics{{"--set", "", "d"},
                                        {"s.json:10", "", "c"},
                                        {"s.json:9", "", "a"},
                                        {"", "", "e"},
                                        {"s.json:9", "", "b"}};
    SortByLine(diagnostics);
    std::string order;
    for (const auto& diagnostic : diagnostics)
    {
        order += diagnostic.what;
    }
    EXPECT_EQ(order, "abcde");
}

TEST(JsonValue, Unsigned)
{
    const auto read = [](const JsonValue& value) { value.Unsigned({1, 8}, 2); };
    for (const char* good : {"1", "8", "2.0", "3e0"})
    {
        EXPECT_EQ(About(good, read), "") << good;
    }
    EXPECT_EQ(About("-3", read), "must be a whole number from 1 to 8, is -3");
    EXPECT_EQ(About("3.7", read), "must be a whole number from 1 to 8, is 3.7");
    EXPECT_EQ(About("9", read), "must be a whole number from 1 to 8, is 9");
    EXPECT_EQ(About("\"3\"", read),
              "must be a whole number from 1 to 8, is the string \"3\"; did you mean 3?");
    EXPECT_EQ(About("null", read), "must be a whole number from 1 to 8, is null");
    EXPECT_EQ(About("true", read), "must be a whole number from 1 to 8, is true");
    EXPECT_EQ(About("[3]", read), "must be a whole number from 1 to 8, is a list");
    EXPECT_EQ(About("1e300",
                    [](const JsonValue& v) {
                        v.Unsigned({1, MAX_UNSIGNED}, 2);
                    }),
              "must be a whole number at least 1, is 1e+300");
}

TEST(JsonValue, UnsignedKeepsAll64Bits)
{
    EXPECT_EQ(About("18446744073709551615",
                    [](const JsonValue& value) {
                        EXPECT_EQ(value.Unsigned({0, MAX_UNSIGNED}, 0), UINT64_MAX);
                    }),
              "");
}

TEST(JsonValue, Number)
{
    const auto share = [](const JsonValue& value) { value.Number({0, 1}, 0.5); };
    const auto positive = [](const JsonValue& value) { value.Number({ABOVE_ZERO, NO_LIMIT}, 1); };
    EXPECT_EQ(About("0", share), "");
    EXPECT_EQ(About("1", share), "");
    EXPECT_EQ(About("1.5", share), "must be a number from 0.0 to 1.0, is 1.5");
    EXPECT_EQ(About("\"0.5\"", share),
              "must be a number from 0.0 to 1.0, is the string \"0.5\"; did you mean 0.5?");
    EXPECT_EQ(About("1e-300", positive), "");
    EXPECT_EQ(About("0", positive), "must be a number above 0, is 0");
    EXPECT_EQ(About("-1", positive), "must be a number above 0, is -1");
    EXPECT_EQ(About("{}",
                    [](const JsonValue& v) {
                        v.Number({-NO_LIMIT, NO_LIMIT}, 0);
                    }),
              "must be a number, is an object");
}

TEST(JsonValue, BoolAndString)
{
    const auto flag = [](const JsonValue& value) { EXPECT_TRUE(value.Bool(true)); };
    EXPECT_EQ(About("true", flag), "");
    EXPECT_EQ(About("0", flag), "must be true or false, is 0");
    EXPECT_EQ(About("\"false\"", flag),
              "must be true or false, is the string \"false\"; did you mean false?");
    const auto name = [](const JsonValue& value) { value.String(""); };
    EXPECT_EQ(About("\"x\"", name), "");
    EXPECT_EQ(About("7", name), "must be a string, is 7; did you mean \"7\"?");
    EXPECT_EQ(About("null", name), "must be a string, is null");
}

TEST(JsonValue, OneOf)
{
    const auto read = [](const JsonValue& value) {
        EXPECT_EQ(value.OneOf({"tcp", "rdma"}, "tcp"),
                  value.IsString() && value.Raw() == "rdma" ? "rdma" : "tcp");
    };
    EXPECT_EQ(About("\"rdma\"", read), "");
    EXPECT_EQ(About("\"rmda\"",
                    [](const JsonValue& v) {
                        v.OneOf({"tcp", "rdma-nic"}, "tcp");
                    }),
              "must be one of tcp, rdma-nic, is the string \"rmda\"");
    EXPECT_EQ(About("\"tpc\"",
                    [](const JsonValue& v) {
                        v.OneOf({"tcpx", "rdma"}, "rdma");
                    }),
              "must be one of tcpx, rdma, is the string \"tpc\"");
    EXPECT_EQ(About("\"rdm\"", read),
              "must be one of tcp, rdma, is the string \"rdm\"; did you mean \"rdma\"?");
    EXPECT_EQ(About("1", read), "must be one of tcp, rdma, is 1");
}

TEST(JsonValue, Quantities)
{
    const auto rate = [](const JsonValue& value) { value.Rate(DataRate("1Gbps")); };
    const auto time = [](const JsonValue& value) { value.Duration(Seconds(1)); };
    const auto size = [](const JsonValue& value) { value.Bytes(1, {1000, 1000000}); };
    EXPECT_EQ(About("\"10Gbps\"", rate), "");
    EXPECT_EQ(About("10", rate).substr(0, 51),
              "\"10\" has no unit; write a rate like \"10Gbps\" (units");
    EXPECT_EQ(About("true", rate), "must be a rate like \"10Gbps\", is true");
    EXPECT_EQ(About("\"0bps\"", rate), "must be at least 1bps, is the string \"0bps\"");
    EXPECT_EQ(About("\"5us\"", time), "");
    EXPECT_EQ(About("\"-5us\"", time), "must be at least 0ns, is the string \"-5us\"");
    EXPECT_EQ(About("[]", time), "must be a time like \"5us\", is a list");
    EXPECT_EQ(About("\"1kB\"", size), "");
    EXPECT_EQ(About("\"2MB\"", size), "must be from 1kB to 1MB, is the string \"2MB\"");
    EXPECT_EQ(About("1000", size).substr(0, 20), "\"1000\" has no unit; ");
}

TEST(JsonValue, DefaultsStandInForWhatIsMissing)
{
    EXPECT_EQ(Complaints("{}",
                         [](const JsonObject& root) {
                             EXPECT_EQ(root.At("a").Unsigned({1, 8}, 3), 3u);
                             EXPECT_EQ(root.At("b").Number({0, 1}, 0.5), 0.5);
                             EXPECT_TRUE(root.At("c").Bool(true));
                             EXPECT_EQ(root.At("d").String("x"), "x");
                             EXPECT_EQ(root.At("e").OneOf({"p", "q"}, "q"), "q");
                             EXPECT_EQ(root.At("f").Rate(DataRate("1Gbps")), DataRate("1Gbps"));
                             EXPECT_EQ(root.At("g").Duration(Seconds(2)), Seconds(2));
                             EXPECT_EQ(root.At("h").Bytes(7), 7u);
                             EXPECT_EQ(root.At("i").Policy("lwf").name, "lwf");
                             EXPECT_TRUE(root.At("j").Array().empty());
                             EXPECT_FALSE(root.At("k").Object().At("l").Object().Has("m"));
                             EXPECT_FALSE(root.Has("n"));
                         }),
              "");
}
