/* command.h - a command is one file and one line in the table of main.c.
 *
 * From the table come dispatch, --help, manual pages and completions. A
 * command's options are a table of base/option.h that fills its struct; its
 * run() gets them filled, and the arguments that are no options.
 */
#pragma once

#include "base/status.h"
#include "base/option.h"

#include <stdio.h>

/* What the program says with its exit status (design: 0, 1, 2, 3, 130). */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_STARVED = 3,
    EXIT_INTERRUPTED = 130,
};

struct invocation {
    const struct command *command;
    void *options;          /* the command's struct, filled */
    struct text_list args;  /* what is no option, in order */
    struct text_list given; /* names of the options on the command line */
};

struct command {
    const char *name;               /* "crawl", "world make" */
    const char *args;               /* "DIR URL|AGENT" */
    const char *summary;            /* one line, no full stop */
    const char *details;            /* paragraphs for --help and the manual; may be NULL */
    const char *example;            /* command lines, one a line; may be NULL */
    const struct option *options;   /* NULL-named at the end; may be NULL */
    const struct option *not_taken; /* of 'brood crawl', of which it takes some; may be NULL */
    size_t options_size;
    size_t min_args, max_args; /* max: SIZE_MAX for any number */
    bool reads_dir;            /* touches only DIR, its first argument (cli/held.h) */
    bool several;              /* more directories may follow DIR, read as one (cli/several.h) */
    int (*run)(struct invocation *in);
    /* What is wrong with its options, before anything is made; NULL: run() says it. */
    void (*check)(struct invocation *in, struct mistakes *ret);
};

/* What a command takes: its arguments as --help shows them, how many there are; and its options. */
#define TAKES(args_, min_, max_) .args = args_, .min_args = min_, .max_args = max_
#define OPTIONS(table, type_)    .options = table, .options_size = sizeof(type_)

/* All commands; the last has a NULL name. */
extern const struct command *const command_table[];

/* Is there a crawl in this directory? */
bool command_is_crawl(const char *dir);

/* Fills options from defaults, --config, environment and argv, in this order.
 * ST_USAGE with a sentence. *ret_help is set where --help was asked. */
enum status command_parse(const struct command *c, int argc, char **argv, struct invocation *ret,
                          bool *ret_help) MUST_USE;
/* The same, but goes on after a mistake: all are noted, by the names of the options. */
void command_parse_all(const struct command *c, int argc, char **argv, struct invocation *ret,
                       struct mistakes *ret_mistakes);
void invocation_clear(struct invocation *in);
/* The command's check; the first mistake. */
enum status invocation_check(struct invocation *in) MUST_USE;

/* ---- help.c ---- */
void help_command(const struct command *c, struct buf *out); /* --help */
void help_all(struct buf *out);                              /* brood --help */
void help_man(const struct command *c, struct buf *out);     /* NULL: brood(1) */

/* ---- complete.c ---- */
/* For "bash", "zsh" or "fish"; ST_USAGE: another one. */
enum status help_completion(const char *shell, struct buf *out) MUST_USE;

/* ---- config.c ---- */
enum status config_apply(const char *path, const struct option *table, void *into) MUST_USE;
/* The same for a text; `name` is for error messages. */
enum status config_read(struct str text, const char *name, const struct option *table,
                        void *into) MUST_USE;

/* ---- report.c: how commands speak ---- */

/* "brood: sentence" on standard error; the exit code that fits the status. */
int report_failure(enum status st);
/* Lines on standard error. Control characters, which come from outside, are shown
 * as '?'; hints name the program as it was called. */
void report_say(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* "brood top X" becomes "./run top X" where the user called it so. Limit: whatever looks like
 * a command of ours counts as a hint, also in the user's own words. */
void report_hints(struct buf *out, struct str text);
/* In this thread, from now on: what would go to standard output is appended to `out` instead, and
 * nothing is said on standard error. NULL: as usual again. */
void report_divert(struct buf *out);
bool report_is_diverted(void);
/* A buffer to standard output, freed. */
int report_out(struct buf *out);
/* The same where all went well; else the failure. */
int report_end(enum status st, struct buf *out);
/* Has the reader of standard output gone, as `head` does? */
bool report_is_unread(void);
/* Standard output. On a terminal it is another stream, which replaces control
 * characters and has to be closed. NULL: no memory. */
FILE *report_stream(void);
/* Text for a terminal: control characters shown as '?', cut to `width` columns. */
void report_text(struct buf *out, struct str text, size_t width);
/* A page's title, or the end of its URL where it has none. */
void report_title(struct buf *out, struct str title, struct str url, size_t width);
/* The value, or 0 where so many decimals would show it as -0.00. */
double report_zero(double value, int decimals);
/* "3 pages", "1 page": n and the word for one of them. */
void report_count(struct buf *out, uint64_t n, const char *one);
/* Can a line be written over there? Not where TERM=dumb: it shows the codes for that as they are. */
bool report_is_rewritable(int fd);
/* Columns of the terminal, 100 where it is none. */
size_t report_width(int fd);
/* "topics": what each of several topics says of a page; nothing where there is one. */
struct json;
struct profile;
void report_topics_json(struct json *j, const struct profile *p);
