// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_OVERLAP_SPEC_H
#define DDL_OVERLAP_SPEC_H

#include <cstdint>

namespace ns3::ddl
{

/**
 * How the gradients of a job are cut into buckets, and when those are sent. By default each layer
 * of a model is a bucket, and a model whose layers are not known is one bucket.
 */
struct OverlapSpec
{
    /** Parts of about equal bytes, at least 1; with layers, neighbours are merged. 0: by default.
     */
    uint32_t buckets{0};
    /** Neighbouring layers are merged until they have this many bytes; a model without layers is
     * cut into equal parts of at most this size. 0: by `buckets`, which this excludes. */
    uint64_t bucketSize{0};
    bool serial{false};  //!< a worker sends a bucket after the one before has ended there
    bool backward{true}; //!< buckets are sent during the backward pass; otherwise after it
};

} // namespace ns3::ddl

#endif // DDL_OVERLAP_SPEC_H
