/* partition.h - the partition of a crawl to which a host belongs.
 *
 * A crawl on several machines is divided into PARTITIONS by the hosts' registrable domains, so that
 * one node keeps the delays, robots.txt, budgets and known URLs of all hosts of a domain. Every
 * node computes the same partition for a host without asking another. The public suffix list of
 * libpsl must have the same version on all nodes; if two lists differ on a domain, its links are
 * dropped as foreign by the node to which they are sent.
 */
#pragma once

#include "base/str.h"

#define PARTITIONS 64 /* also the subjects of the stream: throughput falls with many of them */

/* Returns the partition of a host (without its port), a number below PARTITIONS. */
uint32_t partition_of(struct str host);
/* Returns the partition of the host of an absolute URL. */
uint32_t partition_of_url(struct str url);
/* Returns the host of an absolute URL, without its port. It is lent. */
struct str partition_host(struct str url);
