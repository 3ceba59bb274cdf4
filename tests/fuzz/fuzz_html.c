/* fuzz_html.c - the tokenizer in all its states, and the decoder of slices.
 * SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "parse/html.h"

#include <assert.h>
#include <stdlib.h>

static void decode(struct str raw, unsigned how)
{
    char *out = mem_alloc(3 * raw.len + 1);

    assert(html_decode(raw, how, out) <= 3 * raw.len);
    free(out);
}

static void check(const struct html *h, struct str input)
{
    const struct html_token *t = &h->token;

    assert(t->text.ptr >= input.ptr && t->text.ptr + t->text.len <= input.ptr + input.len);
    assert(t->kind != HTML_TEXT || t->text.len > 0);
    decode(t->text, t->kind == HTML_TEXT ? t->how : HTML_AS_NAME);
    if (t->kind == HTML_START || t->kind == HTML_END)
        for (uint32_t i = 0; i < t->nattrs; i++)
            decode(t->attrs[i].value, HTML_AS_VALUE);
    if (t->kind == HTML_DOCTYPE)
        decode(t->public_id, HTML_AS_COMMENT);
}

/* The first byte chooses the state. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str input = {(const char *)data + 1, size - 1};
    const char *last;
    struct html *h;

    if (size == 0)
        return 0;
    h = mem_alloc(sizeof *h);
    html_init(h, input);
    input.ptr = last = h->at;
    html_enter(h, (enum html_state)(data[0] % (HTML_CDATA + 1)), STR("script"));
    h->foreign = data[0] & 64;
    while (html_next(h) != HTML_EOF) {
        check(h, input);
        assert(h->at > last); /* every token takes something */
        last = h->at;
        if (h->token.kind == HTML_START && data[0] & 32)
            html_enter(h, (enum html_state)(h->token.text.len % (HTML_CDATA + 1)), h->token.text);
    }
    free(h);
    return 0;
}
