// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_OVERLAP_SPEC_H
#define DDL_OVERLAP_SPEC_H

#include <cstdint>

namespace ns3::ddl
{

/**
 * The cutting of a job's gradients into buckets, and when these are sent. By default each layer of
 * a model is a bucket, and a model whose layers are not known is one bucket.
 */
struct OverlapSpec
{
    /** Number of parts of about equal bytes; layers are merged into parts. 0: the default. */
    uint32_t buckets{0};
    /** Bytes up to which neighbouring layers are merged; a model without layers is cut into equal
     * parts of at most this size. 0: by `buckets`; only one of the two may be set. */
    uint64_t bucketSize{0};
    bool serial{false};  //!< whether a worker sends a bucket only after the one before has ended
    bool backward{true}; //!< whether buckets are sent during the backward pass, or after it
};

} // namespace ns3::ddl

#endif // DDL_OVERLAP_SPEC_H
