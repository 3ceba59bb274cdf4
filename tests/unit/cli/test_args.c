/* Defaults, config file, environment, command line: the later wins.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/os/file.h"
#include "base/mem.h"
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>

struct knobs {
    int64_t depth;
    char *name, *config;
    struct text_list item;
    bool loud;
};

#define AT(field) .offset = offsetof(struct knobs, field)

static const struct option knob_table[] = {
    {.name = "test-depth",
     .letter = 'd',
     .type = OPTION_INT,
     .metavar = "N",
     .fallback = "1",
     .min = 0,
     .max = 100,
     .help = "how deep",
     AT(depth)},
    {.name = "name", .type = OPTION_TEXT, .metavar = "X", .help = "a name", AT(name)},
    {.name = "config", .type = OPTION_TEXT, .metavar = "FILE", .help = "options", AT(config)},
    {.name = "item", .type = OPTION_LIST, .metavar = "X", .help = "things", AT(item)},
    {.name = "loud", .type = OPTION_FLAG, .help = "say more", AT(loud)},
    {.name = NULL},
};

static const struct command knob_command = {
    .name = "knob",
    .args = "DIR",
    .summary = "a command for the tests",
    .details = "Two sentences. And more.",
    .example = "brood knob x",
    .options = knob_table,
    .options_size = sizeof(struct knobs),
    .min_args = 1,
    .max_args = 2,
};

const struct command *const command_table[] = {&knob_command, NULL};

struct parsed {
    struct invocation in;
    bool help;
    enum status st;
};

static struct parsed parse(const char *const argv[])
{
    struct parsed p = {.help = false};
    int argc = 0;

    while (argv[argc])
        argc++;
    p.st = command_parse(&knob_command, argc, (char **)argv, &p.in, &p.help);
    return p;
}
#define parse(...) parse((const char *const[]){__VA_ARGS__, NULL})

static const struct knobs *knobs(const struct parsed *p)
{
    return p->in.options;
}

static void options_and_arguments_mix(void **state)
{
    struct parsed p = parse("a", "--test-depth=7", "--loud", "--item", "x", "b", "--item=y,z");

    (void)state;
    assert_int_equal(p.st, ST_OK);
    assert_int_equal(p.in.args.count, 2);
    assert_string_equal(p.in.args.items[1], "b");
    assert_int_equal(knobs(&p)->depth, 7);
    assert_true(knobs(&p)->loud);
    assert_int_equal(knobs(&p)->item.count, 2);
    assert_string_equal(knobs(&p)->item.items[1], "y,z");
    invocation_clear(&p.in);
}

static void letters_take_their_value_with_or_without_a_space(void **state)
{
    struct parsed p = parse("a", "-d", "3"), q = parse("a", "-d4"), r = parse("a", "-x");

    (void)state;
    assert_int_equal(knobs(&p)->depth, 3);
    assert_int_equal(knobs(&q)->depth, 4);
    assert_int_equal(r.st, ST_USAGE);
    invocation_clear(&p.in);
    invocation_clear(&q.in);
    invocation_clear(&r.in);
}

static void two_dashes_end_the_options(void **state)
{
    struct parsed p = parse("--", "--test-depth", "-d"), q = parse("-");

    (void)state;
    assert_int_equal(p.st, ST_OK);
    assert_string_equal(p.in.args.items[0], "--test-depth");
    assert_int_equal(q.st, ST_OK);
    assert_string_equal(q.in.args.items[0], "-");
    invocation_clear(&p.in);
    invocation_clear(&q.in);
}

static void what_is_wrong_is_said(void **state)
{
    static const struct {
        const char *argv[3], *says;
    } cases[] = {
        {{"a", "--dept", "3"}, "--dept"},
        {{"a", "--test-depht"}, "did you mean --test-depth?"},
        {{"a", "--test-depth"}, "--test-depth needs a value (N)"},
        {{"a", "--test-depth=101"}, "0 to 100"},
        {{"a", "--test-depth="}, "--test-depth"},
        {{"a", "--loud=maybe"}, "maybe"},
        {{NULL}, "brood knob DIR"},
        {{"a", "b", "c"}, "too many arguments"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *argv[4] = {cases[i].argv[0], cases[i].argv[1], cases[i].argv[2], NULL};
        struct parsed p = (parse)(argv);

        assert_int_equal(p.st, ST_USAGE);
        if (strstr(status_text(), cases[i].says) == NULL)
            fail_msg("'%s' does not say '%s'", status_text(), cases[i].says);
        invocation_clear(&p.in);
    }
}

static void help_needs_no_arguments(void **state)
{
    struct parsed p = parse("--help"), q = parse("-h");

    (void)state;
    assert_true(p.st == ST_OK && p.help && q.st == ST_OK && q.help);
    invocation_clear(&p.in);
    invocation_clear(&q.in);
}

static void the_later_place_wins(void **state)
{
    char path[300], option[320];
    struct parsed p;

    (void)state;
    (void)snprintf(path, sizeof path, "%s/c.yaml", test_dir());
    (void)snprintf(option, sizeof option, "--config=%s", path);
    assert_int_equal(file_write(path, STR("test-depth: 2\nname: file\nitem: [a, b]\nloud: true\n")),
                     ST_OK);
    p = parse("x", option);
    assert_int_equal(p.st, ST_OK);
    assert_int_equal(knobs(&p)->depth, 2);
    assert_int_equal(knobs(&p)->item.count, 2);
    assert_true(knobs(&p)->loud);
    invocation_clear(&p.in);
    (void)setenv("BROOD_TEST_DEPTH", "3", 1);
    p = parse("x", option);
    assert_int_equal(knobs(&p)->depth, 3);
    assert_string_equal(knobs(&p)->name, "file");
    invocation_clear(&p.in);
    p = parse("x", option, "--test-depth", "4");
    assert_int_equal(knobs(&p)->depth, 4);
    invocation_clear(&p.in);
    (void)setenv("BROOD_TEST_DEPTH", "deep", 1);
    p = parse("x");
    assert_int_equal(p.st, ST_USAGE);
    assert_non_null(strstr(status_text(), "BROOD_TEST_DEPTH"));
    invocation_clear(&p.in);
    (void)unsetenv("BROOD_TEST_DEPTH");
}

static void a_config_that_is_wrong_names_its_line(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"test-depth: 1\nnme: x\n", ":2: unknown option 'nme'"},
        {"\n\ntest-depth: [1, 2]\n", ":3:"},
        {"name: {a: b}\n", ":1:"},
        {"- a\n- b\n", ":1:"},
        {"just words\n", ":1:"},
        {"name: 'open\n", ":"},
        {"test-depth: 1000\n", "0 to 100"},
        {"name: *alias\n", ":1:"},
    };
    char path[300];

    (void)state;
    (void)snprintf(path, sizeof path, "%s/c.yaml", test_dir());
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct knobs k = {0};

        assert_int_equal(file_write(path, str_of(cases[i].text)), ST_OK);
        assert_int_equal(config_apply(path, knob_table, &k), ST_USAGE);
        if (strstr(status_text(), cases[i].says) == NULL || strstr(status_text(), path) == NULL)
            fail_msg("'%s' does not say '%s'", status_text(), cases[i].says);
        options_free(knob_table, &k);
    }
}

struct places {
    struct text_list hosts, header;
};

static const struct option place_table[] = {
    {.name = "hosts", .type = OPTION_LIST, .offset = offsetof(struct places, hosts)},
    {.name = "header", .type = OPTION_LIST, .offset = offsetof(struct places, header)},
    {.name = NULL},
};

static void settings_of_hosts_are_mappings(void **state)
{
    static const char text[] = "hosts:\n"
                               "  docs.example.org: {delay: 5s, pages: 200}\n"
                               "  \"*.example.net\":\n"
                               "    connections: 2\n"
                               "  example.com:\n"
                               "    headers: [\"A: b\", \"C: d e\"]\n"
                               "header: [\"E: f\"]\n";
    struct places p = {0};

    (void)state;
    assert_int_equal(config_read(STR(text), "t.yaml", place_table, &p), ST_OK);
    assert_int_equal(p.hosts.count, 2);
    assert_string_equal(p.hosts.items[0], "docs.example.org delay=5s pages=200");
    assert_string_equal(p.hosts.items[1], "*.example.net connections=2");
    assert_int_equal(p.header.count, 3);
    assert_string_equal(p.header.items[1], "example.com C: d e");
    assert_string_equal(p.header.items[2], "E: f");
    assert_int_equal(
        config_read(STR("hosts:\n  a.org:\n    delay: [1s, 2s]\n"), "t.yaml", place_table, &p),
        ST_USAGE);
    assert_non_null(strstr(status_text(), "t.yaml:3: this option takes one value, not a list"));
    options_free(place_table, &p);
}

static void help_and_manual_come_from_the_table(void **state)
{
    struct buf out = BUF_INIT(1 << 20);

    (void)state;
    help_command(&knob_command, &out);
    assert_non_null(strstr(out.data, "usage: brood knob DIR"));
    assert_non_null(strstr(out.data, "--test-depth N"));
    buf_clear(&out);
    help_man(&knob_command, &out);
    assert_non_null(strstr(out.data, ".TH"));
    assert_non_null(strstr(out.data, "test\\-depth"));
    buf_clear(&out);
    assert_int_equal(help_completion("bash", &out), ST_OK);
    assert_non_null(strstr(out.data, "--test-depth"));
    buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_and_arguments_mix),
        cmocka_unit_test(letters_take_their_value_with_or_without_a_space),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(help_needs_no_arguments),
        cmocka_unit_test(the_later_place_wins),
        cmocka_unit_test(a_config_that_is_wrong_names_its_line),
        cmocka_unit_test(settings_of_hosts_are_mappings),
        cmocka_unit_test(help_and_manual_come_from_the_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
