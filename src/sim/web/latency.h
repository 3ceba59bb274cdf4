/* latency.h - how long a server of the web takes to answer, drawn from what was measured.
 *
 * The Web Almanac 2019 (HTTP Archive, chapter Performance, figure 10) tells of the time to the
 * first byte on the sites of the Chrome UX Report: 2 % of them serve three quarters of their
 * visitors within 0.2 s, and 42 % serve a quarter of them no sooner than after 1 s. A lognormal
 * through these two points has a third quartile of 0.867 s on the median site, and 0.715 as the
 * deviation of its logarithm. These are visitors of all countries and devices: a crawler in a
 * data centre waits less. How the answers of one site differ is not told there; 0.5 is ours.
 *
 * The same numbers, the same answer: nothing is kept.
 */
#pragma once

#include <stdint.h>

/* us of an answer; `host` and `url` are hashes. */
int64_t latency_measured(uint64_t rng, uint64_t host, uint64_t url);
