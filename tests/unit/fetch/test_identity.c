/* Signed requests: the key's number, what is covered, which files are taken. Whether others accept
 * the signatures is asked in tests/flow/identity.mjs. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "fetch/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* RFC 8037, A.1: the private key, as PKCS #8. */
static const char rfc_key[] = "-----BEGIN PRIVATE KEY-----\n"
                              "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
                              "-----END PRIVATE KEY-----\n";

/* One that has a password, which nobody must be asked for. */
static const char locked_key[] =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAi8TU21DvkWvAICCAAw\n"
    "DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEErMYGN4tTuTewP6GbR55nYEQFoz\n"
    "G8q3YyWdpaKhxYg/nSzKIMDW+em1et18mlZjnvQ38AJyIYnjTWnEPzFFAcU8a9xk\n"
    "YE8gM6xFHZ2hv0icbFo=\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

static char path[500];

static const char *with(const char *text, mode_t mode)
{
    static int number;
    FILE *f;

    (void)snprintf(path, sizeof path, "%s/key%d", test_dir(), number++);
    f = fopen(path, "w");
    assert_non_null(f);
    (void)fputs(text, f);
    (void)fclose(f);
    assert_int_equal(chmod(path, mode), 0);
    return path;
}

static struct identity *rfc_identity(void)
{
    struct buf text = BUF_INIT(1000);
    struct identity *id;

    buf_addf(&text, "agent: https://bot.example.org\n%s", rfc_key);
    assert_int_equal(identity_load(with(text.data, 0600), &id), ST_OK);
    buf_free(&text);
    return id;
}

static void the_thumbprint_is_that_of_rfc_8037(void **state)
{
    struct identity *id = rfc_identity();

    (void)state;
    assert_string_equal(identity_keyid(id), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    assert_string_equal(identity_agent(id), "https://bot.example.org");
    identity_free(id);
}

static void a_signature_lasts_five_minutes_and_is_another_every_time(void **state)
{
    struct identity *id = rfc_identity();
    struct identity_lines a = {BUF_INIT(1000), BUF_INIT(1000), BUF_INIT(1000)}, b = a;
    struct request r = {
        .href = STR("http://h.example:81/p?q"), .host = STR("h.example"), .port = 81};

    (void)state;
    assert_true(identity_sign(id, &r, NULL, 1700000000999999, &a));
    assert_true(identity_sign(id, &r, "fish", 1700000000999999, &b));
    assert_non_null(strstr(a.input.data, "created=1700000000;expires=1700000300;"));
    assert_null(strstr(a.input.data, "crawl-purpose"));
    assert_non_null(strstr(b.input.data, "\"crawl-purpose\")"));
    assert_string_not_equal(a.signature.data, b.signature.data);
    buf_free(&a.agent), buf_free(&a.input), buf_free(&a.signature);
    buf_free(&b.agent), buf_free(&b.input), buf_free(&b.signature);
    identity_free(id);
}

static void other_files_are_refused(void **state)
{
    struct identity *id = NULL;
    char text[1000];

    (void)state;
    assert_int_equal(identity_load("/nowhere/key", &id), ST_MISSING);
    assert_int_equal(identity_load(test_dir(), &id), ST_INVALID);
    assert_int_equal(identity_load(with("", 0600), &id), ST_INVALID);
    assert_int_equal(identity_load(with(rfc_key, 0600), &id), ST_INVALID);
    assert_int_equal(identity_load(with("agent: https://a.example/path\n", 0600), &id), ST_INVALID);
    assert_int_equal(identity_load(with("agent: https://a.example\nx", 0600), &id), ST_INVALID);
    assert_int_equal(identity_load(with("agent: https://a.example\n", 0604), &id), ST_REFUSED);
    (void)snprintf(text, sizeof text, "agent: https://a.example\n%s", locked_key);
    assert_int_equal(identity_load(with(text, 0600), &id), ST_INVALID);
    assert_non_null(strstr(status_text(), "without a password"));
    assert_null(id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_thumbprint_is_that_of_rfc_8037),
        cmocka_unit_test(a_signature_lasts_five_minutes_and_is_another_every_time),
        cmocka_unit_test(other_files_are_refused),
    };

    return cmocka_run_group_tests_name("fetch identity", tests, NULL, NULL);
}
