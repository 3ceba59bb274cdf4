/* The header block of a reply. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "parse/http/head.h"

#include <stdlib.h>

struct read {
    struct arena arena;
    struct reply reply;
    struct head_facts facts;
};

static void read_head(struct read *r, struct str head)
{
    *r = (struct read){.reply.head = head};
    arena_init(&r->arena, MIB(64));
    head_read(&r->reply, &r->arena, &r->facts);
}

static void all_fields_are_found_in_one_pass(void **state)
{
    struct read r;

    (void)state;
    read_head(&r, STR("HTTP/1.1 301 Moved Permanently\r\n"
                      "CONTENT-TYPE: text/html; charset=utf-8\r\n"
                      "content-encoding:gzip\r\n"
                      "Location:  /there \t\r\n"
                      "ETag: W/\"1\"\r\n"
                      "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                      "Retry-After: 120\r\n"
                      "X-Robots-Tag: noindex\r\n"
                      "Link: </c>; rel=canonical\r\n"
                      "Content-Language: de\r\n"
                      "Content-Length: 42\r\n"
                      "Set-Cookie: a=b\r\n"
                      "Set-Cookie: c=d\r\n"
                      "\r\n"));
    assert_int_equal(r.reply.status, 301);
    assert_str(r.reply.content_type, "text/html; charset=utf-8");
    assert_str(r.reply.content_encoding, "gzip");
    assert_str(r.reply.location, "/there");
    assert_str(r.reply.etag, "W/\"1\"");
    assert_str(r.reply.last_modified, "Sun, 06 Nov 1994 08:49:37 GMT");
    assert_str(r.reply.retry_after, "120");
    assert_str(r.reply.robots_tag, "noindex");
    assert_str(r.reply.link, "</c>; rel=canonical");
    assert_str(r.reply.content_language, "de");
    assert_int_equal(r.facts.length, 42);
    assert_int_equal(r.facts.cookies, 2);
    arena_free(&r.arena);
}

static void lists_are_joined_and_of_the_rest_the_last_one_counts(void **state)
{
    struct read r;

    (void)state;
    read_head(&r, STR("HTTP/2 200 \r\ncontent-type: text/plain\r\ncontent-type: text/html\r\n"
                      "x-robots-tag: noindex\r\nlink: <a>\r\nx-robots-tag: bot: nofollow\r\n"
                      "x-robots-tag: none\r\nlink: <b>\r\ncontent-encoding: br\r\n"
                      "content-encoding: gzip\r\n\r\n"));
    assert_int_equal(r.reply.status, 200);
    assert_str(r.reply.content_type, "text/html");
    assert_str(r.reply.robots_tag, "noindex\n bot: nofollow\n none");
    assert_str(r.reply.link, "<a>, <b>");
    assert_str(r.reply.content_encoding, "br, gzip");
    assert_int_equal(r.facts.length, -1);
    arena_free(&r.arena);
}

static void a_joined_field_has_a_ceiling(void **state)
{
    struct buf head = BUF_INIT(MIB(1));
    struct read r;

    (void)state;
    buf_add_z(&head, "HTTP/1.1 200 OK\r\n");
    for (int i = 0; i < 5000; i++)
        buf_add_z(&head, "X-Robots-Tag: something\r\nLink: <something>\r\n");
    read_head(&r, buf_str(&head));
    assert_true(r.reply.robots_tag.len > 4000 && r.reply.robots_tag.len <= HEAD_JOINED);
    arena_free(&r.arena);
    buf_free(&head);
}

static void strange_lines_are_passed_over(void **state)
{
    struct read r;

    (void)state;
    read_head(&r, STR("HTTP/1.0 200\nno colon\n: no name\n Location: /folded\nLocation : /space\n"
                      "Content-Length: 12x\nETag:\n"));
    assert_int_equal(r.reply.status, 200);
    assert_int_equal(r.reply.location.len, 0);
    assert_int_equal(r.reply.etag.len, 0);
    assert_int_equal(r.facts.length, -1);
    arena_free(&r.arena);
    read_head(&r, STR(""));
    assert_int_equal(r.reply.status, 0);
    arena_free(&r.arena);
}

static void status_lines_are_read_strictly(void **state)
{
    (void)state;
    assert_int_equal(head_status(STR("HTTP/1.1 404 Not Found\r\n")), 404);
    assert_int_equal(head_status(STR("HTTP/2 200 \r\n")), 200);
    assert_int_equal(head_status(STR("HTTP/1.1 20\r\n")), 0);
    assert_int_equal(head_status(STR("HTTP/1.1 abc")), 0);
    assert_int_equal(head_status(STR("ICY 200 OK")), 0);
    assert_int_equal(head_status(STR("HTTP/1.1")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_fields_are_found_in_one_pass),
        cmocka_unit_test(lists_are_joined_and_of_the_rest_the_last_one_counts),
        cmocka_unit_test(a_joined_field_has_a_ceiling),
        cmocka_unit_test(strange_lines_are_passed_over),
        cmocka_unit_test(status_lines_are_read_strictly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
