// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-read-curve.h"

#include "ns3/ddl-curve-shape.h"
#include "ns3/random-variable-stream.h"

namespace ns3
{
namespace ddl
{

namespace
{

const JsonRange<double> ANY_NUMBER{-NO_LIMIT, NO_LIMIT};
const JsonRange<double> ITERATIONS{ABOVE_ZERO, 1e9};

/** \return the two values of a list [start, end]; none when there is no such list */
std::vector<JsonValue>
ReadPair(const JsonObject& json, const std::string& key)
{
    auto pair = json.Array(key);
    if (json.At(key).IsArray() && pair.size() != 2)
    {
        json.At(key).Report("must be [start, end], two values");
        pair.clear();
    }
    return pair;
}

ObjectFactory
ReadShape(const JsonObject& json, std::vector<Diagnostic>& diagnostics)
{
    return json.Policy("shape", "inverse").MakeFactory(CurveShape::GetTypeId(), diagnostics);
}

CurvePoint
ReadPoint(const JsonValue& json)
{
    CurvePoint point;
    const auto values = json.Array();
    if (json.IsArray() && values.size() != 2 && values.size() != 3)
    {
        json.Report("must be [iteration, accuracy] or [iteration, accuracy, loss]");
    }
    if (values.size() >= 2)
    {
        point.iteration = values[0].Number({0, 1e9}, 0);
        point.accuracy = values[1].Number(ANY_NUMBER, 0);
    }
    if (values.size() >= 3)
    {
        point.loss = values[2].Number(ANY_NUMBER, 0);
    }
    return point;
}

std::vector<CurvePoint>
ReadPoints(const JsonObject& json)
{
    std::vector<CurvePoint> points;
    for (const auto& entry : json.Array("points"))
    {
        const CurvePoint point = ReadPoint(entry);
        if (!points.empty() && entry.IsArray() && point.iteration <= points.back().iteration)
        {
            entry.Report("does not come after the point before (iterations must increase)");
        }
        points.push_back(point);
    }
    if (points.empty() && json.At("points").IsArray())
    {
        json.At("points").Report("is empty ([iteration, accuracy] at least once)");
    }
    return points;
}

void
ReadShapedCurve(const JsonObject& json, LearningCurve& curve, std::vector<Diagnostic>& diagnostics)
{
    curve.shape = ReadShape(json, diagnostics);
    json.Require("half");
    curve.half = json.Number("half", ITERATIONS, 1);
    const auto accuracy = ReadPair(json, "accuracy");
    if (!accuracy.empty())
    {
        curve.startAccuracy = accuracy[0].Number(ANY_NUMBER, 0);
        curve.endAccuracy = accuracy[1].Number(ANY_NUMBER, 1);
    }
    const auto loss = ReadPair(json, "loss");
    if (!loss.empty())
    {
        curve.startLoss = loss[0].Number(ANY_NUMBER, 0);
        curve.endLoss = loss[1].Number(ANY_NUMBER, 0);
    }
}

} // namespace

LearningCurve
ReadCurve(const JsonObject& json, std::vector<Diagnostic>& diagnostics)
{
    LearningCurve curve;
    if (json.Has("points"))
    {
        curve.points = ReadPoints(json);
    }
    else
    {
        ReadShapedCurve(json, curve, diagnostics);
    }
    return curve;
}

CurveSpec
ReadCurveSpec(const JsonObject& json,
              const CurveSpec& fallback,
              std::vector<Diagnostic>& diagnostics)
{
    CurveSpec spec = fallback;
    if (json.Has("shape"))
    {
        spec.shape = ReadShape(json, diagnostics);
    }
    spec.half = ReadNumberOrDistribution(json.At("half"), ITERATIONS, spec.half, diagnostics);
    const auto read = [&diagnostics](const JsonValue& value, const ObjectFactory& other) {
        return ReadNumberOrDistribution(value, ANY_NUMBER, other, diagnostics);
    };
    const auto accuracy = ReadPair(json, "accuracy");
    if (!accuracy.empty())
    {
        spec.startAccuracy = read(accuracy[0], spec.startAccuracy);
        spec.endAccuracy = read(accuracy[1], spec.endAccuracy);
    }
    const auto loss = ReadPair(json, "loss");
    if (!loss.empty())
    {
        spec.startLoss = read(loss[0], MakeConstant(0));
        spec.endLoss = read(loss[1], MakeConstant(0));
    }
    return spec;
}

ObjectFactory
ReadNumberOrDistribution(const JsonValue& value,
                         JsonRange<double> range,
                         const ObjectFactory& fallback,
                         std::vector<Diagnostic>& diagnostics)
{
    if (!value.IsPresent())
    {
        return fallback;
    }
    if (!value.IsString() && !value.IsObject())
    {
        return MakeConstant(value.Number(range, 1));
    }
    const ObjectFactory factory =
        value.Policy("").MakeFactory(RandomVariableStream::GetTypeId(), diagnostics);
    return factory.IsTypeIdSet() ? factory : fallback;
}

} // namespace ddl
} // namespace ns3
