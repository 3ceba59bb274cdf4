/* What is a secret, and how it is shown. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/mem.h"
#include "base/os/secret.h"

#include <stdlib.h>

static void names_tell_what_is_a_secret(void **state)
{
    static const char *const secret[] = {
        "Authorization", "Cookie",           "X-Api-Key",    "api_key",  "apikey",
        "key",           "access_token",     "X-Auth",       "password", "pwd",
        "X-Signature",   "WWW-Authenticate", "X-Session-Id", "X-JWT",    "bearer"};
    static const char *const open[] = {"Accept-Language", "User-Agent", "From",  "X-Author", "q",
                                       "keywords",        "passe",      "signal"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(secret); i++)
        assert_true(secret_name(str_of(secret[i])));
    for (size_t i = 0; i < ARRAY_LEN(open); i++)
        assert_false(secret_name(str_of(open[i])));
}

static const struct {
    enum secret_kind kind;
    const char *text, *shown;
} shown[] = {
    {SECRET_NONE, "http://me:pw@a.org/?key=1", "http://me:pw@a.org/?key=1"},
    {SECRET_LOGIN, "http://me:pw@a.org/x?key=1", "http://***@a.org/x?key=1"},
    {SECRET_LOGIN, "me:p@w@a.org/x@y", "***@a.org/x@y"},
    {SECRET_LOGIN, "http://a.org/@me?a@b", "http://a.org/@me?a@b"},
    {SECRET_URL, "http://me@a.org:3128", "http://***@a.org:3128"},
    {SECRET_URL, "http://a.org", "http://a.org"},
    {SECRET_URL, "https://a.org/s?key=abc&q={}&token=x;sig=1#access_token=2",
     "https://a.org/s?key=***&q={}&token=***;sig=***#access_token=***"},
    {SECRET_URL, "https://a.org/s?key={}&x&=1", "https://a.org/s?key={}&x&=1"},
    {SECRET_HEADER, "Accept-Language: de", "Accept-Language: de"},
    {SECRET_HEADER, "Authorization: Basic x", "Authorization: ***"},
    {SECRET_HEADER, "a.org X-Team: red", "a.org X-Team: red"},
    {SECRET_HEADER, "a.org:8443 cookie:a=b; c=d", "a.org:8443 cookie: ***"},
    {SECRET_HEADER, "[::1]:80 X-Key: 1", "[::1]:80 X-Key: ***"},
    {SECRET_HEADER, "http://a.org X-Key: 1", "http://a.org X-Key: ***"},
    {SECRET_HEADER, "X-Team: @team.txt", "X-Team: ***"},
    {SECRET_HEADER, "X-Team: @@red", "X-Team: @@red"},
    {SECRET_HEADER, "X-Time:12:30 or 13:30", "X-Time:12:30 or 13:30"},
    {SECRET_HEADER, "Bearer abc", "***"},
};

static void what_is_shown_holds_no_secret_and_stays_as_it_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
        struct buf once = BUF_INIT(1000), twice = BUF_INIT(1000);

        secret_hide(shown[i].kind, str_of(shown[i].text), &once);
        assert_str(buf_str(&once), shown[i].shown);
        secret_hide(shown[i].kind, buf_str(&once), &twice);
        assert_str(buf_str(&twice), shown[i].shown);
        assert_int_equal(secret_is_hidden(shown[i].kind, buf_str(&once)),
                         strcmp(shown[i].text, shown[i].shown) != 0);
        buf_free(&once);
        buf_free(&twice);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_tell_what_is_a_secret),
        cmocka_unit_test(what_is_shown_holds_no_secret_and_stays_as_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
