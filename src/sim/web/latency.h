/* latency.h - how long a web server takes to answer, drawn from a measured distribution.
 *
 * The Web Almanac 2019 (HTTP Archive, chapter Performance, figure 10) reports the time to the first
 * byte on the sites of the Chrome UX Report: 2 % of them serve three quarters of their visitors
 * within 0.2 s, and 42 % serve a quarter of their visitors only after 1 s or later. A lognormal
 * through these two points has a third quartile of 0.867 s on the median site, and 0.715 as the
 * deviation of its logarithm. These are visitors of all countries and devices: a crawler in a data
 * centre waits less. It does not report how the answers of one site differ; the 0.5 for that is our
 * choice.
 *
 * There is no state: the same arguments give the same result.
 */
#pragma once

#include <stdint.h>

/* Returns the time of an answer in us; `host` and `url` are hashes. */
int64_t latency_measured(uint64_t rng, uint64_t host, uint64_t url);
