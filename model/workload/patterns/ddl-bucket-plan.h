// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BUCKET_PLAN_H
#define DDL_BUCKET_PLAN_H

#include "ns3/ddl-model-profile.h"
#include "ns3/ddl-overlap-spec.h"

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

constexpr uint32_t MOST_BUCKETS = 1024; //!< most buckets of a model without layers

/**
 * The buckets in which the gradients of a job are computed and sent, in the order of the backward
 * pass: the first one holds the last layers of the model.
 *
 * A model with layers is cut between layers only:
 * - by default, each layer is a bucket, even one of 0 bytes, for which nothing is sent;
 * - into `buckets` parts of about equal bytes: a layer belongs to the part in which its middle
 *   lies; if a large layer leaves a part without any layer, there are fewer buckets;
 * - by `bucketSize`: layers are added to a bucket until it has that size or more, as PyTorch's
 *   DistributedDataParallel does (`bucket_cap_mb`; its smaller first bucket is left out).
 *
 * A model without layers is cut into equal parts, at most MOST_BUCKETS.
 */
class BucketPlan
{
  public:
    BucketPlan(const ModelProfile& model, const OverlapSpec& overlap);

    /** \return number of buckets, at least 1 */
    uint32_t GetCount() const
    {
        return m_bytes.size();
    }

    /** \return bytes of each bucket, which add up to the model's; some may be 0 */
    const std::vector<uint64_t>& GetBytes() const
    {
        return m_bytes;
    }

    /** \return number of tasks of a backward pass: one per bucket, or one for all of them */
    uint32_t GetTasks() const
    {
        return m_isOverlapped ? GetCount() : 1;
    }

    /**
     * \param pass time of the whole backward pass of a worker, with noise and on its GPU
     * \param task index of the task, below GetTasks()
     * \return time of the task; all tasks add up to the pass
     */
    Time GetTime(Time pass, uint32_t task) const;

    /** \return time of the backward pass, of the given length, at whose end the first bucket with
     * bytes is sent */
    Time GetFirstSend(Time pass) const;

    /** \return whether a worker sends a bucket only after the one before has ended there */
    bool IsSerial() const
    {
        return m_isSerial;
    }

  private:
    void CutLayers(const std::vector<Layer>& layers, const OverlapSpec& overlap);

    std::vector<uint64_t> m_bytes;
    std::vector<uint64_t> m_ends; //!< backward time steps up to each bucket's end; empty: equal
    bool m_isSerial;
    bool m_isOverlapped;
};

} // namespace ns3::ddl

#endif // DDL_BUCKET_PLAN_H
