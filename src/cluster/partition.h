/* partition.h - which part of a crawl a host belongs to.
 *
 * A crawl on several machines is divided into PARTITIONS by the hosts' registrable domains, so that
 * one node keeps the delays, robots.txt, budgets and known URLs of all hosts of a domain. Every
 * node finds the same part for a host without asking anybody. The public suffix list of libpsl must
 * be of the same version on all nodes; where two lists differ over a domain, its links are dropped
 * as foreign by the node they are sent to.
 */
#pragma once

#include "base/str.h"

#define PARTITIONS 64 /* also the subjects of the stream: throughput falls with many of them */

/* Of a host without its port; below PARTITIONS. */
uint32_t partition_of(struct str host);
/* Of the host of an absolute URL. */
uint32_t partition_of_url(struct str url);
/* The host of an absolute URL, without its port. Lent. */
struct str partition_host(struct str url);
