/* option.h - options as a table: command line, config file, models, dashboard.
 *
 * An option is described once: name, type, limits, default, help, and where it
 * lies in the struct it fills. From the same table come parsing, error
 * messages, --help, manual pages, shell completions and forms. A table ends
 * with an entry whose name is NULL.
 */
#pragma once

#include "base/buf.h"
#include "base/os/secret.h"

enum option_type {
    OPTION_FLAG,     /* bool */
    OPTION_INT,      /* int64_t */
    OPTION_U32,      /* uint32_t */
    OPTION_REAL,     /* double */
    OPTION_TEXT,     /* char *, heap; NULL where not given */
    OPTION_DURATION, /* int64_t, microseconds; min and max in seconds */
    OPTION_SIZE,     /* uint64_t, bytes */
    OPTION_CHOICE,   /* int, index into `choices` */
    OPTION_LIST,     /* struct text_list: the option may be repeated */
};

struct text_list {
    char **items; /* heap; items[count] is NULL once there is one */
    size_t count, cap;
};

/* A list that is freed where its block ends: LOCAL_LIST urls = {0}; */
#define LOCAL_LIST __attribute__((cleanup(text_list_free))) struct text_list

struct option {
    const char *name; /* "max-depth"; in models "parents" */
    char letter;      /* short form: 'n' for -n; 0: none */
    enum option_type type;
    const char *metavar;     /* what --help shows for the value: "N", "URL" */
    const char *fallback;    /* default, as text; NULL: zero, empty, off */
    const char *implied;     /* the value if the option is given without one; NULL: it needs one */
    double min, max;         /* of a number; both 0: any */
    const char *choices;     /* OPTION_CHOICE: "max|mean|first" */
    const char *help;        /* one sentence */
    const char *group;       /* heading in --help; NULL: the same as the row before */
    const char *source;      /* of a model: where the default comes from */
    bool unverified;         /* of a model: the source could not be checked */
    enum secret_kind secret; /* which part of the value is never shown or stored */
    size_t offset;           /* of the field in the struct */
};

/* How a row of a table begins: the name, the field, what --help shows for the value, the default,
 * and the limits of a number (both 0: any). Members that only some options have follow by name.
 * Each file defines AT(field): where the field lies in its struct.
 *
 *     #define AT(field) .offset = offsetof(struct top_options, field)
 *
 *     {INT_OPTION("n", n, "N", "20", 1, 1e9), .letter = 'n', .help = "how many"},
 *     {FLAG_OPTION("json", json), .help = "as JSON"},
 */
#define FLAG_OPTION(name_, field_) .name = name_, .type = OPTION_FLAG, AT(field_)
#define TEXT_OPTION(name_, field_, metavar_) \
    .name = name_, .type = OPTION_TEXT, .metavar = metavar_, AT(field_)
#define LIST_OPTION(name_, field_, metavar_) \
    .name = name_, .type = OPTION_LIST, .metavar = metavar_, AT(field_)
#define CHOICE_OPTION(name_, field_, choices_, fallback_) \
    .name = name_, .type = OPTION_CHOICE, .choices = choices_, .fallback = fallback_, AT(field_)
#define NUMBER_OPTION(type_, name_, field_, metavar_, fallback_, min_, max_)               \
    .name = name_, .type = type_, .metavar = metavar_, .fallback = fallback_, .min = min_, \
    .max = max_, AT(field_)
#define INT_OPTION(...)      NUMBER_OPTION(OPTION_INT, __VA_ARGS__)
#define U32_OPTION(...)      NUMBER_OPTION(OPTION_U32, __VA_ARGS__)
#define REAL_OPTION(...)     NUMBER_OPTION(OPTION_REAL, __VA_ARGS__)
#define DURATION_OPTION(...) NUMBER_OPTION(OPTION_DURATION, __VA_ARGS__)
#define SIZE_OPTION(...)     NUMBER_OPTION(OPTION_SIZE, __VA_ARGS__)

/* Returns the option of that name, or NULL. '-' and '_' are equal in names. */
const struct option *option_find(const struct option *table, struct str name);

/* Reads a value into the struct. The error names the option, the value and what
 * is allowed. A flag takes "", yes/no, true/false, on/off, 1/0. */
enum status option_set(const struct option *o, void *into, struct str value) MUST_USE;

/* Sets every field to its default. */
void options_init(const struct option *table, void *into);

/* Frees texts and lists. */
void options_free(const struct option *table, void *into);

/* Writes the present value as text: "0.5", "30s", "max". A text is shown with its secrets. */
void option_show(const struct option *o, const void *from, struct buf *out);

/* Writes the allowed values: "1 to 100", "0 or more", "max, mean or first"; nothing if all are. */
void option_range(const struct option *o, struct buf *out);

/* The type for people: "a whole number", "a duration", ... */
const char *option_type_name(enum option_type type);

void text_list_add(struct text_list *l, struct str text);
void text_list_free(struct text_list *l);
