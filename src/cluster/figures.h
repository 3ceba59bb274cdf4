/* figures.h - adds up the figures of several nodes.
 *
 * Numbers of the same name are added, in nested objects too. Means and thresholds are weighted by
 * the pages of each side. Of periods that overlapped, the longest is kept, and of texts the first.
 */
#pragma once

#include <jansson.h>

/* Adds `b` to `a`; `wa` and `wb` are their numbers of pages. */
void figures_add(json_t *a, json_t *b, double wa, double wb);
