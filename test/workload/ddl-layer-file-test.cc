// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-error.h"
#include "ns3/ddl-layer-file.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

std::vector<Layer>
Read(const std::string& text)
{
    std::istringstream input(text);
    return ReadLayers(input, "t").Get();
}

/** \return all that is said about a text, a complaint a line */
std::string
Complaints(const std::string& text)
{
    try
    {
        Read(text);
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace

TEST(LayerFile, ColumnsStandInAnyOrderAndMayBeMissing)
{
    const auto layers = Read("# a profile\n"
                             "calls,bytes,name,backward_ms,forward_us\n"
                             "3,4096,conv1,0.5,120.25\n"
                             "\n"
                             "1,0,pool,,7\n");
    ASSERT_EQ(layers.size(), 2U);
    EXPECT_EQ(layers[0].name, "conv1");
    EXPECT_EQ(layers[0].bytes, 4096U);
    EXPECT_EQ(layers[0].forward, NanoSeconds(120250));
    EXPECT_EQ(layers[0].backward, MicroSeconds(500));
    EXPECT_EQ(layers[1].bytes, 0U);
    EXPECT_EQ(layers[1].forward, MicroSeconds(7));
    EXPECT_EQ(layers[1].backward, Time(0));
    const auto sizes = Read("bytes\n1\n2e3\n");
    EXPECT_EQ(sizes[1].bytes, 2000U);
    EXPECT_EQ(sizes[1].forward, Time(0));
    EXPECT_EQ(Read("bytes,forward_s,backward_ns\n1,2,3\n")[0].forward, Seconds(2));
    EXPECT_EQ(Read("bytes,forward_s,backward_ns\n1,2,3\n")[0].backward, NanoSeconds(3));
}

TEST(LayerFile, AllThatIsWrongIsSaidWithItsLine)
{
    EXPECT_EQ(Complaints("bytes,forward_us\n"
                         "1,2\n"
                         "-1,2\n"
                         "1,fast\n"
                         "1\n"),
              "t:3: bytes must be a whole number from 0 to 1000000000000000, is \"-1\"\n"
              "t:4: forward_us must be a number, 0 or more, is \"fast\"\n"
              "t:5: 1 fields under 2 columns");
    EXPECT_EQ(Complaints("size,forward,backward_us,backward_ms\n"),
              "t:1: has no column \"bytes\" (bytes are needed)\n"
              "t:1: column \"forward\" has no unit (forward_ns, forward_us, forward_ms or "
              "forward_s)\n"
              "t:1: has both backward_us and backward_ms (one of them)");
}

TEST(LayerFile, ATableWithoutLayersOrBytesIsNone)
{
    EXPECT_EQ(Complaints("bytes\n"), "t: has no layers (at least one)");
    EXPECT_EQ(Complaints("bytes\n0\n0\n"), "t: has no layer with bytes");
    std::string text = "bytes\n";
    for (std::size_t i = 0; i <= MOST_LAYERS; ++i)
    {
        text += "1\n";
    }
    EXPECT_EQ(Complaints(text), "t: has 4097 layers (at most 4096)");
    EXPECT_NE(Complaints("bytes,forward_s\n1,2e9\n1,2e9\n").find("a century"), std::string::npos);
    try
    {
        ReadLayers("no/such/file.csv");
        FAIL() << "read a file that is not there";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(), "no/such/file.csv: cannot be read");
    }
}
