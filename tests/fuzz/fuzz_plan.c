/* fuzz_plan.c - plans: any text is a plan, or is told in which line it is none.
 * SPDX-License-Identifier: MIT */
#include "lab/plan/plan.h"

static void show(const struct plan *p)
{
    struct buf out = BUF_INIT(1 << 20);

    for (size_t i = 0; i < p->nat; i++)
        quantity_show(p->at[i], &out);
    quantity_show(p->pages, &out);
    quantity_show(p->time, &out);
    quantity_show(p->sample, &out);
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct plan *p = NULL;

    if (size > 20000)
        return 0;
    if (plan_parse(text, "fuzz", &p) == ST_OK) {
        if (p->nworlds == 0 || p->nmodels == 0 || p->nat == 0)
            __builtin_trap(); /* a plan has something to do */
        show(p);
        plan_free(p);
    } else if (!str_starts(str_of(status_text()), STR("fuzz:"))) {
        __builtin_trap(); /* a refusal names the file */
    }
    return 0;
}
