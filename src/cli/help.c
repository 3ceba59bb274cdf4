/* help.c - --help and manual pages, from the same tables as completions (complete.c).
 * SPDX-License-Identifier: MIT */
#include "cli/command.h"

#define WRAP 79

/* ---- plain text ---------------------------------------------------------- */

/* Words of `text`, wrapped, each new line indented. A line break in it is kept. */
static void add_wrapped(struct buf *out, const char *text, size_t indent, size_t column)
{
    while (*text) {
        size_t len = strcspn(text, " \n");

        if (*text == '\n') {
            buf_add_char(out, '\n');
            if (text[1] != '\n')
                buf_addf(out, "%*s", (int)indent, "");
            column = indent;
            text++;
            continue;
        }
        if (column > indent && column + 1 + len > WRAP) {
            buf_addf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            buf_add_char(out, ' ');
            column++;
        }
        buf_add(out, text, len);
        column += len;
        text += len;
        text += strspn(text, " ");
    }
    buf_add_char(out, '\n');
}

static void add_option_name(struct buf *out, const struct option *o)
{
    if (o->letter)
        buf_addf(out, "-%c, ", o->letter);
    buf_addf(out, "--%s", o->name);
    if (o->type == OPTION_CHOICE)
        buf_addf(out, " %s", o->choices);
    else if (o->implied)
        buf_addf(out, "[=%s]", o->metavar ? o->metavar : "VALUE");
    else if (o->type != OPTION_FLAG)
        buf_addf(out, " %s", o->metavar ? o->metavar : "VALUE");
}

static void add_option_help(struct buf *out, const struct option *o)
{
    buf_add_z(out, o->help);
    if (o->fallback && *o->fallback && o->type != OPTION_FLAG)
        buf_addf(out, " (default %s)", o->fallback);
}

static void help_options(struct buf *out, const struct option *table)
{
    const size_t column = 27;

    for (const struct option *o = table; o && o->name; o++) {
        struct buf help = BUF_INIT(2000);
        size_t from = out->len, used;

        if (o->group)
            buf_addf(out, "\n%s:\n", o->group);
        else if (o == table)
            buf_add_z(out, "\noptions:\n");
        from = out->len;
        buf_add_z(out, "  ");
        add_option_name(out, o);
        used = out->len - from;
        if (used + 1 > column) {
            buf_add_char(out, '\n');
            used = 0;
        }
        buf_addf(out, "%*s", (int)(column - used), "");
        add_option_help(&help, o);
        add_wrapped(out, help.data, column, column);
        buf_free(&help);
    }
}

void help_command(const struct command *c, struct buf *out)
{
    buf_addf(out, "usage: brood %s%s%s%s\n\n", c->name, *c->args ? " " : "", c->args,
             c->options ? " [options]" : "");
    buf_addf(out, "%s%s\n", c->summary, str_ends(str_of(c->summary), STR("?")) ? "" : ".");
    if (c->details) {
        buf_add_char(out, '\n');
        add_wrapped(out, c->details, 0, 0);
    }
    help_options(out, c->options);
    if (c->example)
        buf_addf(out, "\nexamples:\n  %s\n", c->example);
}

void help_all(struct buf *out)
{
    buf_add_z(out, "brood " BROOD_VERSION " - an evolving population of focused web crawlers\n\n"
                   "usage: brood COMMAND [arguments] [options]\n\n");
    for (size_t i = 0; command_table[i]; i++)
        buf_addf(out, "  %-16s %s\n", command_table[i]->name, command_table[i]->summary);
    buf_add_z(
        out, "\n'brood COMMAND --help' tells more. First steps:\n"
             "  brood crawl \"solar energy\" --seed https://example.org/ --contact you@example.org "
             "--out solar\n"
             "  brood top solar\n"
             "\nexit status: 0 done, 1 failed, 2 wrong usage, 3 starved, 130 stopped by Ctrl-C\n");
}

/* ---- manual pages -------------------------------------------------------- */

/* roff: a backslash, a hyphen and a dot at the start of a line are special. */
static void add_roff(struct buf *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '\\' || *p == '-')
            buf_add_char(out, '\\');
        if ((*p == '.' || *p == '\'') && (p == text || p[-1] == '\n'))
            buf_add_z(out, "\\&");
        buf_add_char(out, *p);
    }
}

static void man_title(struct buf *out, const char *name, const char *summary)
{
    LOCAL_BUF upper = BUF_INIT(100);

    for (const char *p = name; *p; p++)
        buf_add_char(&upper, *p == ' ' ? '-' : (char)(*p >= 'a' && *p <= 'z' ? *p - 32 : *p));
    buf_addf(out, ".TH \"%s\" 1 \"\" \"brood %s\" \"User Commands\"\n.SH NAME\n", upper.data,
             BROOD_VERSION);
    for (const char *p = name; *p; p++)
        buf_add_z(out, *p == ' ' || *p == '-' ? "\\-" : (char[]){*p, 0});
    buf_add_z(out, " \\- ");
    add_roff(out, summary);
    buf_add_char(out, '\n');
}

static void man_options(struct buf *out, const struct option *table)
{
    for (const struct option *o = table; o && o->name; o++) {
        struct buf text = BUF_INIT(4000);

        if (o == table)
            buf_add_z(out, ".SH OPTIONS\n");
        if (o->group) {
            buf_add_z(out, ".SS ");
            add_roff(out, o->group);
            buf_add_char(out, '\n');
        }
        buf_add_z(out, ".TP\n.B ");
        add_option_name(&text, o);
        add_roff(out, text.data);
        buf_add_char(out, '\n');
        buf_clear(&text);
        add_option_help(&text, o);
        add_roff(out, text.data);
        buf_add_char(out, '\n');
        buf_free(&text);
    }
}

static void man_overview(struct buf *out)
{
    man_title(out, "brood", "an evolving population of focused web crawlers");
    buf_add_z(out, ".SH SYNOPSIS\n.B brood\nCOMMAND [arguments] [options]\n.SH COMMANDS\n");
    for (size_t i = 0; command_table[i]; i++) {
        buf_addf(out, ".TP\n.B %s\n", command_table[i]->name);
        add_roff(out, command_table[i]->summary);
        buf_add_char(out, '\n');
    }
    buf_add_z(out, ".SH EXIT STATUS\n0 done, 1 failed, 2 wrong usage, 3 starved (no seed could "
                   "be fetched, or the population died out), 130 stopped by Ctrl\\-C.\n");
    buf_add_z(out,
              ".SH ENVIRONMENT\nEvery long option can be set by a variable: BROOD_CONTACT sets "
              "\\-\\-contact, BROOD_MAX_DEPTH sets \\-\\-max\\-depth.\n");
}

void help_man(const struct command *c, struct buf *out)
{
    LOCAL_BUF name = BUF_INIT(100);

    if (c == NULL) {
        man_overview(out);
        return;
    }
    buf_addf(&name, "brood %s", c->name);
    man_title(out, name.data, c->summary);
    buf_addf(out, ".SH SYNOPSIS\n.B brood %s\n", c->name);
    add_roff(out, c->args);
    buf_addf(out, "%s\n", c->options ? " [options]" : "");
    buf_add_z(out, ".SH DESCRIPTION\n");
    add_roff(out, c->details ? c->details : c->summary);
    buf_add_char(out, '\n');
    man_options(out, c->options);
    if (c->example) {
        buf_add_z(out, ".SH EXAMPLES\n.nf\n");
        add_roff(out, c->example);
        buf_add_z(out, "\n.fi\n");
    }
    buf_add_z(out, ".SH SEE ALSO\n.BR brood (1)\n");
}
