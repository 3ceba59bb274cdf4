/* command.h - a command is one file and one line in the table of main.c.
 *
 * Dispatch, --help, manual pages and completions come from the table. A command's options are a
 * table of base/option.h that fills its struct; its run() gets the filled struct and the other
 * arguments.
 */
#pragma once

#include "base/status.h"
#include "base/option.h"

#include <stdio.h>

/* The exit status of the program. */
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
    struct text_list args;  /* the arguments that are not options, in order */
    struct text_list given; /* names of the options on the command line */
};

struct command {
    const char *name;               /* "crawl", "world make" */
    const char *args;               /* "DIR URL|AGENT" */
    const char *summary;            /* one line, no full stop */
    const char *details;            /* paragraphs for --help and the manual; may be NULL */
    const char *example;            /* command lines, one for each line; may be NULL */
    const struct option *options;   /* NULL-named at the end; may be NULL */
    const struct option *not_taken; /* options of 'brood crawl' that it lacks; may be NULL */
    size_t options_size;
    size_t min_args, max_args; /* max: SIZE_MAX for any number */
    bool reads_dir;            /* accesses only DIR, its first argument (cli/held.h) */
    bool several;              /* more directories may follow DIR, read as one (cli/several.h) */
    int (*run)(struct invocation *in);
    /* Finds the mistakes in its options, before anything is made; NULL: run() reports them. */
    void (*check)(struct invocation *in, struct mistakes *ret);
};

/* These set a command's arguments as --help shows them, with their least and largest number, and
 * its options. */
#define TAKES(args_, min_, max_) .args = args_, .min_args = min_, .max_args = max_
#define OPTIONS(table, type_)    .options = table, .options_size = sizeof(type_)

/* All commands; the last has a NULL name. */
extern const struct command *const command_table[];

/* Is there a crawl in this directory? */
bool command_is_crawl(const char *dir);

/* Fills options from defaults, --config, environment and argv, in this order.
 * ST_USAGE with a sentence. *ret_help is set if --help was given. */
enum status command_parse(const struct command *c, int argc, char **argv, struct invocation *ret,
                          bool *ret_help) MUST_USE;
/* The same, but goes on after a mistake: all mistakes are noted, by the names of the options. */
void command_parse_all(const struct command *c, int argc, char **argv, struct invocation *ret,
                       struct mistakes *ret_mistakes);
void invocation_clear(struct invocation *in);
/* Runs the command's check. ST_USAGE with the first mistake. */
enum status invocation_check(struct invocation *in) MUST_USE;

/* ---- help.c ---- */
void help_command(const struct command *c, struct buf *out); /* --help */
void help_all(struct buf *out);                              /* brood --help */
void help_man(const struct command *c, struct buf *out);     /* NULL: brood(1) */

/* ---- complete.c ---- */
/* Appends the completions for "bash", "zsh" or "fish"; ST_USAGE for another shell. */
enum status help_completion(const char *shell, struct buf *out) MUST_USE;

/* ---- config.c ---- */
enum status config_apply(const char *path, const struct option *table, void *into) MUST_USE;
/* The same for a text; `name` is for error messages. */
enum status config_read(struct str text, const char *name, const struct option *table,
                        void *into) MUST_USE;

/* ---- report.c: the output of commands ---- */

/* Writes "brood: sentence" to standard error, and returns the exit code for the status. */
int report_failure(enum status st);
/* Writes lines to standard error. Control characters, which may come from outside, are shown as
 * '?'; hints name the program as it was called. */
void report_say(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* Appends a text in which "brood top X" becomes "./run top X" if the user called the program so.
 * Limit: everything that looks like a command of ours counts as a hint, even in the user's own
 * words. */
void report_hints(struct buf *out, struct str text);
/* From now on, in this thread, text for standard output is appended to `out` instead, and nothing
 * is written to standard error. NULL ends this. */
void report_divert(struct buf *out);
bool report_is_diverted(void);
/* Writes a buffer to standard output and frees it. */
int report_out(struct buf *out);
/* The same if `st` is ST_OK; else reports the failure. */
int report_end(enum status st, struct buf *out);
/* Has the reader of standard output gone, as `head` does? */
bool report_is_unread(void);
/* Returns standard output. On a terminal it is another stream, which replaces control characters
 * and has to be closed. NULL if there is no memory. */
FILE *report_stream(void);
/* Appends text for a terminal: control characters are shown as '?', and it is cut to `width`
 * columns. */
void report_text(struct buf *out, struct str text, size_t width);
/* Appends a page's title, or the end of its URL if it has none. */
void report_title(struct buf *out, struct str title, struct str url, size_t width);
/* Returns the value, or 0 if this number of decimals would show it as -0.00. */
double report_zero(double value, int decimals);
/* Appends "3 pages" or "1 page", from n and the word for one of them. */
void report_count(struct buf *out, uint64_t n, const char *one);
/* Can a line be written over there? Not where TERM=dumb: it shows the codes for that as they are. */
bool report_is_rewritable(int fd);
/* Returns the columns of the terminal; 100 if it is not a terminal. */
size_t report_width(int fd);
/* Writes "topics", the verdicts of several topics on a page; nothing if there is one topic. */
struct json;
struct profile;
void report_topics_json(struct json *j, const struct profile *p);
