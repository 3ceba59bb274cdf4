/* tell.c - the description of a forager for people: where it starts, what it follows,
 * and how successful it is.
 *
 * What it follows is a weight for each cluster of pages; a cluster is named by its most
 * typical words, which are determined once. SPDX-License-Identifier: MIT */
#include "models/foragers/foragers_int.h"

#include "agent/tell.h"
#include "base/limits.h"
#include "base/mem.h"
#include "models/foragers/foragers.h"

#include <math.h>

#define CLUSTERS_TOLD 12 /* those with the largest |weight| */

/* Rows of the clusters' words: NAMES a cluster, UINT32_MAX where it has fewer. */
static const uint32_t *names_of(struct foragers *st)
{
    const struct clusters *c = st->clusters;

    if (st->names_of == c)
        return st->names;
    st->names_of = c;
    st->names = mem_resize(st->names, (size_t)c->k * NAMES, sizeof *st->names);
    for (uint32_t i = 0; i < c->k; i++) {
        uint32_t *rows = st->names + (size_t)i * NAMES;
        size_t n = clusters_telling(c, i, rows, NAMES);

        for (; n < NAMES; n++)
            rows[n] = UINT32_MAX;
    }
    return st->names;
}

static void spell_row(const struct model *m, uint32_t row, struct buf *out)
{
    const struct clusters *c = foragers_of(m)->clusters;

    if (c->stems && c->stems[row])
        buf_add_z(out, c->stems[row]);
    else
        (void)tell_spell(m, c->judge->ids[row], out);
}

static void tell_cluster(const struct model *m, struct json *j, uint32_t cluster, double weight)
{
    const uint32_t *rows = names_of(foragers_of(m)) + (size_t)cluster * NAMES;
    LOCAL_BUF name = BUF_INIT(KIB(1));

    for (int i = 0; i < NAMES && rows[i] != UINT32_MAX; i++) {
        buf_add_z(&name, i ? ", " : "");
        spell_row(m, rows[i], &name);
    }
    if (name.len == 0)
        buf_addf(&name, "cluster %u", cluster + 1);
    tell_word(j, buf_str(&name), weight);
}

static void tell_beliefs(const struct model *m, const struct forager *f, struct json *j)
{
    const struct clusters *c = foragers_of(m)->clusters;
    bool told[TD_K_MAX] = {false};

    if (c == NULL || c->k > f->td.k || c->k > TD_K_MAX)
        return;
    json_open_array(j, "keywords");
    for (uint32_t n = 0; n < CLUSTERS_TOLD && n < c->k; n++) {
        uint32_t best = UINT32_MAX;

        for (uint32_t i = 0; i < c->k; i++)
            if (!told[i] &&
                (best == UINT32_MAX || fabs(f->td.weights[i]) > fabs(f->td.weights[best])))
                best = i;
        told[best] = true;
        tell_cluster(m, j, best, f->td.weights[best]);
    }
    json_close(j);
    json_put_z(j, "weights",
               has_learning(f) ? "how much it has learned to expect from pages with such words"
                               : "how much it favours pages with such words: drawn at birth");
}

static void tell_weblog(const struct model *m, const struct forager *f, struct json *j)
{
    if (f->weblog.count == 0)
        return;
    json_open_array(j, "places");
    for (size_t i = 0; i < f->weblog.count && i < TELL_PLACES; i++)
        tell_place(m, j, f->weblog.entries[i].url, f->weblog.entries[i].value);
    json_close(j);
    json_put_z(j, "values", "where its paths begin, and what paths from there brought");
}

void foragers_tell(const struct model *m, uint32_t agent, struct json *j)
{
    const struct forager *f = forager_find(m, agent);

    if (f == NULL)
        return;
    tell_beliefs(m, f, j);
    json_open_array(j, "facts");
    tell_number(j, "score", "its score", (double)f->score * SCORE_UNIT);
    tell_number(j, "max_score", "the score at which it multiplies",
                (double)foragers_of(m)->rules.max * SCORE_UNIT);
    tell_number(j, "sent", "documents it sent", (double)f->sent);
    tell_number(j, "relevant", "of these new and on topic", (double)f->relevant);
    if (has_weblog(f))
        tell_number(j, "weblog", "places it may start from", (double)f->weblog.count);
    if (has_learning(f))
        tell_number(j, "lessons", "steps it has learned from", (double)f->td.steps);
    if (f->td.diverged)
        tell_text(j, "diverged", "its learning", STR("broke down: the weights stay as they are"));
    tell_number(j, "path", "paths it has begun", f->path.id);
    tell_number(j, "steps", "steps on the present one", (double)f->path.nsteps);
    if (f->path.nsteps > 0)
        tell_url(m, j, "start", "which began at", f->path.steps[0].url);
    tell_url(m, j, "to", f->looking ? "looks at" : "goes on to", f->to);
    json_close(j);
    tell_weblog(m, f, j);
}
