// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scenario-writer.h"

#include "ddl-scenario-keys.h"

namespace ns3::ddl
{

namespace
{

Json
DescribeScenario(KeyBook& book)
{
    Scenario scenario;
    Json schema =
        KeyPlace{book, ""}.Describe([&scenario](Keys& keys) { Describe(keys, scenario); });
    book.tables["scenario"] = book.tables[""];
    return schema;
}

Json
Quantity(const std::string& pattern, const std::string& help)
{
    return {{"type", "string"}, {"pattern", pattern}, {"description", help}};
}

} // namespace

std::string
FormatScenario(const Scenario& scenario)
{
    Scenario copy = scenario; // a visitor may change what it visits
    copy.seed = GetSeed(scenario);
    return DumpJson(WriteKeys([&copy](Keys& keys) { Describe(keys, copy); }));
}

std::string
FormatScenarioSchema()
{
    KeyBook book;
    const Json root = DescribeScenario(book);
    Json schema = {
        {"$schema", "http://json-schema.org/draft-07/schema#"},
        {"title", "ddl scenario"},
        {"description",
         "What `ddl run` simulates. Quantities are strings with a unit (\"10Gbps\", \"5us\", "
         "\"250MB\"); comments are allowed. m and i are the factors of \"scale\". Made by `ddl "
         "list "
         "--schema` from what reads scenarios; doc/reference.md lists every key."}};
    schema.update(root);
    schema["anyOf"] = {{{"required", Json::array({"workload"})}},
                       {{"required", Json::array({"extends"})}}};
    const std::string number = "^[0-9]+([.][0-9]+)?";
    schema["definitions"] = {
        {"rate",
         Quantity(number + "([kKMG]?(bps|Bps|b/s|B/s)|[KMG]i[bB]/s)$",
                  "A rate with its unit: bps or b/s (bits), Bps or B/s (bytes), with k or K, M, G "
                  "(powers of 1000); Ki, Mi, Gi (powers of 1024) before b/s and B/s only.")},
        {"time",
         Quantity(number + "([eE][+-]?[0-9]+)?(fs|ps|ns|us|ms|s|min|h|d|y)$",
                  "A time with its unit: fs, ps, ns, us, ms, s, min, h, d or y (365 d). From 0 to "
                  "100 years.")},
        {"size",
         Quantity(number + "([eE][+-]?[0-9]+)?([kKMGT]?B|[KMGT]iB)$",
                  "Bytes with their unit: B, kB or KB, MB, GB, TB (powers of 1000), KiB, MiB, GiB, "
                  "TiB (powers of 1024). 0 to 2^63.")}};
    schema["definitions"].update(book.definitions);
    return DumpJson(schema);
}

KeyTables
ListScenarioKeys()
{
    KeyBook book;
    DescribeScenario(book);
    return book.tables;
}

} // namespace ns3::ddl
