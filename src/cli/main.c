/* main.c - brood: finds the command and runs it. SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "base/mem.h"
#include "base/str.h"
#include "cli/library_memory.h"
#include "cli/notify.h"
#include "cli/several.h"

#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>

const struct command *const command_table[] = {
    &command_crawl,
    &command_watch,
    &command_resume,
    &command_retry,
    &command_stop,
    &command_mark,
    &command_node,
    &command_nodes,
    &command_top,
    &command_search,
    &command_tree,
    &command_show,
    &command_explain,
    &command_stats,
    &command_export,
    &command_check,
    &command_merge,
    &command_forget,
    &command_models,
    &command_topic_test,
    &command_topic_idf,
    &command_topic_clusters,
    &command_inspect,
    &command_world_make,
    &command_world_import,
    &command_world_info,
    &command_world_rewire,
    &command_world_serve,
    &command_lab_run,
    &command_lab_list,
    &command_lab_report,
    &command_lab_figure,
    &command_identity_new,
    &command_identity_show,
    &command_identity_publish,
    &command_serve,
    &command_mcp,
    &command_completion,
    &command_manual,
    NULL,
};

/* First words are names too: 'wrold' is near to 'world', not to 'world make'. */
static const char *nth_command(const void *ctx, size_t i)
{
    static const char *const groups[] = {"topic", "world", "lab", "identity"};
    size_t n = 0;

    (void)ctx;
    while (command_table[n])
        n++;
    return i < n ? command_table[i]->name : i - n < ARRAY_LEN(groups) ? groups[i - n] : NULL;
}

/* The command that the first one or two words name; *ret_words says how many. */
static const struct command *find_command(int argc, char **argv, int *ret_words)
{
    for (int words = argc >= 2 ? 2 : argc; words >= 1; words--) {
        struct buf name = BUF_INIT(200);

        buf_addf(&name, words == 2 ? "%s %s" : "%s", argv[0], words == 2 ? argv[1] : "");
        for (size_t i = 0; command_table[i]; i++) {
            if (str_eq(buf_str(&name), str_of(command_table[i]->name))) {
                buf_free(&name);
                *ret_words = words;
                return command_table[i];
            }
        }
        buf_free(&name);
    }
    return NULL;
}

/* The commands whose first word is `name`; false where there are none. */
static bool list_group(FILE *to, const char *heading, const char *name)
{
    bool any = false;

    for (size_t i = 0; command_table[i]; i++) {
        const char *full = command_table[i]->name;
        size_t len = strlen(name);

        if (strncmp(full, name, len) == 0 && full[len] == ' ') {
            fprintf(to, "%s  brood %-16s %s\n", any ? "" : heading, full,
                    command_table[i]->summary);
            any = true;
        }
    }
    return any;
}

/* `brood world` alone, or misspelt: lists the commands that exist. */
static int unknown_command(const char *name)
{
    const char *near = str_nearest(str_of(name), nth_command, NULL);

    if (list_group(stderr, "brood: which one?\n", name))
        return EXIT_USAGE;
    (void)status_fail(ST_USAGE, "there is no command '%s'%s%s%s ('brood --help' lists them)", name,
                      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return report_failure(ST_USAGE);
}

static int show_help(const struct command *c)
{
    LOCAL_BUF text = BUF_INIT(1 << 20);
    struct buf out = BUF_INIT(1 << 20);

    if (c)
        help_command(c, &text);
    else
        help_all(&text);
    report_hints(&out, buf_str(&text));
    return report_out(&out);
}

static bool asks_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

static int run_command(const struct command *c, int argc, char **argv)
{
    struct invocation in = {0};
    bool help;
    int code;
    enum status st = command_parse(c, argc, argv, &in, &help);

    if (st != ST_OK) {
        code = report_failure(st);
    } else if (help) {
        code = show_help(c);
    } else {
        notify_open();
        code = several_run(&in);
    }
    invocation_clear(&in);
    return code;
}

/* A page is allocated on one thread and freed on another: with an arena a thread
 * and trimming, glibc grows and shrinks a heap for every page. Measured: 3 % of a
 * crawl's CPU time. */
static void tune_malloc(void)
{
    (void)mallopt(M_ARENA_MAX, 1);
    (void)mallopt(M_TRIM_THRESHOLD, 64 << 20);
    (void)mallopt(M_MMAP_THRESHOLD, 8 << 20);
    (void)mallopt(M_TOP_PAD, 1 << 20);
}

/* `brood help WORDS`, `brood GROUP --help`: shows the help of the command or group with this
 * name. */
static int help_with(int argc, char **argv)
{
    int words;
    const struct command *c = find_command(argc, argv, &words);

    if (c == NULL && argc == 1 && list_group(stdout, "commands:\n", argv[0]))
        return EXIT_DONE;
    return c ? show_help(c) : unknown_command(argv[0]);
}

/* The arguments without the program's name; there is at least one. */
static int run_arguments(int argc, char **argv)
{
    const struct command *c;
    int words;

    if (strcmp(argv[0], "--version") == 0 || strcmp(argv[0], "version") == 0)
        return puts("brood " BROOD_VERSION) < 0;
    if (strcmp(argv[0], "help") == 0 && argc > 1)
        return help_with(argc - 1, argv + 1);
    if (asks_help(argv[0]))
        return show_help(NULL);
    c = find_command(argc, argv, &words);
    if (c)
        return run_command(c, argc - words, argv + words);
    return argc == 2 && asks_help(argv[1]) ? help_with(1, argv) : unknown_command(argv[0]);
}

int main(int argc, char **argv)
{
    tune_malloc();
    library_memory();
    (void)setlocale(LC_CTYPE, "C.UTF-8");
    (void)signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error like any other */
    (void)signal(SIGXFSZ, SIG_IGN); /* a limit of file sizes is an error, as a full disk is */
    if (argc > 1)
        return run_arguments(argc - 1, argv + 1);
    (void)show_help(NULL);
    return EXIT_USAGE;
}
