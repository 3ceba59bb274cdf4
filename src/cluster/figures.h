/* figures.h - figures of several nodes, added up.
 *
 * Numbers of the same name are added, in nested objects too. Means and thresholds are weighted by
 * the pages of each side. Of times that ran side by side the longest counts, and of texts the
 * first.
 */
#pragma once

#include <jansson.h>

/* Adds `b` to `a`; `wa` and `wb` are their pages. */
void figures_add(json_t *a, json_t *b, double wa, double wb);
