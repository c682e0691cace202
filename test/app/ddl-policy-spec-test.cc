// SPDX-License-Identifier: GPL-2.0-only
#include "app/json/ddl-json-reader.h"

#include "ns3/attribute-container.h"
#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/ddl-policy.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <vector>

namespace ns3::ddl
{

/** A family of policies for these tests only. */
class SpecTestRule : public Policy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::SpecTestRule").SetParent<Policy>();
        return tid;
    }
};

/** `lwf`: one attribute of every type. */
class LwfSpecTestRule : public SpecTestRule
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "for tests";
    }

    uint32_t kappa{0};
    int32_t shift{0};
    double share{0};
    bool fast{false};
    Time period;
    DataRate rate;
    std::string label;
    std::vector<double> weights;
    Ptr<RandomVariableStream> noise;
};

TypeId
LwfSpecTestRule::GetTypeId()
{
    using Self = LwfSpecTestRule;
    static TypeId tid =
        TypeId("ns3::ddl::LwfSpecTestRule")
            .SetParent<SpecTestRule>()
            .AddConstructor<Self>()
            .AddAttribute("Kappa",
                          "Jobs that share a link.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&Self::kappa),
                          MakeUintegerChecker<uint32_t>(1, 8))
            .AddAttribute("Shift",
                          "Ranks to shift by.",
                          IntegerValue(0),
                          MakeIntegerAccessor(&Self::shift),
                          MakeIntegerChecker<int32_t>(-2, 2))
            .AddAttribute("Share",
                          "Share of a link.",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&Self::share),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Fast",
                          "Whether to hurry.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::fast),
                          MakeBooleanChecker())
            .AddAttribute("Period",
                          "Time between runs.",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&Self::period),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Rate",
                          "Rate of control.",
                          DataRateValue(DataRate("1Gbps")),
                          MakeDataRateAccessor(&Self::rate),
                          MakeDataRateChecker())
            .AddAttribute("Label",
                          "Any text.",
                          StringValue(""),
                          MakeStringAccessor(&Self::label),
                          MakeStringChecker())
            .AddAttribute(
                "Weights",
                "Share of each queue.",
                AttributeContainerValue<DoubleValue>(),
                MakeAttributeContainerAccessor<DoubleValue>(&Self::weights),
                MakeAttributeContainerChecker<DoubleValue>(MakeDoubleChecker<double>(0, 9)))
            .AddAttribute("Noise",
                          "Factor of compute times.",
                          StringValue("ns3::ConstantRandomVariable"),
                          MakePointerAccessor(&Self::noise),
                          MakePointerChecker<RandomVariableStream>());
    return tid;
}

/** `srsf-n`: has the short form `srsf-2`. */
class SrsfNSpecTestRule : public SpecTestRule
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::SrsfNSpecTestRule")
                                .SetParent<SpecTestRule>()
                                .AddConstructor<SrsfNSpecTestRule>()
                                .AddAttribute("N",
                                              "Transfers at a time.",
                                              UintegerValue(1),
                                              MakeUintegerAccessor(&SrsfNSpecTestRule::n),
                                              MakeUintegerChecker<uint32_t>(1, 4));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "for tests";
    }

    uint32_t n{0};
};

NS_OBJECT_ENSURE_REGISTERED(SpecTestRule);
NS_OBJECT_ENSURE_REGISTERED(LwfSpecTestRule);
NS_OBJECT_ENSURE_REGISTERED(SrsfNSpecTestRule);

} // namespace ns3::ddl

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** What comes of {"p": ...}. */
struct Outcome
{
    ObjectFactory factory;
    std::string said; //!< all complaints, one a line
};

Outcome
Make(const std::string& json)
{
    const auto document = JsonDocument::ParseText("{\"p\": " + json + "}", "s.json");
    std::vector<Diagnostic> diagnostics;
    JsonReader reader(document, diagnostics);
    const PolicySpec spec = reader.Root().At("p").Policy("lwf");
    Outcome outcome;
    outcome.factory = spec.MakeFactory(SpecTestRule::GetTypeId(), diagnostics);
    reader.Finish();
    outcome.said = InputError(diagnostics).what();
    return outcome;
}

template <typename T>
Ptr<T>
CreateRule(const std::string& json)
{
    const Outcome outcome = Make(json);
    EXPECT_EQ(outcome.said, "") << json;
    return outcome.factory.Create<T>();
}

/** \return what is said about an attribute of `lwf` */
std::string
About(const std::string& name, const std::string& value)
{
    const std::string prefix = "s.json:1: /p/" + name + ": ";
    const Outcome outcome = Make("{\"type\": \"lwf\", \"" + name + "\": " + value + "}");
    EXPECT_EQ(outcome.said.substr(0, prefix.size()), prefix) << value;
    return outcome.said.size() < prefix.size() ? "" : outcome.said.substr(prefix.size());
}

} // namespace

TEST(PolicySpec, NameAlone)
{
    EXPECT_EQ(CreateRule<LwfSpecTestRule>("\"lwf\"")->kappa, 1u);
    EXPECT_EQ(CreateRule<LwfSpecTestRule>("\"ns3::ddl::LwfSpecTestRule\"")->kappa, 1u);
}

TEST(PolicySpec, AttributesOfEveryType)
{
    const auto rule = CreateRule<LwfSpecTestRule>(R"({"type": "lwf", "Kappa": 2, "Shift": -2,
        "Share": 0.25, "Fast": true, "Period": "5us", "Rate": "10Gbps", "Label": "two words",
        "Weights": [1, 2.5], "Noise": {"type": "ns3::UniformRandomVariable", "Min": 1, "Max": 3}})");
    EXPECT_EQ(rule->kappa, 2u);
    EXPECT_EQ(rule->shift, -2);
    EXPECT_EQ(rule->share, 0.25);
    EXPECT_TRUE(rule->fast);
    EXPECT_EQ(rule->period, MicroSeconds(5));
    EXPECT_EQ(rule->rate, DataRate("10Gbps"));
    EXPECT_EQ(rule->label, "two words");
    EXPECT_EQ(rule->weights, (std::vector<double>{1, 2.5}));
    const auto noise = DynamicCast<UniformRandomVariable>(rule->noise);
    ASSERT_TRUE(noise);
    EXPECT_EQ(noise->GetMin(), 1);
    EXPECT_EQ(noise->GetMax(), 3);
}

TEST(PolicySpec, TypeMayBeLeftToTheDefault)
{
    EXPECT_EQ(CreateRule<LwfSpecTestRule>(R"({"Kappa": 3})")->kappa, 3u);
}

TEST(PolicySpec, ANumberInTheNameIsTheAttributeN)
{
    EXPECT_EQ(CreateRule<SrsfNSpecTestRule>("\"srsf-3\"")->n, 3u);
    EXPECT_EQ(CreateRule<SrsfNSpecTestRule>("\"srsf-n\"")->n, 1u);
    EXPECT_EQ(CreateRule<SrsfNSpecTestRule>(R"({"type": "srsf-2"})")->n, 2u);
    EXPECT_EQ(Make("\"srsf-9\"").said,
              "s.json:1: /p/N: \"9\" is no value for this (uint32_t 1 to 4)");
    EXPECT_EQ(Make(R"({"type": "srsf-2", "N": 3})").said,
              "s.json:1: /p/N: already set by \"srsf-2\"");
    EXPECT_NE(Make("\"lwf-2\"").said, "");
    EXPECT_NE(Make("\"srsf-\"").said, "");
    EXPECT_NE(Make("\"-2\"").said, "");
}

TEST(PolicySpec, UnknownPolicyListsTheMenu)
{
    const Outcome outcome = Make("\"lwff\"");
    EXPECT_EQ(outcome.said,
              "s.json:1: /p: unknown spec-test-rule \"lwff\" (one of lwf, srsf-n); did you mean "
              "\"lwf\"?");
    EXPECT_FALSE(outcome.factory.IsTypeIdSet());
}

TEST(PolicySpec, UnknownAttributeListsAllWithTheirHelp)
{
    const std::string said = About("Kapa", "2");
    EXPECT_NE(said.find("(Kappa: Jobs that share a link.; Shift: Ranks to shift by.;"),
              std::string::npos);
    EXPECT_NE(said.find("; did you mean \"Kappa\"?"), std::string::npos);
}

TEST(PolicySpec, WrongValuesAreRefusedBeforeNs3SeesThem)
{
    EXPECT_EQ(About("Kappa", "9"), "\"9\" is no value for this (uint32_t 1 to 8)");
    for (const char* value : {"-3",
                              "3.7",
                              "true",
                              "\"\"",
                              "\"x\"",
                              "\"2 \"",
                              "\"+2\"",
                              "1e300",
                              "18446744073709551615",
                              "[1, 2]"})
    {
        EXPECT_EQ(About("Kappa", value).substr(0, 1), "\"") << value;
    }
    EXPECT_EQ(About("Shift", "-3"), "\"-3\" is no value for this (int32_t -2 to 2)");
    EXPECT_EQ(About("Shift", "\"-\""), "\"-\" is no value for this (int32_t -2 to 2)");
    EXPECT_EQ(About("Share", "1.5"), "\"1.5\" is no value for this (double 0 to 1)");
    EXPECT_EQ(About("Share", "\"nan\""), "\"nan\" is not a number");
    EXPECT_EQ(About("Fast", "2"), "\"2\" is no value for this (bool)");
    EXPECT_EQ(About("Period", "5").substr(0, 16), "\"5\" has no unit;");
    EXPECT_NE(About("Period", "\"-5us\"").find("is no value for this (Time"), std::string::npos);
    EXPECT_EQ(About("Rate", "\"10gbps\"").substr(0, 23), "\"10gbps\" is not a rate ");
    EXPECT_EQ(About("Weights", "[1, 10]"), "\"10\" is no value for this (double 0 to 9)");
    EXPECT_EQ(About("Weights", "\"1,,2\""), "\"\" is not a number");
    EXPECT_EQ(About("Weights", "\"1,x\""), "\"x\" is not a number");
    const std::string form = "must be a number, true or false, a string, a list of these, or an "
                             "object with a \"type\", is ";
    EXPECT_EQ(About("Kappa", "null"), form + "null");
    EXPECT_EQ(About("Kappa", "[[1]]"), form + "a list");
    EXPECT_EQ(About("Noise", "{\"Max\": 3}"), form + "an object");
}

TEST(PolicySpec, ObjectsAsValuesAreChecked)
{
    EXPECT_EQ(About("Noise", "\"ns3::NoSuchThing\""),
              "\"ns3::NoSuchThing\" is no class of ns-3 that can be created");
    EXPECT_EQ(About("Noise", "\"ns3::Object\"").substr(0, 13), "\"ns3::Object\"");
    EXPECT_EQ(About("Noise", "\"ns3::UniformRandomVariable[Max=x]\""),
              "ns3::UniformRandomVariable Max: \"x\" is not a number");
    EXPECT_NE(About("Noise", R"({"type": "ns3::UniformRandomVariable", "Maxi": 3})")
                  .find("did you mean \"Max\"?"),
              std::string::npos);
    // of the wrong class
    EXPECT_EQ(About("Noise", "\"ns3::ddl::SrsfNSpecTestRule\""),
              "\"ns3::ddl::SrsfNSpecTestRule\" is no value for this (ns3::Ptr< "
              "ns3::RandomVariableStream >)");
    for (const char* text : {"",
                             "[",
                             "]",
                             "ns3::UniformRandomVariable[",
                             "ns3::UniformRandomVariable]",
                             "ns3::UniformRandomVariable[]]",
                             "ns3::UniformRandomVariable[Max]",
                             "ns3::UniformRandomVariable[Max=1|]",
                             "ns3::UniformRandomVariable[Max=1]x"})
    {
        EXPECT_NE(About("Noise", "\"" + std::string(text) + "\""), "") << text;
    }
}

TEST(PolicySpec, WrongForms)
{
    EXPECT_EQ(Make("5").said, "s.json:1: /p: must be a name or an object with a \"type\", is 5");
    EXPECT_EQ(Make(R"({"type": 5})").said,
              "s.json:1: /p/type: must be a string, is 5; did you mean \"5\"?");
}

TEST(PolicySpec, OverridesOfAttributesAreNamed)
{
    JsonDocument document = JsonDocument::ParseText("{\"p\": \"lwf\"}", "s.json");
    std::vector<Diagnostic> diagnostics;
    document.Override("p.Kappa", "0", diagnostics);
    JsonReader reader(document, diagnostics);
    reader.Root().At("p").Policy("lwf").MakeFactory(SpecTestRule::GetTypeId(), diagnostics);
    ASSERT_EQ(diagnostics.size(), 1u);
    EXPECT_EQ(diagnostics[0].ToString(),
              "--set: /p/Kappa: \"0\" is no value for this (uint32_t 1 to 8)");
}
