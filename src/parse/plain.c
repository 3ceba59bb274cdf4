/* plain.c - the words of a snippet of HTML, as in feeds.
 *
 * In: what an RSS description or an Atom title holds. Out: plain text. html.c
 * cuts the snippet into tokens; texts are decoded right into the result and
 * folded there. Tags of blocks separate words, tags inside a line do not.
 *
 * Workload: two or three calls an entry, 50 bytes to some KB each.
 * SPDX-License-Identifier: MIT
 */
#include "parse/plain.h"

#include "base/mem.h"
#include "parse/html.h"

static const struct str blocks[] = {
    STR("p"),     STR("br"),      STR("div"),        STR("li"),     STR("tr"),
    STR("td"),    STR("th"),      STR("ul"),         STR("ol"),     STR("hr"),
    STR("table"), STR("pre"),     STR("blockquote"), STR("h1"),     STR("h2"),
    STR("h3"),    STR("h4"),      STR("h5"),         STR("h6"),     STR("dt"),
    STR("dd"),    STR("section"), STR("article"),    STR("figure"), STR("figcaption"),
};

bool plain_is_block(struct str tag)
{
    for (size_t i = 0; i < ARRAY_LEN(blocks); i++)
        if (str_eq_i(tag, blocks[i]))
            return true;
    return false;
}

/* Folds the white space of `n` bytes at `from` into out[0 .. len), no-break spaces included. */
static size_t fold(char *out, size_t len, const char *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool wide = from[i] == '\xc2' && i + 1 < n && from[i + 1] == '\xa0';

        if (!wide && !ascii_is_space(from[i])) {
            out[len++] = from[i];
            continue;
        }
        i += wide;
        if (len && out[len - 1] != ' ')
            out[len++] = ' ';
    }
    return len;
}

/* Writes the words of the markup; out has room for three times the snippet. html_decode() may work
 * in place, since it never writes beyond what it has read. */
static size_t strip(struct str snippet, char *out)
{
    struct html h;
    size_t len = 0;
    bool hidden = false;

    html_init(&h, snippet);
    while (html_next(&h) != HTML_EOF) {
        struct html_token *t = &h.token;

        if (t->kind == HTML_TEXT && !hidden) {
            size_t n = html_decode(t->text, t->how, out + len);
            len = fold(out, len, out + len, n);
            continue;
        }
        if (t->kind == HTML_START && !t->self_closing) {
            hidden = str_eq_i(t->text, STR("script")) || str_eq_i(t->text, STR("style"));
            if (hidden)
                html_enter(&h, HTML_RAWTEXT, t->text);
        } else if (t->kind == HTML_END) {
            hidden = false;
        }
        if ((t->kind == HTML_START || t->kind == HTML_END) && plain_is_block(t->text) && len &&
            out[len - 1] != ' ')
            out[len++] = ' ';
    }
    return len;
}

/* Returns the length without the bytes of a character that was cut in two. */
static size_t cut_between(const char *s, size_t len, size_t max)
{
    if (len <= max)
        return len;
    while (max > 0 && ((unsigned char)s[max] & 0xc0) == 0x80)
        max--;
    return max;
}

struct str plain_text(struct str snippet, bool is_markup, size_t max, struct arena *arena)
{
    size_t cap = 3 * snippet.len + 8, len;
    char *out = arena_alloc(arena, cap);

    if (out == NULL)
        return (struct str){NULL, 0};
    len = is_markup ? strip(snippet, out) : fold(out, 0, snippet.ptr, snippet.len);
    len = cut_between(out, len, max);
    if (len && out[len - 1] == ' ')
        len--;
    out[len] = '\0';
    arena_trim(arena, out, cap, len + 1);
    return (struct str){out, len};
}
