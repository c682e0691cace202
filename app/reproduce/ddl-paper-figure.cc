// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-paper-figure.h"

#include "app/json/ddl-json-reader.h"
#include "app/plot/ddl-figure.h"
#include "ddl-expectation.h"
#include "ddl-paper-figure-check.h"

#include "ns3/ddl-error.h"

#include <filesystem>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr uint64_t MOST_SEEDS = 1000;

/** Keys and values of an object, as `--set` takes them. */
using Settings = std::vector<std::pair<std::string, std::string>>;

/** \return a value as `--set` and `--vary` take it: a string as it is, all else as JSON */
std::string
ToSetting(const JsonValue& value)
{
    const Json& raw = value.Raw();
    if (value.IsString() && raw.get_ref<const std::string&>().empty())
    {
        value.Report("must not be empty");
    }
    return value.IsString() ? raw.get<std::string>() : raw.dump();
}

Settings
ReadSettings(const JsonObject& json)
{
    Settings settings;
    for (const auto& key : json.Keys())
    {
        settings.emplace_back(key, ToSetting(json.At(key)));
    }
    return settings;
}

Selection
ReadSelection(const JsonObject& json)
{
    const Settings settings = ReadSettings(json);
    return {settings.begin(), settings.end()};
}

/** Put settings over others: what is there is replaced. */
void
PutOver(Settings& settings, const Settings& more)
{
    for (const auto& [path, value] : more)
    {
        bool isThere = false;
        for (auto& [oldPath, oldValue] : settings)
        {
            isThere = isThere || oldPath == path;
            oldValue = oldPath == path ? value : oldValue;
        }
        if (!isThere)
        {
            settings.emplace_back(path, value);
        }
    }
}

Variation
ReadVariation(const std::string& path, const JsonValue& json)
{
    Variation variation{path, {}};
    for (const auto& value : json.Array())
    {
        const std::string text = ToSetting(value);
        for (const auto& other : variation.values)
        {
            if (other == text)
            {
                value.Report("is there twice");
            }
        }
        variation.values.push_back(text);
    }
    if (json.IsArray() && variation.values.empty())
    {
        json.Report("must have a value at least");
    }
    if (path == "seed")
    {
        json.Report("the seed is varied with \"seeds\": N");
    }
    return variation;
}

/** Read what is varied; what was varied before is replaced. */
void
ReadVariations(const JsonObject& json, std::vector<Variation>& variations)
{
    for (const auto& path : json.Keys())
    {
        const Variation variation = ReadVariation(path, json.At(path));
        bool isThere = false;
        for (auto& other : variations)
        {
            isThere = isThere || other.path == path;
            other = other.path == path ? variation : other;
        }
        if (!isThere)
        {
            variations.push_back(variation);
        }
    }
}

/** Read the keys that a comparison and its quick variant have in common. */
void
ReadRuns(const JsonObject& json, FigureComparison& comparison)
{
    comparison.seeds = json.Unsigned("seeds", {1, MOST_SEEDS}, comparison.seeds);
    PutOver(comparison.settings, ReadSettings(json.Object("set")));
    ReadVariations(json.Object("vary"), comparison.variations);
}

FigureComparison
ReadComparison(const JsonObject& json, const PaperFigure& figure, FigureVariant variant)
{
    FigureComparison comparison;
    json.Require("name");
    comparison.name = json.String("name", "");
    comparison.folder = comparison.name;
    comparison.from = json.String("from", "");
    if (!comparison.from.empty())
    {
        return comparison; // the other figure says the rest
    }
    comparison.scenario = json.String("scenario", figure.folder);
    ReadRuns(json, comparison);
    FigureComparison quick = comparison;
    ReadRuns(json.Object("quick"), quick);
    quick.folder = comparison.name + "-quick"; // either is resumed where it was left
    return variant == FigureVariant::QUICK ? quick : comparison;
}

Measure
ReadMeasure(const JsonObject& json)
{
    Measure measure;
    json.Require("metric");
    measure.model = json.String("model", "");
    measure.metric = measure.model.empty()
                         ? json.String("metric", measure.metric)
                         : json.OneOf("metric", ListModelMetrics(), measure.metric);
    measure.statistic = json.OneOf("statistic", ListStatistics(), measure.statistic);
    return measure;
}

FigureValue
ReadValue(const JsonObject& json)
{
    FigureValue value;
    json.Require("name");
    value.name = json.String("name", "");
    value.measure = ReadMeasure(json);
    value.of = ReadSelection(json.Object("of"));
    value.over = ReadSelection(json.Object("over"));
    value.sweep = json.String("sweep", "");
    value.isGreatest = json.OneOf("pick", {"least", "greatest"}, "least") == "greatest";
    if (value.over.empty())
    {
        value.factor = json.Number("factor", {ABOVE_ZERO, NO_LIMIT}, value.factor);
        value.unit = json.String("unit", "");
    }
    if (json.Has("published"))
    {
        value.published = json.Number("published", {-NO_LIMIT, NO_LIMIT}, 0);
        json.Require("source");
    }
    value.source = json.String("source", "");
    return value;
}

FigureOrder
ReadOrder(const JsonObject& json)
{
    FigureOrder order;
    json.Require("name");
    order.name = json.String("name", "");
    order.measure = ReadMeasure(json);
    json.Require("key");
    order.key = json.String("key", "");
    order.of = ReadSelection(json.Object("of"));
    json.Require("ascending");
    order.ascending = ReadVariation(order.key, json.At("ascending")).values;
    json.Require("source");
    order.source = json.String("source", "");
    return order;
}

FigurePicture
ReadPicture(const JsonValue& json)
{
    const auto menu = ListPolicies(Figure::GetTypeId());
    FigurePicture picture;
    if (!json.IsObject())
    {
        picture.type = json.OneOf(menu, "bars");
        return picture;
    }
    const JsonObject object = json.Object();
    object.Require("type");
    picture.type = object.OneOf("type", menu, "bars");
    for (const auto& name : object.Array("comparisons"))
    {
        picture.comparisons.push_back(name.String(""));
    }
    return picture;
}

PaperFigure
ReadRoot(const JsonObject& root, const std::string& folder, FigureVariant variant)
{
    PaperFigure figure;
    figure.path = folder;
    figure.folder = std::filesystem::path(folder).filename().string();
    root.Has("$schema"); // for editors
    for (const char* key : {"paper", "figure", "title", "claim", "comparisons"})
    {
        root.Require(key);
    }
    figure.paper = root.String("paper", "");
    figure.number = root.String("figure", "");
    figure.title = root.String("title", "");
    figure.claim = root.String("claim", "");
    for (const auto& comparison : root.Array("comparisons"))
    {
        figure.comparisons.push_back(ReadComparison(comparison.Object(), figure, variant));
    }
    for (const auto& value : root.Array("values"))
    {
        figure.values.push_back(ReadValue(value.Object()));
    }
    for (const auto& order : root.Array("orders"))
    {
        figure.orders.push_back(ReadOrder(order.Object()));
    }
    for (const auto& picture : root.Array("pictures"))
    {
        figure.pictures.push_back(ReadPicture(picture));
    }
    return figure;
}

} // namespace

PaperFigure
ReadPaperFigure(const std::string& folder, FigureVariant variant)
{
    const auto document = JsonDocument::ParseFile(folder + "/figure.json");
    std::vector<Diagnostic> diagnostics;
    JsonReader reader(document, diagnostics);
    PaperFigure figure = ReadRoot(reader.Root(), folder, variant);
    CheckNames(figure, reader);
    reader.Finish();
    figure.expected = ReadExpected(figure, variant, diagnostics);
    if (!diagnostics.empty())
    {
        throw InputError(diagnostics);
    }
    return figure;
}

} // namespace ddl
} // namespace ns3
