/* partition.c - a host's part, by the hash of its registrable domain.
 * SPDX-License-Identifier: MIT */
#include "cluster/partition.h"

#include "base/hash.h"
#include "frontier/scope.h"

uint32_t partition_of(struct str host)
{
    return (uint32_t)(hash_u64(hash_str(scope_site(host))) % PARTITIONS);
}
