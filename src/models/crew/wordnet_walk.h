/* wordnet_walk.h - all synsets along one relation, nearest first. */
#pragma once

#include "models/crew/wordnet.h"

/* Calls visit() once for every synset that 1 to `depth` steps of `relation` reach
 * from one of `from`, with the fewest steps; never for those of `from`. Stops after
 * LIMIT_WORDNET_NEAR of them. Pointers that lead nowhere are passed over. */
void wordnet_walk(const struct wordnet *w, const uint32_t *from, size_t nfrom,
                  enum wordnet_relation relation, unsigned depth,
                  void (*visit)(void *ctx, uint32_t offset, unsigned steps), void *ctx);
