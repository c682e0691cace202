// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-paper.h"

#include "app/json/ddl-json-document.h"
#include "app/json/ddl-json-reader.h"
#include "app/json/ddl-keys.h"
#include "app/plot/ddl-figure.h"
#include "app/results/ddl-csv-table.h"
#include "app/scenario/ddl-home.h"
#include "app/text/ddl-complaints.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <set>
#include <tuple>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;

constexpr uint64_t MOST_SEEDS = 1000;
const std::map<FigureVariant, std::string> VARIANTS{{FigureVariant::FULL, "full"},
                                                    {FigureVariant::QUICK, "quick"},
                                                    {FigureVariant::ALL, "all"}};

/** Keys and values of a JSON object, as `--set` takes them. */
using Settings = std::vector<std::pair<std::string, std::string>>;

/** \return text of a value for `--set` and `--vary`: a string as it is, all else as JSON */
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

/** Put an element into a list. It replaces an element of the same key. */
template <typename T, typename Key>
void
Put(std::vector<T>& list, const T& element, Key T::*key)
{
    const auto found = std::find_if(list.begin(), list.end(), [&](const T& other) {
        return other.*key == element.*key;
    });
    if (found == list.end())
    {
        list.push_back(element);
    }
    else
    {
        *found = element;
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

/** \return the variation of a key in a comparison, or null */
const Variation*
FindVariation(const FigureComparison& comparison, const std::string& path)
{
    const auto found = std::find_if(comparison.variations.begin(),
                                    comparison.variations.end(),
                                    [&path](const auto& other) { return other.path == path; });
    return found == comparison.variations.end() ? nullptr : &*found;
}

/** Complain if a variation for --all leaves out runs of the default set, since both share these. */
void
CheckMore(const Variation& variation, const Variation* usual, const JsonValue& json)
{
    if (usual == nullptr)
    {
        json.Report("is not varied in the default set, whose runs have to be among these");
        return;
    }
    for (const auto& value : usual->values)
    {
        const auto& values = variation.values;
        if (std::find(values.begin(), values.end(), value) == values.end())
        {
            json.Report("must have " + value + ", which the default set has");
        }
    }
}

/** \return schema of the value of a key, for ToSetting */
Json
ValueSchema()
{
    return {{"minLength", 1}}; // for a text that must not be empty
}

/** \return schema of what ReadVariation reads */
Json
VariationSchema()
{
    return ListSchema(ValueSchema(), {{"minItems", 1}});
}

/** \return a member that is no part of what is written */
Member
ReadOnly(std::function<void(const JsonValue&)> read, const Json& schema)
{
    return {std::move(read), []() { return Json(); }, [schema](const KeyPlace&) { return schema; }};
}

/** Keys of a scenario and their values; others stay. */
Member
SettingsOf(Settings& settings)
{
    return ReadOnly(
        [&settings](const JsonValue& value) {
            for (const auto& setting : ReadSettings(value.Object()))
            {
                Put(settings, setting, &Settings::value_type::first);
            }
        },
        {{"type", "object"}, {"additionalProperties", ValueSchema()}});
}

Member
SelectionOf(Selection& selection)
{
    return ReadOnly(
        [&selection](const JsonValue& value) {
            const Settings settings = ReadSettings(value.Object());
            selection = {settings.begin(), settings.end()};
        },
        {{"type", "object"}, {"additionalProperties", ValueSchema()}});
}

/**
 * Keys that vary, and their values; others stay.
 *
 * \param usual the comparison of the default set, whose runs have to be among these; null: none
 */
Member
VariationsOf(std::vector<Variation>& variations, const FigureComparison* usual)
{
    return ReadOnly(
        [&variations, usual](const JsonValue& value) {
            const JsonObject varied = value.Object();
            for (const auto& path : varied.Keys())
            {
                const Variation variation = ReadVariation(path, varied.At(path));
                if (usual)
                {
                    CheckMore(variation, FindVariation(*usual, path), varied.At(path));
                }
                Put(variations, variation, &Variation::path);
            }
        },
        {{"type", "object"}, {"additionalProperties", VariationSchema()}});
}

void
DescribeRuns(Keys& keys, FigureComparison& comparison)
{
    keys.Add("seeds",
             comparison.seeds,
             {1, MOST_SEEDS},
             "runs of each combination; in `quick`, as many as without it unless given");
    keys.Visit(Optional("vary", "none"),
               VariationsOf(comparison.variations, nullptr),
               "keys of the scenario by dotted path, and the values of each, "
               "`{\"scheduler.network\": [\"fair-share\", \"grouper\"]}`; several keys give the "
               "cross product");
    keys.Visit(Optional("set", "none"),
               SettingsOf(comparison.settings),
               "keys and values for all runs: `{\"output.alone\": false}`");
}

/** \param all the comparison with what `all` adds \param quick the one that `quick` overrides */
void
DescribeComparison(Keys& keys,
                   FigureComparison& comparison,
                   FigureComparison& all,
                   FigureComparison& quick)
{
    keys.Visit(Required("name"), FolderNameOf(comparison.name), "folder of its results");
    keys.Add(Optional("from", "none"),
             comparison.from,
             "folder of another figure of the paper, whose comparison of that name is used, "
             "without any other key here; it runs once");
    const auto own = [&]() {
        keys.Add(Optional("scenario", "the one in this folder"),
                 comparison.scenario,
                 "scenario that is run");
        keys.Add(Optional("price", "none"),
                 comparison.price,
                 {0, NO_LIMIT},
                 "CPU seconds of a run, for the forecast of `--all`; counts where no run of its "
                 "combination has finished");
        DescribeRuns(keys, comparison);
        all = quick = comparison;
        keys.Object(
            "all",
            [&](Keys& more) {
                const uint64_t least = more.IsDescription() ? 1 : comparison.seeds;
                more.Add(Optional("seeds", "as without"),
                         all.seeds,
                         {least, MOST_SEEDS},
                         "no fewer than in the default set");
                more.Visit(Optional("vary", "none"),
                           VariationsOf(all.variations, &comparison),
                           "keys that vary in the default set, with its values and more");
            },
            "what `--all` adds to the default set");
        keys.Object(
            "quick",
            [&](Keys& runs) { DescribeRuns(runs, quick); },
            "what differs with `--quick`");
        keys.Check([&](const JsonObject& json) { all.hasMore = json.Has("all"); });
        comparison.hasMore = quick.hasMore = all.hasMore;
    };
    keys.When(comparison.from.empty(), "", own);
}

/** Describe the keys of a comparison, and take the one of a variant. */
void
DescribeComparison(Keys& keys, FigureComparison& comparison, FigureVariant variant)
{
    FigureComparison all;
    FigureComparison quick;
    DescribeComparison(keys, comparison, all, quick);
    comparison.folder = comparison.name;
    if (comparison.from.empty()) // else the rest comes from the other figure
    {
        all.folder = comparison.name;
        quick.folder = comparison.name + "-quick"; // its own, so that both can be resumed
        comparison = variant == FigureVariant::QUICK ? quick
                     : variant == FigureVariant::ALL ? all
                                                     : comparison;
    }
}

void
DescribeMeasure(Keys& keys, Measure& measure)
{
    const std::string columns = JoinNames(ListColumnMetrics());
    keys.Add(Required("metric"),
             measure.metric,
             "one of `summary.json`: sct_s, jct_s, cojct_s, stage_slowdown, ..., "
             "estimates.LABEL.r2, timers.GPUS.rack_s");
    keys.AddName("statistic",
                 measure.statistic,
                 ListStatistics(),
                 "statistic of each run; the mean over seeds is taken of it");
    keys.Add(Optional("within", "none"),
             measure.within,
             {0, NO_LIMIT},
             "instead of a statistic: the part of all values that are at most this (of " + columns +
                 "), with `factor` 100 and `unit` % for percent");
    keys.Add(Optional("model", "all"),
             measure.model,
             "only stages and jobs of that model (of " + columns + ")");
    keys.Check([&measure](const JsonObject& json) {
        if ((!measure.model.empty() || measure.within) && json.At("metric").IsString())
        {
            json.At("metric").OneOf(ListColumnMetrics(), "");
        }
        if (measure.within && json.Has("statistic"))
        {
            json.At("statistic")
                .Report("has no meaning beside \"within\", which is a part of all values");
        }
    });
}

void
DescribeValue(Keys& keys, FigureValue& value)
{
    keys.Add(Required("name"), value.name, "a few words; `expected.csv` refers to it");
    DescribeMeasure(keys, value.measure);
    keys.Visit(Optional("of", "none"),
               SelectionOf(value.of),
               "the combination: keys that were varied or set, and their values; just one must "
               "have them");
    keys.Visit(Optional("over", "none"),
               SelectionOf(value.over),
               "the value is then the change against that combination: the mean ratio over paired "
               "seeds, less 1");
    keys.Add(Optional("sweep", "none"),
             value.sweep,
             "a varied key: of the results at its values, one counts");
    keys.Choice("pick",
                value.isGreatest,
                {{"least", false}, {"greatest", true}},
                "which one of a sweep");
    keys.When(value.over.empty(), "", [&]() {
        keys.Add("factor",
                 value.factor,
                 {ABOVE_ZERO, NO_LIMIT},
                 "factor of the measured number; without `over` only");
        keys.Add(Optional("unit", "none"),
                 value.unit,
                 "unit after the factor; without `over` only");
    });
    keys.Add(Optional("published", "none"),
             value.published,
             {-NO_LIMIT, NO_LIMIT},
             "the paper's number: a change as a fraction, -0.31 for 31 % less; else in the unit");
    std::optional<double> program;
    keys.Add(Optional("program", "none"),
             program,
             {-NO_LIMIT, NO_LIMIT},
             "instead of `published`: a number of the authors' program, which the report calls so, "
             "and counts apart");
    keys.Check([&](const JsonObject& json) {
        if (program && value.published)
        {
            json.At("program").Report("has no meaning beside \"published\"");
        }
        if (program || value.published)
        {
            json.Require("source");
        }
    });
    value.isProgram = program.has_value();
    value.published = program ? program : value.published;
    keys.Add(Optional("source", "none"),
             value.source,
             "where the paper, or the program, says so; required with either");
    keys.Add(Optional("tolerance", "0.01 of a change, 2 % of another number"),
             value.tolerance,
             {0, NO_LIMIT},
             "by how much ours may differ and still agree, in the same unit; `source` says why");
}

void
DescribeOrder(Keys& keys, FigureOrder& order)
{
    keys.Add(Required("name"), order.name, "a few words");
    DescribeMeasure(keys, order.measure);
    keys.Add(Required("key"), order.key, "key whose values are put into order");
    keys.Visit(Optional("of", "none"), SelectionOf(order.of), "other keys, where several vary");
    keys.Visit(Required("ascending"),
               ReadOnly(
                   [&order](const JsonValue& value) {
                       order.ascending = ReadVariation(order.key, value).values;
                   },
                   VariationSchema()),
               "the published order, the least first");
    keys.Add(Required("source"), order.source, "where the paper says so");
}

void
DescribePicture(Keys& keys, FigurePicture& picture)
{
    keys.Add(Required("type"),
             picture.type,
             "a figure of `./ddl plot` ([list](results.md#figures))");
    keys.Visit(Optional("comparisons", "all"),
               ReadOnly(
                   [&picture](const JsonValue& value) {
                       for (const auto& name : value.Array())
                       {
                           picture.comparisons.push_back(name.String(""));
                       }
                   },
                   ListSchema({{"type", "string"}})),
               "names of the comparisons that it is drawn from");
    keys.Add("panels",
             picture.hasPanels,
             "of `bars`: a panel for each comparison, under its name and relative to its own first "
             "combination");
    keys.Check([&picture](const JsonObject& json) {
        if (json.At("type").IsString())
        {
            picture.type = json.At("type").OneOf(ListPolicies(Figure::GetTypeId()), "bars");
        }
        if (picture.hasPanels && picture.type != "bars")
        {
            json.At("panels").Report("only bars can be drawn with a panel for each comparison");
        }
    });
}

/** A list of pictures: names, or objects. */
Member
PicturesOf(std::vector<FigurePicture>& pictures)
{
    return {[&pictures](const JsonValue& value) {
                for (const auto& each : value.Array())
                {
                    FigurePicture& picture = pictures.emplace_back();
                    if (each.IsObject())
                    {
                        ReadKeys(each.Object(),
                                 [&](Keys& keys) { DescribePicture(keys, picture); });
                    }
                    else
                    {
                        picture.type = each.OneOf(ListPolicies(Figure::GetTypeId()), "bars");
                    }
                }
            },
            []() { return Json(); },
            [](const KeyPlace& place) {
                FigurePicture picture;
                const Json object =
                    place.Describe([&picture](Keys& keys) { DescribePicture(keys, picture); });
                return ListSchema({{"anyOf", {{{"type", "string"}}, object}}});
            }};
}

void
DescribeFigure(Keys& keys, PaperFigure& figure, FigureVariant variant)
{
    keys.Note("$schema", "path of the schema of this file, for editors");
    keys.Add(Required("paper"),
             figure.paper,
             "name of the paper, as `ddl reproduce PAPER` takes it");
    keys.Add(Required("figure"),
             figure.number,
             "its number, \"Fig. 11\"; figures are ordered by it");
    keys.Add(Required("title"), figure.title, "what it shows, a few words");
    keys.Add(Required("claim"), figure.claim, "what the paper says about it, with its numbers");
    keys.Add(Optional("why", "none"),
             figure.why,
             "why our numbers differ from the published ones, as far as is known; shown beside "
             "those that are missed");
    keys.Visit(
        Optional("names", "none"),
        SelectionOf(figure.names),
        "short names of long values: `{\"pww\": {\"workers\": [[1, 1], [1, 2]]}}`. A name may "
        "stand wherever this file wants a value of a key (`vary`, `set`, `of`, `over`, "
        "`ascending`), whatever the key; pictures and the report show the name");
    FigureComparison own;
    own.scenario = figure.folder;
    keys.Add(
        Required("comparisons"),
        figure.comparisons,
        own,
        [variant](Keys& each, FigureComparison& comparison) {
            DescribeComparison(each, comparison, variant);
        },
        "runs: at least one comparison, each what `ddl compare` is asked for",
        true);
    keys.Add(Optional("values", "none"),
             figure.values,
             FigureValue(),
             DescribeValue,
             "numbers to set beside the published ones");
    keys.Add(Optional("orders", "none"),
             figure.orders,
             FigureOrder(),
             DescribeOrder,
             "who comes before whom, as published");
    keys.Visit(Optional("pictures", "none"),
               PicturesOf(figure.pictures),
               "figures of `ddl plot`, each type once: names, or objects");
}

/** Replace names of values by the values. */
void
ExpandNames(PaperFigure& figure)
{
    const auto expand = [&figure](std::string& text) { text = ExpandName(figure, text); };
    const auto expandAll = [&expand](auto& settings) {
        for (auto& setting : settings)
        {
            expand(setting.second);
        }
    };
    for (auto& comparison : figure.comparisons)
    {
        expandAll(comparison.settings);
        for (auto& variation : comparison.variations)
        {
            std::for_each(variation.values.begin(), variation.values.end(), expand);
        }
    }
    for (auto& value : figure.values)
    {
        expandAll(value.of);
        expandAll(value.over);
    }
    for (auto& order : figure.orders)
    {
        expandAll(order.of);
    }
}

Json
DescribeFigures(KeyBook& book)
{
    PaperFigure figure;
    return KeyPlace{book, "figure"}.Describe(
        [&figure](Keys& keys) { DescribeFigure(keys, figure, FigureVariant::FULL); });
}

std::string
Index(const std::string& list, std::size_t index)
{
    return "/" + list + "/" + std::to_string(index);
}

/** Complain about names in a figure that are given twice, or are unknown. */
void
CheckNames(const PaperFigure& figure, JsonReader& reader)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < figure.comparisons.size(); ++i)
    {
        const std::string& name = figure.comparisons[i].name;
        const std::string pointer = Index("comparisons", i) + "/name";
        if (std::find(names.begin(), names.end(), name) != names.end())
        {
            reader.Report(pointer, "another comparison has that name");
        }
        names.push_back(name);
    }
    for (std::size_t i = 0; i < figure.pictures.size(); ++i)
    {
        for (std::size_t j = 0; j < figure.pictures[i].comparisons.size(); ++j)
        {
            const std::string& name = figure.pictures[i].comparisons[j];
            if (std::find(names.begin(), names.end(), name) == names.end())
            {
                reader.Report(Index("pictures", i) + Index("comparisons", j),
                              "there is no comparison \"" + name + "\" (one of " +
                                  JoinNames(names) + ")");
            }
        }
    }
}

/**
 * Complains about values and orders that identify no runs, or several. It needs a whole paper,
 * because figures use comparisons of one another.
 */
class SelectionCheck
{
  public:
    /** \param isWhole whether the figure has all combinations that it declares */
    SelectionCheck(const PaperFigure& figure, bool isWhole)
        : m_figure(figure),
          m_isWhole(isWhole)
    {
        for (const auto& comparison : figure.comparisons)
        {
            const auto more = ListCombinations(comparison);
            m_runs.insert(m_runs.end(), more.begin(), more.end());
        }
    }

    /** \return complaints about all values and orders */
    std::vector<Diagnostic> Check()
    {
        for (std::size_t i = 0; i < m_figure.values.size(); ++i)
        {
            Check(m_figure.values[i], Index("values", i));
        }
        for (std::size_t i = 0; i < m_figure.orders.size(); ++i)
        {
            Check(m_figure.orders[i], Index("orders", i));
        }
        return std::move(m_complaints);
    }

  private:
    void Check(const FigureValue& value, const std::string& pointer)
    {
        if (value.sweep.empty())
        {
            CheckOne(value.of, pointer + "/of");
            CheckOne(value.over, pointer + "/over");
            return;
        }
        const auto values = ListValues(m_figure, value.sweep);
        if (values.empty())
        {
            Complain(pointer + "/sweep", "no comparison varies " + value.sweep);
        }
        for (const auto& at : values)
        {
            CheckOne(With(value.of, value.sweep, at), pointer + "/of");
            const Selection over = WithDefault(value.over, value.sweep, at);
            CheckOne(Count(over) == 0 ? value.over : over, pointer + "/over");
        }
    }

    void Check(const FigureOrder& order, const std::string& pointer)
    {
        for (std::size_t i = 0; i < order.ascending.size(); ++i)
        {
            CheckOne(With(order.of, order.key, ExpandName(m_figure, order.ascending[i])),
                     pointer + Index("ascending", i));
        }
    }

    long Count(const Selection& wanted) const
    {
        return std::count_if(m_runs.begin(), m_runs.end(), [&wanted](const Selection& runs) {
            return Matches(wanted, runs);
        });
    }

    void CheckOne(const Selection& wanted, const std::string& pointer)
    {
        const long count = wanted.empty() ? 1 : Count(wanted);
        if (count > 1)
        {
            Complain(pointer,
                     std::to_string(count) + " combinations of the comparisons have " +
                         Describe(wanted) + " (name more keys)");
        }
        if (count == 0 && m_isWhole)
        {
            Complain(pointer,
                     "no combination of the comparisons has " + Describe(wanted) +
                         " (keys are those of \"vary\" and \"set\")");
        }
    }

    void Complain(const std::string& pointer, const std::string& what)
    {
        m_complaints.push_back({m_figure.path + "/figure.json", pointer, what});
    }

    const PaperFigure& m_figure;
    bool m_isWhole;
    std::vector<Selection> m_runs; //!< combinations of all comparisons
    std::vector<Diagnostic> m_complaints;
};

/** A folder with a `figure.json`. */
struct FigureFolder
{
    std::string path;
    std::string paper; //!< paper that the file names, "" if it names none
};

/** \return the paper that a figure names; "" when it names none, which its reader complains about
 */
std::string
PeekPaper(const std::string& file)
{
    try
    {
        const Json root = JsonDocument::ParseFile(file).GetRoot();
        return root.is_object() && root.contains("paper") && root["paper"].is_string()
                   ? root["paper"].get<std::string>()
                   : "";
    }
    catch (const InputError&)
    {
        return "";
    }
}

std::vector<FigureFolder>
FindFigureFolders()
{
    std::vector<FigureFolder> folders;
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(fs::path(GetHome()) / "scenarios", failure))
    {
        const fs::path file = entry.path() / "figure.json";
        if (fs::is_regular_file(file, failure))
        {
            folders.push_back({entry.path().string(), PeekPaper(file.string())});
        }
    }
    std::sort(folders.begin(), folders.end(), [](const auto& a, const auto& b) {
        return a.path < b.path;
    });
    return folders;
}

/** \return true if a figure comes before another: by the first number in their names, then by name
 */
bool
IsBefore(const PaperFigure& a, const PaperFigure& b)
{
    const auto number = [](const std::string& text) {
        const std::size_t digit = std::min(text.find_first_of("0123456789"), text.size());
        return std::strtoul(text.c_str() + digit, nullptr, 10);
    };
    return std::make_tuple(number(a.number), a.number, a.folder) <
           std::make_tuple(number(b.number), b.number, b.folder);
}

/** \return the comparison of another figure that \p wanted refers to, or null */
const FigureComparison*
FindOriginal(const std::vector<PaperFigure>& figures, const FigureComparison& wanted)
{
    for (const auto& figure : figures)
    {
        for (const auto& comparison : figure.comparisons)
        {
            if (figure.folder == wanted.from && comparison.name == wanted.name &&
                comparison.from.empty())
            {
                return &comparison;
            }
        }
    }
    return nullptr;
}

/** Complete the comparisons that figures take from other figures. */
void
Complete(std::vector<PaperFigure>& figures, Complaints& complaints)
{
    for (auto& figure : figures)
    {
        for (std::size_t i = 0; i < figure.comparisons.size(); ++i)
        {
            FigureComparison& comparison = figure.comparisons[i];
            if (comparison.from.empty())
            {
                continue;
            }
            const auto* original = FindOriginal(figures, comparison);
            if (!original)
            {
                complaints.Add(
                    {{figure.path + "/figure.json",
                      Index("comparisons", i) + "/from",
                      "the figure \"" + comparison.from + "\" of this paper has no comparison \"" +
                          comparison.name + "\" of its own"}});
                continue;
            }
            const std::string from = comparison.from;
            comparison = *original;
            comparison.from = from;
        }
    }
}

/** \throws InputError with the nearest name, if there is no paper of that name */
void
CheckPaper(const std::string& name)
{
    const auto names = ListPapers();
    if (std::find(names.begin(), names.end(), name) == names.end())
    {
        throw InputError("there is no paper \"" + name + "\" (" +
                         (names.empty() ? "no folder below scenarios/ has a figure.json"
                                        : "one of " + JoinNames(names)) +
                         ")" + SuggestName(name, names));
    }
}

/** \return position of a figure's value by its name; the number of values if there is none */
std::size_t
FindValue(const PaperFigure& figure, const std::string& name)
{
    const auto found = std::find_if(figure.values.begin(),
                                    figure.values.end(),
                                    [&name](const auto& value) { return value.name == name; });
    return static_cast<std::size_t>(found - figure.values.begin());
}

/** \return half the 95 % interval in a row of `expected.csv`; nothing if the row has none */
std::optional<double>
GetHalfWidth(const CsvTable& table, std::size_t row)
{
    return table.HasColumn("ci95") ? table.GetNumber(row, "ci95") : std::nullopt;
}

/** \return why a row of `expected.csv` is wrong, "" if it is not */
std::string
ComplainAboutRow(const PaperFigure& figure, const CsvTable& table, std::size_t row)
{
    const std::string variant = table.GetText(row, "variant");
    if (!FindVariant(variant))
    {
        return "the variant is \"" + variant + "\" (one of full, quick, all)";
    }
    const std::string name = table.GetText(row, "value");
    if (FindValue(figure, name) == figure.values.size())
    {
        std::vector<std::string> names;
        for (const auto& value : figure.values)
        {
            names.push_back(value.name);
        }
        return "figure.json has no value \"" + name + "\"" + SuggestName(name, names);
    }
    const auto isNegative = [](const std::optional<double>& number) {
        return number && *number < 0;
    };
    if (!table.GetNumber(row, "expected") || isNegative(table.GetNumber(row, "tolerance")) ||
        isNegative(GetHalfWidth(table, row)))
    {
        return "\"" + name +
               "\" needs a number in expected, and none below 0 in tolerance and ci95";
    }
    return "";
}

/** Remove those rows of the default set for which a condition holds, among rows of --all. */
template <typename Condition>
void
DropUsual(std::vector<FigureExpectation>& rows, Condition holds)
{
    const auto end = std::remove_if(rows.begin(), rows.end(), [&holds](const auto& row) {
        return row.isFull && holds(row.value);
    });
    rows.erase(end, rows.end());
}

/** Remove rows of the default set that rows of --all replace. */
void
DropReplaced(std::vector<FigureExpectation>& rows)
{
    std::set<std::size_t> replaced;
    for (const auto& row : rows)
    {
        if (!row.isFull)
        {
            replaced.insert(row.value);
        }
    }
    DropUsual(rows, [&replaced](std::size_t value) { return replaced.count(value) > 0; });
}

/** \return true if --all measures a value on the runs of the default set alone */
bool
HasUsualRuns(const PaperFigure& figure, const FigureValue& value)
{
    const auto isMeant = [&value](const Selection& runs) {
        return Matches(value.of, runs) || (!value.over.empty() && Matches(value.over, runs));
    };
    return std::none_of(figure.comparisons.begin(),
                        figure.comparisons.end(),
                        [&isMeant](const auto& comparison) {
                            const auto runs = ListCombinations(comparison);
                            return comparison.hasMore &&
                                   std::any_of(runs.begin(), runs.end(), isMeant);
                        });
}

/** \return the figures of a paper, complete, by number; throws as OpenPaper */
std::vector<PaperFigure>
ReadFigures(const std::string& name, FigureVariant variant)
{
    std::vector<PaperFigure> figures;
    Complaints complaints;
    for (const auto& folder : FindFigureFolders())
    {
        // A file that names no paper may be meant for this one: its complaints are shown too.
        if (folder.paper.empty() || folder.paper == name)
        {
            complaints.Try([&] { figures.push_back(ReadPaperFigure(folder.path, variant)); });
        }
    }
    complaints.Throw();
    std::sort(figures.begin(), figures.end(), IsBefore);
    Complete(figures, complaints);
    complaints.Throw();
    for (auto& figure : figures)
    {
        DropUsual(figure.expected, [&figure](std::size_t value) {
            return !HasUsualRuns(figure, figure.values[value]);
        });
    }
    return figures;
}

} // namespace

std::string
GetVariantName(FigureVariant variant)
{
    return VARIANTS.at(variant);
}

std::optional<FigureVariant>
FindVariant(const std::string& name)
{
    const auto found = std::find_if(VARIANTS.begin(), VARIANTS.end(), [&name](const auto& one) {
        return one.second == name;
    });
    return found == VARIANTS.end() ? std::nullopt : std::make_optional(found->first);
}

PaperFigure
ReadPaperFigure(const std::string& folder, FigureVariant variant)
{
    const auto document = JsonDocument::ParseFile(folder + "/figure.json");
    std::vector<Diagnostic> diagnostics;
    JsonReader reader(document, diagnostics);
    PaperFigure figure;
    figure.path = folder;
    figure.folder = fs::path(folder).filename().string();
    ReadKeys(reader.Root(), [&](Keys& keys) { DescribeFigure(keys, figure, variant); });
    ExpandNames(figure);
    CheckNames(figure, reader);
    reader.Finish();
    figure.expected = ReadExpected(figure, variant, diagnostics);
    if (!diagnostics.empty())
    {
        throw InputError(diagnostics);
    }
    return figure;
}

std::vector<FigureExpectation>
ReadExpected(const PaperFigure& figure, FigureVariant variant, std::vector<Diagnostic>& diagnostics)
{
    std::vector<FigureExpectation> rows;
    const std::string path = figure.path + "/expected.csv";
    if (!fs::exists(path))
    {
        return rows;
    }
    const std::string wanted = GetVariantName(variant);
    try
    {
        const CsvTable table(path);
        for (std::size_t row = 0; !table.HasColumn("run") && row < table.GetRows(); ++row)
        {
            const std::string complaint = ComplainAboutRow(figure, table, row);
            if (!complaint.empty())
            {
                diagnostics.push_back({table.Where(row), "", complaint});
            }
            const std::string of = complaint.empty() ? table.GetText(row, "variant") : "";
            const bool isFull = variant == FigureVariant::ALL && of == "full";
            if (of == wanted || isFull)
            {
                rows.push_back({FindValue(figure, table.GetText(row, "value")),
                                *table.GetNumber(row, "expected"),
                                table.GetNumber(row, "tolerance")
                                    .value_or(std::numeric_limits<double>::infinity()),
                                table.GetText(row, "source"),
                                isFull,
                                GetHalfWidth(table, row)});
            }
        }
        DropReplaced(rows);
    }
    catch (const InputError& error)
    {
        const auto& more = error.GetDiagnostics();
        diagnostics.insert(diagnostics.end(), more.begin(), more.end());
    }
    return rows;
}

std::string
ExpandName(const PaperFigure& figure, const std::string& text)
{
    const auto found = figure.names.find(text);
    return found == figure.names.end() ? text : found->second;
}

std::string
NameValue(const PaperFigure& figure, const std::string& value)
{
    const auto found = std::find_if(figure.names.begin(),
                                    figure.names.end(),
                                    [&value](const auto& name) { return name.second == value; });
    return found == figure.names.end() ? value : found->first;
}

bool
Matches(const Selection& wanted, const Selection& runs)
{
    return std::all_of(wanted.begin(), wanted.end(), [&runs](const auto& entry) {
        const auto found = runs.find(entry.first);
        return found != runs.end() && found->second == entry.second;
    });
}

Selection
With(Selection selection, const std::string& key, const std::string& value)
{
    selection[key] = value;
    return selection;
}

Selection
WithDefault(Selection selection, const std::string& key, const std::string& value)
{
    selection.emplace(key, value);
    return selection;
}

Selection
GetSettings(const FigureComparison& comparison)
{
    return {comparison.settings.begin(), comparison.settings.end()};
}

std::vector<Selection>
ListCombinations(const FigureComparison& comparison)
{
    std::vector<Selection> all;
    for (const auto& values : CrossProduct(comparison.variations))
    {
        Selection runs = GetSettings(comparison);
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            runs[comparison.variations[i].path] = values[i];
        }
        all.push_back(runs);
    }
    return all;
}

std::size_t
CountRuns(const FigureComparison& comparison)
{
    return ListCombinations(comparison).size() * comparison.seeds;
}

std::vector<std::string>
ListValues(const PaperFigure& figure, const std::string& key)
{
    std::vector<std::string> values;
    for (const auto& comparison : figure.comparisons)
    {
        for (const auto& variation : comparison.variations)
        {
            for (const auto& value : variation.values)
            {
                const bool isNew = std::find(values.begin(), values.end(), value) == values.end();
                if (variation.path == key && isNew)
                {
                    values.push_back(value);
                }
            }
        }
    }
    return values;
}

std::string
Describe(const Selection& selection)
{
    std::string text;
    for (const auto& [key, value] : selection)
    {
        text += (text.empty() ? "" : ", ") + key.substr(key.rfind('.') + 1) + " " + value;
    }
    return text;
}

std::vector<std::string>
ListPapers()
{
    std::set<std::string> names;
    for (const auto& folder : FindFigureFolders())
    {
        if (!folder.paper.empty())
        {
            names.insert(folder.paper);
        }
    }
    return {names.begin(), names.end()};
}

std::string
FormatFigureSchema()
{
    KeyBook book;
    Json schema = {
        {"$schema", "http://json-schema.org/draft-07/schema#"},
        {"title", "ddl figure"},
        {"description",
         "A figure or table of a paper, for `ddl reproduce`: which runs it needs, which "
         "of their numbers stand beside which published ones, and its pictures. Comments "
         "are allowed. Made by `ddl list --figure-schema` from what reads figures; "
         "doc/reference.md lists every key."}};
    schema.update(DescribeFigures(book));
    return DumpJson(schema);
}

KeyTables
ListFigureKeys()
{
    KeyBook book;
    DescribeFigures(book);
    return book.tables;
}

std::vector<PaperFigure>
OpenPaper(const std::string& name, FigureVariant variant)
{
    CheckPaper(name);
    const auto figures = ReadFigures(name, variant);
    // Some values need runs that only --all has.
    const bool isUsual = variant == FigureVariant::FULL;
    Complaints complaints;
    for (const auto& figure : isUsual ? ReadFigures(name, FigureVariant::ALL) : figures)
    {
        complaints.Add(SelectionCheck(figure, variant != FigureVariant::QUICK).Check());
    }
    complaints.Throw();
    return figures;
}

} // namespace ns3::ddl
