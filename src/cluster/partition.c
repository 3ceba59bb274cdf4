/* partition.c - a host's partition, by the hash of its registrable domain.
 * SPDX-License-Identifier: MIT */
#include "cluster/partition.h"

#include "base/hash.h"
#include "frontier/scope.h"
#include "parse/url_norm.h"

uint32_t partition_of(struct str host)
{
    return (uint32_t)(hash_u64(hash_str(scope_site(host))) % PARTITIONS);
}

struct str partition_host(struct str url)
{
    struct str scheme, host, path;
    uint16_t port;
    size_t colon;

    url_split(url, &scheme, &host, &port, &path);
    colon = host.len && host.ptr[0] != '[' ? str_find_char(host, ':', 0) : SIZE_MAX;
    return colon == SIZE_MAX ? host : str_sub(host, 0, colon);
}

uint32_t partition_of_url(struct str url)
{
    return partition_of(partition_host(url));
}
