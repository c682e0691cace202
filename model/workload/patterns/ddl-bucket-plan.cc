// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-bucket-plan.h"

#include "ddl-communication-pattern.h"

#include <algorithm>

namespace ns3::ddl
{

namespace
{

/** Decides for each layer, in the order of the backward pass, whether it begins a bucket. */
class Cutter
{
  public:
    /** \param overlap how to cut \param bytes sum of the bytes of all layers */
    Cutter(const OverlapSpec& overlap, uint64_t bytes)
        : m_overlap(overlap),
          m_bytes(bytes)
    {
    }

    bool BeginsBucket(const Layer& layer)
    {
        const uint32_t part = GetPart(layer);
        const bool isCut = m_overlap.bucketSize > 0 ? m_inBucket >= m_overlap.bucketSize
                                                    : m_overlap.buckets == 0 || part != m_part;
        const bool begins = m_isFirst || isCut;
        m_isFirst = false;
        m_part = part;
        m_inBucket = (begins ? 0 : m_inBucket) + layer.bytes;
        m_before += layer.bytes;
        return begins;
    }

  private:
    /** \return index of the part, of `buckets` equal ones, in which the middle of the layer lies */
    uint32_t GetPart(const Layer& layer) const
    {
        if (m_overlap.buckets == 0 || m_bytes == 0)
        {
            return 0;
        }
        const auto middle = static_cast<long double>(m_before) + layer.bytes / 2.0L;
        const auto part = static_cast<uint32_t>(middle * m_overlap.buckets / m_bytes);
        return std::min(part, m_overlap.buckets - 1);
    }

    const OverlapSpec& m_overlap;
    uint64_t m_bytes;
    uint64_t m_before{0};   //!< bytes of the layers so far
    uint64_t m_inBucket{0}; //!< bytes of the present bucket so far
    uint32_t m_part{0};     //!< part of the previous layer
    bool m_isFirst{true};
};

} // namespace

BucketPlan::BucketPlan(const ModelProfile& model, const OverlapSpec& overlap)
    : m_isSerial(overlap.serial),
      m_isOverlapped(overlap.backward)
{
    if (!model.layers.IsEmpty())
    {
        CutLayers(model.layers.Get(), overlap);
        return;
    }
    uint64_t parts = overlap.buckets;
    if (overlap.bucketSize > 0)
    {
        const uint64_t size = overlap.bucketSize;
        parts = model.bytes / size + (model.bytes % size > 0 ? 1 : 0);
    }
    const auto count = static_cast<uint32_t>(std::clamp<uint64_t>(parts, 1, MOST_BUCKETS));
    for (uint32_t bucket = 0; bucket < count; ++bucket)
    {
        m_bytes.push_back(SplitBytes(model.bytes, count, bucket));
    }
}

void
BucketPlan::CutLayers(const std::vector<Layer>& layers, const OverlapSpec& overlap)
{
    uint64_t all = 0;
    for (const Layer& layer : layers)
    {
        all += layer.bytes;
    }
    Cutter cutter(overlap, all);
    uint64_t steps = 0;
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
    {
        if (cutter.BeginsBucket(*layer))
        {
            m_bytes.push_back(0);
            m_ends.push_back(0);
        }
        steps += static_cast<uint64_t>(layer->backward.GetTimeStep());
        m_bytes.back() += layer->bytes;
        m_ends.back() = steps;
    }
}

Time
BucketPlan::GetTime(Time pass, uint32_t task) const
{
    const auto steps = static_cast<uint64_t>(pass.GetTimeStep());
    if (GetTasks() == 1)
    {
        return pass;
    }
    if (m_ends.empty() || m_ends.back() == 0)
    {
        return TimeStep(SplitBytes(steps, GetCount(), task));
    }
    const uint64_t begin = task == 0 ? 0 : ShareByWeight(steps, m_ends[task - 1], m_ends.back());
    return TimeStep(ShareByWeight(steps, m_ends[task], m_ends.back()) - begin);
}

Time
BucketPlan::GetFirstSend(Time pass) const
{
    Time sent;
    for (uint32_t task = 0; task < GetTasks(); ++task)
    {
        sent += GetTime(pass, task);
        if (m_bytes[task] > 0)
        {
            return sent;
        }
    }
    return pass;
}

} // namespace ns3::ddl
