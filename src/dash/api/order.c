/* order.c - turns what the form sent into the arguments of a command. See order.h.
 * SPDX-License-Identifier: MIT */
#include "dash/api/order.h"

#include "base/limits.h"
#include "base/mem.h"

#include <stdio.h>

#define FIELD_MAX KIB(16) /* a topic, an option's value */
#define LIST_MAX  1000

enum shape { ONE, LIST, FLAG, PAIRS };

static const struct member {
    const char *name;   /* in the body; "limits.x" is in the object `limits` */
    const char *option; /* of the command */
    enum shape shape;
    bool watch_only;
} members[] = {
    {"topic", "words", ONE, false}, /* the argument */
    {"topic_file", "topic", ONE, false},
    {"seeds", "seed", LIST, false},
    {"search", "search", ONE, false},
    {"search_queries", "search-queries", ONE, false},
    {"search_hits", "search-hits", ONE, false},
    {"model", "model", ONE, false},
    {"set", "set", PAIRS, false},
    {"limits.pages", "pages", ONE, false},
    {"limits.for", "for", ONE, false},
    {"limits.bytes", "bytes", ONE, false},
    {"relevant", "relevant", ONE, false},
    {"delay", "delay", ONE, false},
    {"max_depth", "max-depth", ONE, false},
    {"lang", "lang", ONE, false},
    {"scope", "scope", LIST, false},
    {"exclude", "exclude", LIST, false},
    {"contact", "contact", ONE, false},
    {"resolve", "resolve", LIST, false},
    {"allow_private", "allow-private", FLAG, false},
    {"max_age", "max-age", ONE, true},
    {"changes", "changes", ONE, true},
    {"quiet_hours", "quiet-hours", ONE, true},
};

static const char limits_prefix[] = "limits.";

/* ---- values -------------------------------------------------------------- */

static void mistake(struct run_order *o, const char *name, const char *sentence)
{
    mistakes_note(&o->mistakes, name, status_fail(ST_USAGE, "%s", sentence));
}

/* Gets a plain value as text; returns false if it is not one. An empty value counts as not
 * given. */
static bool value_text(const json_t *value, struct buf *out)
{
    const char *text = json_string_value(value);

    if (text &&
        (json_string_length(value) > FIELD_MAX || strlen(text) != json_string_length(value)))
        return false;
    if (text)
        buf_add_z(out, text);
    else if (json_is_integer(value))
        buf_addf(out, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        buf_addf(out, "%.17g", json_real_value(value));
    else if (json_is_boolean(value))
        buf_add_z(out, json_is_true(value) ? "yes" : "no");
    else
        return value == NULL || json_is_null(value);
    return true;
}

/* Adds "--name=value" as one argument, for any value. `key`: of a pair, or NULL. */
static void add(struct run_order *o, const struct member *m, const char *key, const json_t *value)
{
    struct buf text = BUF_INIT(FIELD_MAX + 1), arg = BUF_INIT(2 * FIELD_MAX), name = BUF_INIT(400);

    buf_addf(&name, key ? "%s.%.200s" : "%s", m->name, key);
    if (!value_text(value, &text)) {
        mistake(o, name.data, "this has to be a text or a number, and not that long");
    } else if (text.len > 0) {
        buf_addf(&arg, key ? "--%s=%s=%s" : "--%s=%s%s", m->option, key ? key : "", text.data);
        text_list_add(&o->argv, buf_str(&arg));
    }
    buf_free(&text);
    buf_free(&arg);
    buf_free(&name);
}

static void add_list(struct run_order *o, const struct member *m, const json_t *value)
{
    const json_t *item;
    size_t i;

    if (!json_is_array(value)) {
        add(o, m, NULL, value);
        return;
    }
    if (json_array_size(value) > LIST_MAX) {
        mistake(o, m->name, "these are too many: a thousand at most");
        return;
    }
    json_array_foreach(value, i, item)
    {
        if (json_is_string(item))
            add(o, m, NULL, item);
        else
            mistake(o, m->name, "every one of these has to be a text");
    }
}

static void add_pairs(struct run_order *o, const struct member *m, json_t *value)
{
    const char *key;
    json_t *one;

    if (value && !json_is_null(value) && !json_is_object(value))
        mistake(o, m->name, "this has to be an object: {\"option\": value}");
    json_object_foreach(value, key, one)
    {
        if (strlen(key) > 100 || *key == '\0' || strchr(key, '='))
            mistake(o, m->name, "the name of an option is short and has no '='");
        else
            add(o, m, key, one);
    }
}

static void add_flag(struct run_order *o, const struct member *m, const json_t *value)
{
    struct buf arg = BUF_INIT(200);

    buf_addf(&arg, "--%s", m->option);
    if (json_is_true(value))
        text_list_add(&o->argv, buf_str(&arg));
    else if (value && !json_is_false(value) && !json_is_null(value))
        mistake(o, m->name, "this is true or false");
    buf_free(&arg);
}

/* ---- members ------------------------------------------------------------- */

static const struct member *member_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(members); i++)
        if (strcmp(members[i].name, name) == 0)
            return &members[i];
    return NULL;
}

/* An unknown field is a mistake too: a misspelt limit would not limit anything. */
static void check_names(struct run_order *o, json_t *object, const char *prefix)
{
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        char name[120];

        (void)snprintf(name, sizeof name, "%s%.100s", prefix, key);
        if (member_find(name) == NULL &&
            (*prefix || (strcmp(key, "kind") != 0 && strcmp(key, "limits") != 0)))
            mistakes_note(&o->mistakes, name,
                          status_fail(ST_USAGE, "there is no field '%s' here", name));
    }
}

static json_t *member_value(const json_t *body, const struct member *m)
{
    size_t len = sizeof limits_prefix - 1;

    if (strncmp(m->name, limits_prefix, len) == 0)
        return json_object_get(json_object_get(body, "limits"), m->name + len);
    return json_object_get(body, m->name);
}

static void read_member(struct run_order *o, const json_t *body, const struct member *m)
{
    json_t *value = member_value(body, m);

    if (m->watch_only && value && strcmp(o->command, "watch") != 0)
        mistake(o, m->name, "only a watch has this");
    else if (m->shape == LIST)
        add_list(o, m, value);
    else if (m->shape == PAIRS)
        add_pairs(o, m, value);
    else if (m->shape == FLAG)
        add_flag(o, m, value);
    else
        add(o, m, NULL, value);
}

static void read_kind(struct run_order *o, const json_t *body)
{
    const json_t *kind = json_object_get(body, "kind");
    const char *name = json_string_value(kind);

    o->command = name && strcmp(name, "watch") == 0 ? "watch" : "crawl";
    if (kind && !json_is_null(kind) && (name == NULL || strcmp(name, o->command) != 0))
        mistake(o, "kind", "this is crawl or watch");
}

/* The topic's words are the one argument that is no option. */
static void read_words(struct run_order *o, const json_t *body)
{
    const json_t *value = json_object_get(body, "topic");
    struct buf text = BUF_INIT(FIELD_MAX + 1);

    if (!value_text(value, &text) || (value && !json_is_null(value) && !json_is_string(value)))
        mistake(o, "topic", "this has to be a text, and not that long");
    else if (text.len > 0)
        o->words = json_string_value(value);
    else if (!json_is_string(json_object_get(body, "topic_file")))
        mistake(o, "topic", "what is it to look for? A few words, or a topic file");
    buf_free(&text);
}

/* The command's message would name options that the form does not have. */
static void need_seeds(struct run_order *o, const json_t *body)
{
    const json_t *value = json_object_get(body, "seeds");

    if (json_string_length(json_object_get(body, "search")) > 0)
        return;
    if (value == NULL || json_is_null(value) ||
        (json_is_array(value) && json_array_size(value) == 0))
        mistake(o, "seeds", "where is it to start? At least one address");
}

void order_read(struct run_order *ret, const json_t *body)
{
    json_t *limits = json_object_get(body, "limits");

    read_kind(ret, body);
    read_words(ret, body);
    need_seeds(ret, body);
    for (size_t i = 1; i < ARRAY_LEN(members); i++)
        read_member(ret, body, &members[i]);
    if (limits && !json_is_object(limits) && !json_is_null(limits))
        mistake(ret, "limits", "this has to be an object: {\"pages\": 100}");
    check_names(ret, (json_t *)body, "");
    check_names(ret, limits, limits_prefix);
}

/* ---- what the command says ----------------------------------------------- */

/* Returns a message without the name that the field's label shows already: "--for: ", "--contact ",
 * "n: ". */
static struct str plain(struct str sentence, struct str option)
{
    struct str rest = sentence;

    if (str_starts(rest, STR("--")))
        rest = str_sub(rest, 2, rest.len);
    if (!str_starts(rest, option))
        return sentence;
    rest = str_sub(rest, option.len, rest.len);
    if (str_starts(rest, STR(": ")))
        return str_sub(rest, 2, rest.len);
    return str_starts(rest, STR(" ")) && sentence.ptr[0] == '-' ? str_sub(rest, 1, rest.len)
                                                                : sentence;
}

static void blame(struct run_order *o, const struct mistake *said)
{
    struct str option = str_of(said->name), shown;
    char name[240];

    (void)snprintf(name, sizeof name, "%.200s", said->name); /* "set.KEY" is so in both */
    for (size_t i = 0; i < ARRAY_LEN(members); i++)
        if (strcmp(members[i].option, said->name) == 0)
            (void)snprintf(name, sizeof name, "%s", members[i].name);
    if (str_starts(option, STR("set.")))
        option = str_sub(option, 4, option.len);
    shown = plain(str_of(said->sentence), option);
    mistakes_note(&o->mistakes, name, status_fail(said->status, "%.*s", STR_ARG(shown)));
}

void order_blame(struct run_order *o, const struct mistakes *said)
{
    for (size_t i = 0; i < said->count; i++)
        blame(o, &said->items[i]);
}

/* ---- for people ---------------------------------------------------------- */

/* Appends one word for a shell, in quotes if necessary. */
static void show_word(struct buf *ret, struct str word)
{
    bool is_plain = word.len > 0;

    for (size_t i = 0; i < word.len; i++)
        is_plain = is_plain && (ascii_is_alpha(word.ptr[i]) || ascii_is_digit(word.ptr[i]) ||
                                strchr("_./:@%+,=-", word.ptr[i]));
    buf_add_char(ret, ' ');
    if (is_plain) {
        buf_add_str(ret, word);
        return;
    }
    buf_add_char(ret, '\'');
    for (size_t i = 0; i < word.len; i++)
        if (word.ptr[i] == '\'')
            buf_add_z(ret, "'\\''");
        else
            buf_add_char(ret, word.ptr[i]);
    buf_add_char(ret, '\'');
}

void order_show(const struct run_order *o, struct buf *ret)
{
    bool first = o->words && o->words[0] != '-';

    buf_addf(ret, "brood %s", o->command);
    if (first)
        show_word(ret, str_of(o->words));
    for (size_t i = 0; i < o->argv.count; i++) {
        struct str value = str_of(o->argv.items[i]), name;

        (void)str_cut(&value, '=', &name);
        show_word(ret, name);
        if (value.ptr)
            show_word(ret, value);
    }
    if (o->words && !first) {
        buf_add_z(ret, " --");
        show_word(ret, str_of(o->words));
    }
}

void order_clear(struct run_order *o)
{
    text_list_free(&o->argv);
    mistakes_clear(&o->mistakes);
}
