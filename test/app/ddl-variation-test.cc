// SPDX-License-Identifier: GPL-2.0-only
#include "app/compare/ddl-variation.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace ns3::ddl
{
namespace
{

using Strings = std::vector<std::string>;

TEST(Variation, SplitsAtCommasOutsideBracketsAndQuotes)
{
    EXPECT_EQ(ParseVariation("a.b=1,2,3").values, (Strings{"1", "2", "3"}));
    EXPECT_EQ(ParseVariation("a.b=1").values, Strings{"1"});
    EXPECT_EQ(ParseVariation("w=[1,2],[3,4]").values, (Strings{"[1,2]", "[3,4]"}));
    EXPECT_EQ(ParseVariation("p=lwf,{\"type\":\"lwf\",\"K\":[1,2]}").values,
              (Strings{"lwf", "{\"type\":\"lwf\",\"K\":[1,2]}"}));
    EXPECT_EQ(ParseVariation("n=\"a,b\",\"c\\\",d\",\"[\",x").values,
              (Strings{"\"a,b\"", "\"c\\\",d\"", "\"[\"", "x"}))
        << "quoted brackets and escaped quotes count for nothing";
    EXPECT_EQ(ParseVariation("a=b=c,d").values, (Strings{"b=c", "d"}));
    EXPECT_EQ(ParseVariation("a=b=c,d").path, "a");
}

TEST(Variation, RefusesWhatIsNotAVariation)
{
    for (const std::string text :
         {"", "a", "=1", "a=", "a=1,", "a=1,,2", "a=1,1", "seed=1,2", "a b=1", "a,b=1"})
    {
        EXPECT_THROW(ParseVariation(text), InputError) << text;
    }
}

TEST(Variation, ReportsAllThatIsWrong)
{
    try
    {
        ParseVariations({"a=1,1", "b=2", "b=3", "c"});
        FAIL() << "three of the four are wrong";
    }
    catch (const InputError& error)
    {
        EXPECT_EQ(error.GetDiagnostics().size(), 3U) << error.what();
    }
}

TEST(Variation, CrossProductGoesThroughTheLastFastest)
{
    const auto product = CrossProduct(ParseVariations({"a=1,2", "b=x,y,z"}));
    EXPECT_EQ(product,
              (std::vector<Combination>{{"1", "x"},
                                        {"1", "y"},
                                        {"1", "z"},
                                        {"2", "x"},
                                        {"2", "y"},
                                        {"2", "z"}}));
    EXPECT_EQ(CrossProduct({}), std::vector<Combination>(1)) << "nothing varied is one run";
}

TEST(Variation, NamesRunsReadably)
{
    EXPECT_EQ(
        NameRuns(ParseVariations({"scheduler.network=sptf,grouper", "transport.kind=tcp"}), {1, 2}),
        (Strings{"network=sptf_kind=tcp_seed=1",
                 "network=sptf_kind=tcp_seed=2",
                 "network=grouper_kind=tcp_seed=1",
                 "network=grouper_kind=tcp_seed=2"}));
    EXPECT_EQ(NameRuns({}, {7}), Strings{"seed=7"});
    EXPECT_EQ(NameRuns(ParseVariations({"a.kind=x", "b.kind=y"}), {1}),
              Strings{"a.kind=x_b.kind=y_seed=1"})
        << "parts that end alike are shown whole";
}

TEST(Variation, NamesAreFoldersAndDiffer)
{
    const std::string longValue(300, 'v');
    const auto names = NameRuns(
        ParseVariations({"p={\"a\":1},[\"a\",1],../x,.../x," + longValue + "1," + longValue + "2"}),
        {1, 2});
    ASSERT_EQ(names.size(), 12U);
    for (const auto& name : names)
    {
        EXPECT_EQ(name.find('/'), std::string::npos) << name;
        EXPECT_LT(name.size(), 160U) << name;
        EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
    }
}

} // namespace
} // namespace ns3::ddl
