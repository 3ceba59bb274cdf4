/* complete.c - completions for bash, zsh and fish, from the tables of the commands.
 * SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include "base/mem.h"

/* ---- bash ---------------------------------------------------------------- */

/* The second words of two-word commands, which stand together in the table. */
static void bash_groups(struct buf *out)
{
    struct str open = STR("");

    for (size_t i = 0; command_table[i]; i++) {
        struct str second = str_of(command_table[i]->name), first = STR("");

        (void)str_cut(&second, ' ', &first);
        if (open.len && !str_eq(open, first)) {
            buf_add_z(out, "\" -- \"$cur\")); return; fi\n");
            open.len = 0;
        }
        if (second.len == 0)
            continue;
        if (open.len == 0)
            buf_addf(out,
                     "    if [ \"$COMP_CWORD $cmd\" = \"2 %.*s\" ]; then\n"
                     "        COMPREPLY=($(compgen -W \"",
                     STR_ARG(first));
        buf_addf(out, "%.*s ", STR_ARG(second));
        open = first;
    }
}

/* After the name of such an option: the values it takes. */
static void bash_choices(struct buf *out, const struct option *table)
{
    for (const struct option *o = table; o && o->name; o++) {
        if (o->type != OPTION_CHOICE)
            continue;
        buf_addf(out, "\n        [ \"$before\" = --%s ] && words=\"", o->name);
        for (const char *c = o->choices; *c; c++)
            buf_add_char(out, *c == '|' ? ' ' : *c);
        buf_add_char(out, '"');
    }
}

static void complete_bash(struct buf *out)
{
    buf_add_z(out,
              "# bash completion for brood; made from its tables.\n"
              "_brood() {\n"
              "    local cur=${COMP_WORDS[COMP_CWORD]} cmd=${COMP_WORDS[1]} sub=${COMP_WORDS[2]}\n"
              "    local words before=${COMP_WORDS[COMP_CWORD-1]}\n");
    bash_groups(out);
    buf_add_z(out, "    case \"$cmd $sub\" in\n");
    for (int pass = 0; pass < 2; pass++) { /* two-word commands first */
        for (size_t i = 0; command_table[i]; i++) {
            const struct command *c = command_table[i];

            if ((strchr(c->name, ' ') != NULL) != (pass == 0))
                continue;
            buf_addf(out, "    \"%s\"%s) words=\"", c->name, pass ? "\\ *" : "");
            for (const struct option *o = c->options; o && o->name; o++)
                buf_addf(out, "--%s ", o->name);
            buf_add_z(out, "--help\"");
            bash_choices(out, c->options);
            buf_add_z(out, " ;;\n");
        }
    }
    buf_add_z(out, "    esac\n    if [ \"$COMP_CWORD\" -eq 1 ]; then words=\"");
    for (size_t i = 0; command_table[i]; i++) {
        struct str rest = str_of(command_table[i]->name), first = STR("");

        (void)str_cut(&rest, ' ', &first);
        if (i == 0 || !str_starts(str_of(command_table[i - 1]->name), first))
            buf_addf(out, "%.*s ", STR_ARG(first));
    }
    buf_add_z(out, "help --help --version\"; fi\n"
                   "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                   "    case \"$COMP_CWORD $cur\" in \"1 \"*|*\" -\"*) ;; *) "
                   "COMPREPLY+=($(compgen -f -- \"$cur\")) ;; esac\n"
                   "}\n"
                   "complete -o filenames -F _brood brood\n");
}

/* ---- zsh and fish -------------------------------------------------------- */

/* Inside single quotes. zsh parts names and descriptions by a colon. */
static void add_quoted(struct buf *out, const char *text, bool zsh)
{
    for (; *text; text++) {
        if (*text == '\'')
            buf_add_z(out, "'\\'");
        if (zsh && *text == ':')
            buf_add_char(out, '\\');
        buf_add_char(out, *text);
    }
}

/* The word of a command's name with this number, 0 or 1; empty: it has none. */
static struct str word_of(const struct command *c, int number)
{
    struct str second = str_of(c->name), first = STR("");

    (void)str_cut(&second, ' ', &first);
    return number ? second : first;
}

/* Is it the first of those with its first word? */
static bool begins_group(size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (str_eq(word_of(command_table[k], 0), word_of(command_table[i], 0)))
            return false;
    return true;
}

static void zsh_item(struct buf *out, struct str name, const char *text)
{
    buf_addf(out, " '%.*s:", STR_ARG(name));
    add_quoted(out, text, true);
    buf_add_char(out, '\'');
}

/* The words that may come second after a first one. */
static void zsh_groups(struct buf *out)
{
    for (size_t i = 0; command_table[i]; i++) {
        struct str first = word_of(command_table[i], 0);

        if (word_of(command_table[i], 1).len == 0 || !begins_group(i))
            continue;
        buf_addf(out, "    \"3 %.*s\") items=(", STR_ARG(first));
        for (size_t k = i; command_table[k]; k++)
            if (str_eq(word_of(command_table[k], 0), first))
                zsh_item(out, word_of(command_table[k], 1), command_table[k]->summary);
        buf_add_z(out, ") ;;\n");
    }
}

static void zsh_options(struct buf *out, const struct command *c)
{
    bool two = word_of(c, 1).len > 0;

    buf_addf(out, "    \"%s\"%s) items=('--help:tells more'", c->name, two ? "" : "\\ *");
    for (const struct option *o = c->options; o && o->name; o++) {
        buf_add_z(out, " '--");
        buf_add_z(out, o->name);
        buf_add_char(out, ':');
        add_quoted(out, o->help, true);
        buf_add_char(out, '\'');
    }
    buf_add_char(out, ')');
    for (const struct option *o = c->options; o && o->name; o++)
        if (o->type == OPTION_CHOICE)
            buf_addf(out, "\n        [[ $before = --%s ]] && compadd -- ${(s:|:):-'%s'} && return",
                     o->name, o->choices);
    buf_add_z(out, " ;;\n");
}

static void complete_zsh(struct buf *out)
{
    buf_add_z(out, "#compdef brood\n# zsh completion for brood; made from its tables.\n"
                   "_brood() {\n"
                   "    local before=$words[CURRENT-1]\n"
                   "    local -a items\n"
                   "    case \"$CURRENT $words[2]\" in\n"
                   "    2*) items=(");
    for (size_t i = 0; command_table[i]; i++)
        if (begins_group(i))
            zsh_item(out, word_of(command_table[i], 0), command_table[i]->summary);
    buf_add_z(out, ") ;;\n");
    zsh_groups(out);
    buf_add_z(out, "    esac\n"
                   "    if (( $#items )); then _describe command items; return; fi\n"
                   "    case \"$words[2] $words[3]\" in\n");
    for (int two = 1; two >= 0; two--)
        for (size_t i = 0; command_table[i]; i++)
            if ((word_of(command_table[i], 1).len > 0) == two)
                zsh_options(out, command_table[i]);
    buf_add_z(out,
              "    esac\n"
              "    if [[ $PREFIX = -* ]]; then _describe -o option items; else _files; fi\n"
              "}\n"
              "if [ \"$funcstack[1]\" = _brood ]; then _brood \"$@\"; else compdef _brood brood; "
              "fi\n");
}

/* When a line belongs to a command, or may become one. */
static void fish_begin(struct buf *out, const struct command *c, int words)
{
    buf_add_z(out, "complete -c brood -n '");
    if (words == 0)
        buf_add_z(out, "__fish_use_subcommand");
    else
        buf_addf(out, "__fish_seen_subcommand_from %.*s", STR_ARG(word_of(c, 0)));
    if (words == 2)
        buf_addf(out, "; and __fish_seen_subcommand_from %.*s", STR_ARG(word_of(c, 1)));
    buf_add_z(out, "' ");
}

static void fish_text(struct buf *out, const char *text)
{
    buf_add_z(out, " -d '");
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            buf_add_char(out, '\\');
        buf_add_char(out, *text);
    }
    buf_add_z(out, "'\n");
}

static void fish_option(struct buf *out, const struct command *c, const struct option *o)
{
    fish_begin(out, c, word_of(c, 1).len ? 2 : 1);
    buf_addf(out, "-l %s", o->name);
    if (o->letter)
        buf_addf(out, " -s %c", o->letter);
    if (o->type == OPTION_CHOICE) {
        buf_add_z(out, " -x -a '");
        for (const char *p = o->choices; *p; p++)
            buf_add_char(out, *p == '|' ? ' ' : *p);
        buf_add_char(out, '\'');
    } else if (o->type != OPTION_FLAG && !o->implied) {
        buf_add_z(out, " -r");
    }
    fish_text(out, o->help);
}

static void complete_fish(struct buf *out)
{
    buf_add_z(out, "# fish completion for brood; made from its tables.\n");
    for (size_t i = 0; command_table[i]; i++) {
        const struct command *c = command_table[i];

        if (begins_group(i)) {
            fish_begin(out, c, 0);
            buf_addf(out, "-f -a %.*s", STR_ARG(word_of(c, 0)));
            fish_text(out, c->summary);
        }
        if (word_of(c, 1).len) {
            fish_begin(out, c, 1);
            buf_addf(out, "-f -a %.*s", STR_ARG(word_of(c, 1)));
            fish_text(out, c->summary);
        }
        for (const struct option *o = c->options; o && o->name; o++)
            fish_option(out, c, o);
    }
}

enum status help_completion(const char *shell, struct buf *out)
{
    static const struct {
        const char *name;
        void (*write)(struct buf *out);
    } shells[] = {{"bash", complete_bash}, {"zsh", complete_zsh}, {"fish", complete_fish}};

    for (size_t i = 0; i < ARRAY_LEN(shells); i++)
        if (strcmp(shell, shells[i].name) == 0) {
            shells[i].write(out);
            return ST_OK;
        }
    return status_fail(ST_USAGE, "there are completions for bash, zsh and fish, not for '%s'",
                       shell);
}
