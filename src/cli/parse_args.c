/* parse_args.c - reads options from defaults, config file, environment and command line, in this
 * order; later values win. SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include "base/mem.h"
#include "base/str.h"

#include <stdlib.h>
#include <sys/stat.h>

static const char *nth_option(const void *ctx, size_t i)
{
    return ((const struct option *)ctx)[i].name;
}

/* Returns our name for an option of other crawlers. */
static const char *other_name(struct str name)
{
    static const char *const names[][2] = {
        {"max-pages", "pages"},
        {"limit", "pages"},
        {"count", "pages"},
        {"depth", "max-depth"},
        {"level", "max-depth"},
        {"output", "out"},
        {"dir", "out"},
        {"time", "for"},
        {"duration", "for"},
        {"max-time", "for"},
        {"url", "seed"},
        {"start", "seed"},
        {"include", "scope"},
        {"domains", "scope"},
        {"allow", "scope"},
        {"concurrency", "connections"},
        {"workers", "threads"},
        {"wait", "delay"},
        {"user-agent", "contact"},
        {"email", "contact"},
        {"resume", "out"},
        {"verbose", "quiet"},
        {"port", "dashboard"},
        {"format", "as"},
    };

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq(name, str_of(names[i][0])))
            return names[i][1];
    return NULL;
}

static enum status unknown_option(const struct command *c, struct str name)
{
    const char *near = other_name(name);

    if (near && option_find(c->options, str_of(near)) == NULL)
        near = NULL;
    if (near == NULL && c->not_taken && option_find(c->not_taken, name))
        return status_fail(ST_USAGE, "--%.*s is an option of 'brood crawl', not of 'brood %s'",
                           STR_ARG(name), c->name);
    if (near == NULL)
        near = c->options ? str_nearest(name, nth_option, c->options) : NULL;

    if (near)
        return status_fail(ST_USAGE, "unknown option --%.*s; did you mean --%s?", STR_ARG(name),
                           near);
    return status_fail(ST_USAGE, "unknown option --%.*s ('brood %s --help' lists them)",
                       STR_ARG(name), c->name);
}

static const struct option *find_letter(const struct option *table, char letter)
{
    for (; table && table->name; table++)
        if (table->letter == letter)
            return table;
    return NULL;
}

/* BROOD_MAX_DEPTH sets max-depth, and so on. */
static enum status apply_environment(const struct option *table, void *into)
{
    for (; table && table->name; table++) {
        char name[64] = "BROOD_";
        const char *value;
        size_t at = 6;

        for (const char *p = table->name; *p && at + 1 < sizeof name; p++)
            name[at++] = *p == '-' ? '_' : (char)(*p >= 'a' && *p <= 'z' ? *p - 32 : *p);
        name[at] = '\0';
        value = getenv(name);
        if (value && *value && option_set(table, into, str_of(value)) != ST_OK)
            return status_prefix(ST_USAGE, "environment variable %s", name);
    }
    return ST_OK;
}

struct walk {
    const struct command *command;
    struct invocation *in;
    char **argv;
    int argc, at;
    bool *help;
    const char *name;          /* of the current option */
    struct mistakes *mistakes; /* NULL: the first mistake ends it */
};

static enum status set_from_argv(struct walk *w, const struct option *o, struct str value, bool has)
{
    enum status st;

    w->name = o->name;
    if (!has && o->implied) {
        value = str_of(o->implied);
    } else if (!has && o->type != OPTION_FLAG) {
        if (w->at + 1 >= w->argc)
            return status_fail(ST_USAGE, "--%s needs a value (%s)", o->name,
                               o->metavar ? o->metavar : option_type_name(o->type));
        value = str_of(w->argv[++w->at]);
    }
    text_list_add(&w->in->given, str_of(o->name));
    st = option_set(o, w->in->options, value);
    return st == ST_OK ? ST_OK : status_fail(st, "--%s", status_text());
}

static enum status parse_long(struct walk *w, struct str text)
{
    struct str value = text, name;
    const struct option *o;
    bool has;

    (void)str_cut(&value, '=', &name);
    has = name.len < text.len;
    if (str_eq(name, STR("help"))) {
        *w->help = true;
        return ST_OK;
    }
    o = option_find(w->command->options, name);
    if (o == NULL)
        return unknown_option(w->command, name);
    return set_from_argv(w, o, has ? value : STR(""), has);
}

static enum status parse_short(struct walk *w, const char *text)
{
    const struct option *o;

    if (text[0] == 'h' && text[1] == '\0') {
        *w->help = true;
        return ST_OK;
    }
    o = find_letter(w->command->options, text[0]);
    if (o == NULL)
        return status_fail(ST_USAGE, "unknown option -%s ('brood %s --help' lists them)", text,
                           w->command->name);
    return set_from_argv(w, o, str_of(text + 1), text[1] != '\0');
}

static enum status parse_argv(struct walk *w)
{
    enum status st = ST_OK;
    bool only_args = false;

    for (w->at = 0; st == ST_OK && w->at < w->argc; w->at++) {
        const char *a = w->argv[w->at];

        w->name = "";
        if (only_args || a[0] != '-' || a[1] == '\0')
            text_list_add(&w->in->args, str_of(a));
        else if (strcmp(a, "--") == 0)
            only_args = true;
        else if (a[1] == '-')
            st = parse_long(w, str_of(a + 2));
        else
            st = parse_short(w, a + 1);
        if (w->mistakes) {
            mistakes_note(w->mistakes, w->name, st);
            st = ST_OK;
        }
    }
    return st;
}

/* With --nats there is no DIR. */
static bool asks_nodes(const struct command *c, const struct text_list *given)
{
    for (size_t i = 0; c->several && i < given->count; i++)
        if (strcmp(given->items[i], "nats") == 0)
            return true;
    return false;
}

bool command_is_crawl(const char *dir)
{
    struct buf path = BUF_INIT(1 << 16);
    struct stat info;
    bool is;

    buf_addf(&path, "%s/crawl.db", dir);
    is = !path.full && stat(path.data, &info) == 0;
    buf_free(&path);
    return is;
}

static enum status check_args(const struct command *c, const struct invocation *in)
{
    size_t count = in->args.count + asks_nodes(c, &in->given);

    if (count < c->min_args) {
        struct str rest = str_of(c->args), missing = STR("");

        for (size_t i = 0; i <= count; i++)
            (void)str_cut(&rest, ' ', &missing);
        return status_fail(ST_USAGE, "%.*s is missing: brood %s %s", STR_ARG(missing), c->name,
                           c->args);
    }
    if (count > c->max_args && c->max_args == 0)
        return status_fail(ST_USAGE, "brood %s takes no arguments", c->name);
    if (count > 1 && count > c->max_args && !c->several &&
        str_starts(str_of(c->args), STR("DIR")) && command_is_crawl(in->args.items[1]))
        return status_fail(ST_USAGE,
                           "brood %s takes one directory: 'brood merge' makes one crawl of several",
                           c->name);
    if (count > c->max_args && !c->several)
        return status_fail(ST_USAGE,
                           "too many arguments: brood %s %s (quote words that belong together)",
                           c->name, c->args);
    return ST_OK;
}

/* Finds --config, which must be read before the other options. */
static const char *find_config(const struct command *c, int argc, char **argv)
{
    const char *path = getenv("BROOD_CONFIG");

    if (option_find(c->options, STR("config")) == NULL)
        return NULL;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "--config=", 9) == 0)
            path = argv[i] + 9;
        else if (strcmp(argv[i], "--config") == 0 && i + 1 < argc)
            path = argv[i + 1];
    }
    return path;
}

/* Below the command line: defaults, the configuration, the environment. */
static enum status begin(const struct command *c, int argc, char **argv, struct invocation *ret)
{
    const char *config = find_config(c, argc, argv);

    *ret = (struct invocation){.command = c, .options = mem_zero(1, c->options_size)};
    options_init(c->options, ret->options);
    if (config)
        TRY(config_apply(config, c->options, ret->options));
    return apply_environment(c->options, ret->options);
}

enum status command_parse(const struct command *c, int argc, char **argv, struct invocation *ret,
                          bool *ret_help)
{
    struct walk w = {.command = c, .in = ret, .argv = argv, .argc = argc, .help = ret_help};
    enum status st = begin(c, argc, argv, ret);

    *ret_help = false;
    if (st == ST_OK)
        st = parse_argv(&w);
    if (st == ST_OK && !*ret_help)
        st = check_args(c, ret);
    return st;
}

void command_parse_all(const struct command *c, int argc, char **argv, struct invocation *ret,
                       struct mistakes *ret_mistakes)
{
    bool help;
    struct walk w = {.command = c,
                     .in = ret,
                     .argv = argv,
                     .argc = argc,
                     .help = &help,
                     .mistakes = ret_mistakes};

    mistakes_note(ret_mistakes, "", begin(c, argc, argv, ret));
    (void)!parse_argv(&w);
    mistakes_note(ret_mistakes, "", check_args(c, ret));
}

enum status invocation_check(struct invocation *in)
{
    struct mistakes mistakes = {0};
    enum status st;

    in->command->check(in, &mistakes);
    st = mistakes_status(&mistakes);
    mistakes_clear(&mistakes);
    return st;
}

void invocation_clear(struct invocation *in)
{
    if (in->options)
        options_free(in->command->options, in->options);
    free(in->options);
    text_list_free(&in->args);
    text_list_free(&in->given);
}
