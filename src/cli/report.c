/* report.c - the output of commands: errors, tables, widths.
 * SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "flow.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define CALLED_MAX 200 /* bytes of a path in a hint */

static _Thread_local struct buf *diverted; /* NULL: standard output */

void report_divert(struct buf *out)
{
    diverted = out;
}

bool report_is_diverted(void)
{
    return diverted != NULL;
}

int report_failure(enum status st)
{
    report_say("brood: %s\n", *status_text() ? status_text() : status_name(st));
    if (st == ST_USAGE || st == ST_EXISTS)
        return EXIT_USAGE;
    return st == ST_STARVED ? EXIT_STARVED : st == ST_STOPPED ? EXIT_INTERRUPTED : EXIT_FAILED;
}

bool report_is_unread(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO};

    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

int report_out(struct buf *out)
{
    FILE *to;
    bool ok;

    if (diverted) {
        buf_add_str(diverted, buf_str(out));
        buf_free(out);
        return EXIT_DONE;
    }
    to = report_stream();
    ok = to && fwrite(out->data ? out->data : "", 1, out->len, to) == out->len;
    if (to && to != stdout)
        ok = fclose(to) == 0 && ok;

    ok = fflush(stdout) == 0 && ok;
    if (!ok && errno != EPIPE)
        fprintf(stderr, "brood: the output cannot be written: %s\n", strerror(errno));
    buf_free(out);
    return ok ? EXIT_DONE : EXIT_FAILED;
}

/* The name that the user typed: a path, or `brood` where the shell found it. */
static const char *called(void)
{
    const char *name = program_invocation_name;
    bool plain = name && strchr(name, '/') && strlen(name) < CALLED_MAX;

    for (const char *c = name; plain && *c; c++)
        plain = ascii_is_alpha(*c) || ascii_is_digit(*c) || strchr("/._-+", *c);
    return plain ? name : "brood";
}

/* Does a command's first word stand here, as a whole? */
static bool begins_command(struct str text)
{
    for (size_t i = 0; command_table[i]; i++) {
        struct str rest = str_of(command_table[i]->name), word;

        (void)str_cut(&rest, ' ', &word);
        if (str_starts(text, word) && (text.len == word.len || !ascii_is_alpha(text.ptr[word.len])))
            return true;
    }
    return str_starts(text, STR("--help")) || str_starts(text, STR("COMMAND"));
}

void report_hints(struct buf *out, struct str text)
{
    const struct str us = STR("brood ");

    for (size_t at = 0; at < text.len; at++) {
        struct str rest = str_sub(text, at, text.len);
        bool word =
            at == 0 || !(ascii_is_alpha(text.ptr[at - 1]) || strchr("/.-_", text.ptr[at - 1]));

        if (word && str_starts(rest, us) && begins_command(str_sub(rest, us.len, rest.len))) {
            buf_add_z(out, called());
            at += us.len - 2;
        } else {
            buf_add_char(out, text.ptr[at]);
        }
    }
}

/* Lines for a terminal: control characters that came from outside have no effect. */
static void add_lines(struct buf *out, struct str text)
{
    for (size_t at = 0; at < text.len;) {
        size_t from = at;
        uint32_t cp = utf8_next(text, &at);

        if (cp != '\n' && cp != '\t' && (utf8_is_control(cp) || cp == UTF8_BAD))
            buf_add_char(out, '?');
        else
            buf_add(out, text.ptr + from, at - from);
    }
}

void report_say(const char *fmt, ...)
{
    LOCAL_BUF text = BUF_INIT(MIB(1)), named = BUF_INIT(MIB(1)), clean = BUF_INIT(MIB(1));
    va_list args;

    if (diverted)
        return;
    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    report_hints(&named, buf_str(&text));
    add_lines(&clean, buf_str(&named));
    (void)fwrite(clean.data ? clean.data : "", 1, clean.len, stderr);
}

/* A character may come in two pieces: its beginning waits for the rest. */
struct terminal {
    char begun[4];
    size_t n;
};

static size_t begun_at_end(struct str text)
{
    for (size_t n = 1; n <= 3 && n <= text.len; n++) {
        unsigned char c = (unsigned char)text.ptr[text.len - n];

        if (c >= 0xc0)
            return n < (c >= 0xf0 ? 4u : c >= 0xe0 ? 3u : 2u) ? n : 0;
        if (c < 0x80)
            return 0;
    }
    return 0;
}

static ssize_t terminal_write(void *ctx, const char *data, size_t len)
{
    struct terminal *t = ctx;
    LOCAL_BUF text = BUF_INIT(SIZE_MAX / 2), clean = BUF_INIT(SIZE_MAX / 2);
    struct str all;
    bool ok;

    buf_add(&text, t->begun, t->n);
    buf_add(&text, data, len);
    all = buf_str(&text);
    t->n = begun_at_end(all);
    memcpy(t->begun, all.ptr + all.len - t->n, t->n);
    add_lines(&clean, str_sub(all, 0, all.len - t->n));
    ok = fwrite(clean.data ? clean.data : "", 1, clean.len, stdout) == clean.len;
    return ok ? (ssize_t)len : 0;
}

static int terminal_close(void *ctx)
{
    free(ctx);
    return fflush(stdout);
}

FILE *report_stream(void)
{
    static const cookie_io_functions_t calls = {.write = terminal_write, .close = terminal_close};

    return isatty(STDOUT_FILENO) ? fopencookie(MEM_NEW(struct terminal), "w", calls) : stdout;
}

bool report_is_rewritable(int fd)
{
    const char *term = getenv("TERM");

    return isatty(fd) == 1 && (term == NULL || strcmp(term, "dumb") != 0);
}

void report_text(struct buf *out, struct str text, size_t width)
{
    (void)utf8_add_safe(out, text, width);
}

void report_title(struct buf *out, struct str title, struct str url, size_t width)
{
    LOCAL_BUF name = BUF_INIT(LIMIT_URL + 100);
    size_t from = url.len;

    if (str_trim(title).len > 0) {
        report_text(out, title, width);
        return;
    }
    while (from > 1 && url.ptr[from - 2] != '/') /* a slash at the end stays */
        from--;
    buf_addf(&name, "(untitled) %.*s", STR_ARG(str_sub(url, from ? from - 1 : 0, url.len)));
    report_text(out, buf_str(&name), width);
}

double report_zero(double value, int decimals)
{
    return value <= 0 && -value * pow(10, decimals) < 0.5 ? 0 : value;
}

void report_count(struct buf *out, uint64_t n, const char *one)
{
    buf_addf(out, "%llu %s%s", (unsigned long long)n, one, n == 1 ? "" : "s");
}

size_t report_width(int fd)
{
    struct winsize w;

    if (ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col >= 40)
        return w.ws_col;
    return 100;
}

void report_topics_json(struct json *j, const struct profile *p)
{
    if (p->ntopics == 0)
        return;
    json_open_array(j, "topics");
    for (uint32_t i = 0; i < p->ntopics; i++) {
        json_open_object(j, NULL);
        json_put_str(j, "topic", p->topics[i].topic);
        json_put_num(j, "relevance", round((double)p->topics[i].relevance * 1e6) / 1e6);
        json_close(j);
    }
    json_close(j);
}

int report_end(enum status st, struct buf *out)
{
    if (st == ST_OK)
        return report_out(out);
    buf_free(out);
    return report_failure(st);
}
