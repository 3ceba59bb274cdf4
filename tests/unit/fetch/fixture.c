/* fixture.c - a fetcher with a server to ask. SPDX-License-Identifier: MIT */
#include "fixture.h"

void fixture_init(struct fixture *f, server_fn *fn)
{
    *f = (struct fixture){.config = {.threads = 2,
                                     .connections = 8,
                                     .timeout = 300 * US_PER_S,
                                     .connect_timeout = 100 * US_PER_S,
                                     .user_agent = "brood/test",
                                     .allow_private = true}};
    if (fn != NULL)
        f->server = server_start(fn);
}

void fixture_start(struct fixture *f)
{
    assert_int_equal(fetch_web.start(&f->config, &f->fetch), ST_OK);
}

void fixture_end(struct fixture *f)
{
    if (f->fetch != NULL)
        fetch_web.stop(f->fetch);
    if (f->server != NULL)
        server_stop(f->server);
}

struct request *fixture_request(struct fixture *f, const char *host, const char *path)
{
    struct buf href = BUF_INIT(LIMIT_URL);
    struct request *r;

    buf_addf(&href, "http://%s:%u%s", host, (unsigned)server_port(f->server), path);
    r = request_new(REQUEST_PAGE, buf_str(&href), str_of(host), STR(""), STR(""));
    r->port = r->connect_port = server_port(f->server);
    r->address = (struct address){4, {127, 0, 0, 1}};
    buf_free(&href);
    return r;
}

struct arrival *fixture_ask(struct fixture *f, struct request *r)
{
    struct arrival *a = NULL;

    assert_true(fetch_web.submit(f->fetch, r));
    assert_int_equal(fetch_web.take(f->fetch, &a, 1, 600 * US_PER_S), 1);
    assert_ptr_equal(a->request, r);
    return a;
}

struct arrival *fixture_get(struct fixture *f, const char *path)
{
    return fixture_ask(f, fixture_request(f, "site.test", path));
}
