/* use.c - what the owner of a page wishes for its use.
 *
 * In: values of fields, attributes and lines, all of them hostile. Out: a list of pieces that
 * are safe to show: printable ASCII without commas. Workload: next to nothing, on few pages.
 *
 * Sources: contentsignals.org; the drafts of the IETF's AIPREF group (Content-Usage); the TDM
 * Reservation Protocol of a W3C community group, 2024; RSL 1.0 (rslstandard.org); noai and
 * noimageai as sites use them since 2022. Limit: a Content-Usage line for one path is left out.
 * SPDX-License-Identifier: MIT */
#include "parse/use.h"

#include "base/limits.h"
#include "base/mem.h"
#include "flow.h"

#define PIECE_MAX 300

static bool has_piece(struct str list, struct str piece)
{
    struct str one;

    while (str_cut(&list, ',', &one))
        if (str_eq(str_trim(one), piece))
            return true;
    return false;
}

/* Adds a name, or name=value. */
static void add_piece(struct buf *out, struct str name, struct str value)
{
    char text[PIECE_MAX];
    size_t len = name.len + (value.len ? 1 + value.len : 0);
    struct str piece = {text, len};

    if (len == 0 || len > sizeof text || out->len + len + 2 > LIMIT_USE)
        return;
    memcpy(text, name.ptr, name.len);
    if (value.len) {
        text[name.len] = '=';
        memcpy(text + name.len + 1, value.ptr, value.len);
    }
    for (size_t i = 0; i < len; i++)
        if (text[i] <= ' ' || text[i] >= 0x7f || text[i] == ',')
            return;
    if (has_piece(buf_str(out), piece))
        return;
    buf_add_z(out, out->len ? ", " : "");
    buf_add_str(out, piece);
}

/* ---- signals ---- */

static const struct {
    struct str written, name;
} signals[] = {
    {STR("search"), STR("search")},     {STR("ai-input"), STR("ai-input")},
    {STR("ai-train"), STR("ai-train")}, {STR("train-ai"), STR("ai-train")},
    {STR("ai-use"), STR("ai-input")},   {STR("use-ai"), STR("ai-input")},
};

static struct str answer(struct str value)
{
    if (str_eq_i(value, STR("yes")) || str_eq_i(value, STR("y")))
        return STR("yes");
    return str_eq_i(value, STR("no")) || str_eq_i(value, STR("n")) ? STR("no") : STR("");
}

void use_add_signals(struct buf *out, struct str value)
{
    struct str part;

    while (str_cut(&value, ',', &part)) {
        struct str name = {NULL, 0}, said;

        if (!str_cut(&part, '=', &name))
            continue;
        name = str_trim(name);
        said = answer(str_trim(part));
        for (size_t i = 0; i < ARRAY_LEN(signals) && said.len; i++)
            if (str_eq_i(name, signals[i].written))
                add_piece(out, signals[i].name, said);
    }
}

/* ---- tags ---- */

void use_add_tags(struct buf *out, unsigned robots)
{
    if (robots & ROBOTS_NOAI)
        add_piece(out, STR("noai"), STR(""));
    if (robots & ROBOTS_NOIMAGEAI)
        add_piece(out, STR("noimageai"), STR(""));
}

void use_add_tdm(struct buf *out, struct str name, struct str value)
{
    value = str_trim(value);
    if (str_eq_i(name, STR("tdm-policy")) && value.len > 0)
        add_piece(out, STR("tdm-policy"), value);
    else if (str_eq(value, STR("0")) || str_eq(value, STR("1")))
        add_piece(out, STR("tdm-reservation"), value);
}

void use_add_license(struct buf *out, struct str url)
{
    url = str_trim(url);
    if (url.len > 0)
        add_piece(out, STR("license"), url);
}

void use_join(struct buf *out, struct str list)
{
    struct str one;

    while (str_cut(&list, ',', &one))
        add_piece(out, str_trim(one), STR(""));
}

/* ---- queries ---- */

bool use_has(struct str list, struct str name)
{
    struct str one, key;

    while (str_cut(&list, ',', &one)) {
        one = str_trim(one);
        if (str_cut(&one, '=', &key) && str_eq(key, name))
            return true;
    }
    return false;
}

bool use_reserves(struct str list, enum use use)
{
    static const char *const against[USES][4] = {
        [USE_SEARCH] = {"search=no"},
        [USE_AI_INPUT] = {"ai-input=no", "noai", "tdm-reservation=1"},
        [USE_AI_TRAIN] = {"ai-train=no", "noai", "tdm-reservation=1"},
    };

    for (size_t i = 0; against[use][i]; i++)
        if (has_piece(list, str_of(against[use][i])))
            return true;
    return false;
}
