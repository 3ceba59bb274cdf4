/* Anybody at the callback, with any request: what is not signed counts for nothing, and nothing
 * but a challenge comes back. The first byte says what kind of request it is; lines are its parts.
 * SPDX-License-Identifier: MIT */
#include "crawl/watch/push.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct hub hub = {STR("https://hub.example/"), STR("http://f.example/feed"), false};
    struct str rest = {(const char *)data, size}, path = STR(""), query = STR(""), line = STR("");
    struct buf where = BUF_INIT(10000), form = BUF_INIT(10000), token = BUF_INIT(1000);
    struct buf answer = BUF_INIT(10000), path_of = BUF_INIT(1 << 20);
    struct push_request r = {0};
    struct push *p;
    unsigned code;

    if (size == 0 || push_new("https://w.example/hook", NULL, false, &p) != ST_OK)
        return 0;
    push_want(p, hub.topic, &hub, 1);
    if (!push_ask(p, 1, &where, &form) || !push_field(buf_str(&form), STR("hub.callback"), &token))
        abort();
    rest = str_sub(rest, 1, rest.len);
    (void)str_cut(&rest, '\n', &path);
    (void)str_cut(&rest, '\n', &query);
    (void)str_cut(&rest, '\n', &line);
    buf_add_str(&path_of, data[0] & 1 ? path : buf_str(&token)); /* half of them know the address */
    r = (struct push_request){.is_post = data[0] & 2,
                              .path = buf_str(&path_of),
                              .query = query,
                              .signature = line,
                              .body = rest};
    code = push_answer(p, &r, 2, &answer);
    if (code != 200 && code != 202 && code != 404 && code != 410)
        abort();
    if ((answer.len > 0 && code != 200) || answer.len > query.len || push_counts(p).told != 0)
        abort();
    push_free(p);
    buf_free(&where);
    buf_free(&form);
    buf_free(&token);
    buf_free(&answer);
    buf_free(&path_of);
    return 0;
}
