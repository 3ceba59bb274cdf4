/* overlap.c - see overlap.h. Workload: two contexts of 1,000 pages, 64 pairs of terms a page, for
 * an agent every T. SPDX-License-Identifier: MIT */
#include "models/crew/overlap.h"

#include "base/limits.h"
#include "base/mem.h"

struct page_counts {
    uint32_t a[LIMIT_LATTICE_ATTRIBUTES], b[LIMIT_LATTICE_ATTRIBUTES]; /* pages */
    uint32_t both[LIMIT_LATTICE_ATTRIBUTES][LIMIT_LATTICE_ATTRIBUTES];
};

static void count_page(struct page_counts *n, uint64_t a, uint64_t b)
{
    for (uint64_t i = a; i != 0; i &= i - 1) {
        n->a[bits_first(i)]++;
        for (uint64_t k = b; k != 0; k &= k - 1)
            n->both[bits_first(i)][bits_first(k)]++;
    }
    for (uint64_t k = b; k != 0; k &= k - 1)
        n->b[bits_first(k)]++;
}

static void count_pages(struct page_counts *n, const struct context *read, const uint32_t *a,
                        size_t na, const uint32_t *b, size_t nb)
{
    struct lattice *by_a = context_lattice(read, a, na), *by_b = context_lattice(read, b, nb);

    for (uint32_t i = 0; i < lattice_objects(by_a); i++) {
        uint64_t row_a, row_b;

        (void)lattice_object(by_a, i, &row_a);
        (void)lattice_object(by_b, i, &row_b);
        count_page(n, row_a, row_b);
    }
    lattice_free(by_a);
    lattice_free(by_b);
}

void overlap_terms(const struct context *mine, const struct context *theirs, const uint32_t *a,
                   size_t na, const uint32_t *b, size_t nb, float *ret)
{
    LOCAL_HEAP struct page_counts *n = MEM_NEW(struct page_counts);

    count_pages(n, mine, a, na, b, nb);
    count_pages(n, theirs, a, na, b, nb);
    for (size_t i = 0; i < na; i++)
        for (size_t k = 0; k < nb; k++) {
            uint32_t both = n->both[i][k], either = n->a[i] + n->b[k] - both;

            ret[i * nb + k] = a[i] == b[k] ? 1 : either ? (float)both / (float)either : 0;
        }
}
