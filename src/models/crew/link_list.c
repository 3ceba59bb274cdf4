/* link_list.c - a few links with their scores. SPDX-License-Identifier: MIT */
#include "models/crew/link_list.h"

#include "base/limits.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

double link_rounded(double score)
{
    double steps = round(score * LINK_STEPS);

    if (!(steps > 0))
        return 0;
    return steps < LINK_STEPS ? steps / LINK_STEPS : 1;
}

void link_list_clear(struct link_list *l)
{
    free(l->items);
    *l = (struct link_list){0};
}

void link_list_add(struct link_list *l, uint32_t url, double score)
{
    MEM_GROW(l->items, l->count, &l->cap);
    l->items[l->count++] = (struct listed_link){url, score};
}

void link_list_remove(struct link_list *l, size_t i)
{
    l->count--;
    memmove(&l->items[i], &l->items[i + 1], (l->count - i) * sizeof *l->items);
}

size_t link_list_find(const struct link_list *l, uint32_t url)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->items[i].url == url)
            return i;
    return SIZE_MAX;
}

void link_list_write(const struct link_list *l, size_t max, struct buf *out)
{
    for (size_t i = 0; i < l->count && i < max; i++)
        buf_addf(out, "%s%u=%.7g", i ? " " : "", l->items[i].url, l->items[i].score);
    if (l->count > max)
        buf_addf(out, " and %zu more", l->count - max);
}

bool link_text_next(struct str *rest, uint32_t *ret_url, double *ret_score)
{
    struct str left = str_trim(*rest), word, number;
    double score = 0;
    uint64_t url;

    if (!str_cut(&left, ' ', &word))
        return false;
    if (str_find_char(word, '=', 0) < word.len) {
        number = word;
        (void)str_cut(&number, '=', &word);
        if (!str_to_double(number, &score) || !isfinite(score))
            return false;
    }
    if (!str_to_u64(word, &url) || url == 0 || url > LIMIT_URLS)
        return false;
    *rest = left;
    *ret_url = (uint32_t)url;
    *ret_score = score;
    return true;
}

void link_list_save(const struct link_list *l, struct buf *out)
{
    buf_put_u32(out, (uint32_t)l->count);
    for (size_t i = 0; i < l->count; i++) {
        buf_put_u32(out, l->items[i].url);
        buf_put_f64(out, l->items[i].score);
    }
}

enum status link_list_load(struct link_list *l, struct cursor *from)
{
    uint32_t count = cursor_u32(from);

    for (uint32_t i = 0; i < count && !from->bad; i++) {
        uint32_t url = cursor_number(from);
        double score = cursor_f64(from);

        from->bad |= url == 0 || url > LIMIT_URLS || !isfinite(score);
        if (!from->bad)
            link_list_add(l, url, score);
    }
    return from->bad ? status_fail(ST_CORRUPT, "a saved list of links is damaged") : ST_OK;
}
