/* wordnet.c - looking words up in the text of WordNet's files.
 * SPDX-License-Identifier: MIT
 *
 * Offsets in, places in lines out: nothing is copied or kept. The two sorted
 * files are searched by halving the bytes, not the lines: the line that holds
 * the middle byte is compared. The licence stands at the head of index.noun and
 * data.noun, in lines that begin with a blank; a blank sorts before every lemma,
 * so the search needs no exception for them. */
#include "models/crew/wordnet.h"

#include "base/limits.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define OFFSET_DIGITS 8

static uint32_t least(uint64_t value, uint32_t most)
{
    return value < most ? (uint32_t)value : most;
}

/* ---- sorted files ---- */

/* Returns the line that holds the byte `at`, without its end. */
static struct str line_at(struct str text, size_t at, size_t *ret_from)
{
    size_t from = at, to;

    while (from > 0 && text.ptr[from - 1] != '\n')
        from--;
    to = str_find_char(text, '\n', at);
    *ret_from = from;
    return str_sub(text, from, to);
}

/* Finds what follows the key in its line. Returns false if no line begins with it. */
static bool sorted_find(struct str text, struct str key, struct str *ret_rest)
{
    size_t low = 0, high = text.len;

    while (low < high) {
        size_t from;
        struct str rest = line_at(text, low + (high - low) / 2, &from), first = STR("");
        size_t end = from + rest.len;
        int order;

        str_cut(&rest, ' ', &first);
        order = str_cmp(key, first);
        if (order == 0) {
            *ret_rest = rest;
            return true;
        }
        if (order < 0)
            high = from;
        else
            low = end + 1;
    }
    return false;
}

/* Reads the next part of a line; blanks at the end of the line are no part. */
static bool next_field(struct str *rest, struct str *ret)
{
    while (str_cut(rest, ' ', ret)) {
        if (ret->len > 0)
            return true;
    }
    return false;
}

static bool next_number(struct str *rest, uint64_t *ret)
{
    struct str field;

    return next_field(rest, &field) && str_to_u64(field, ret);
}

static bool next_offset(struct str *rest, uint32_t *ret)
{
    struct str field;
    uint64_t value;

    if (!next_field(rest, &field) || field.len != OFFSET_DIGITS || !str_to_u64(field, &value))
        return false;
    *ret = (uint32_t)value;
    return true;
}

/* ---- lemmas ---- */

size_t wordnet_senses(const struct wordnet *w, struct str lemma, uint32_t ret[WORDNET_SENSES])
{
    struct str rest, skipped;
    uint64_t senses, symbols;
    size_t n = 0;

    /* lemma n senses symbols [symbol ...] senses tagged offset ... */
    if (lemma.len == 0 || lemma.len > WORDNET_LEMMA || !sorted_find(w->index, lemma, &rest) ||
        !next_field(&rest, &skipped) || !next_number(&rest, &senses) ||
        !next_number(&rest, &symbols))
        return 0;
    for (uint64_t i = 0; i < symbols; i++) {
        if (!next_field(&rest, &skipped))
            return 0;
    }
    if (!next_field(&rest, &skipped) || !next_field(&rest, &skipped))
        return 0;
    while (n < least(senses, WORDNET_SENSES) && next_offset(&rest, &ret[n]))
        n++;
    return n;
}

/* Lowers the word and writes '_' for blanks. Returns false if it is too long for a lemma. */
static bool normal_form(struct str word, struct wordnet_form *ret)
{
    if (word.len == 0 || word.len > sizeof ret->text)
        return false;
    for (size_t i = 0; i < word.len; i++)
        ret->text[i] = ascii_is_space(word.ptr[i]) ? '_' : ascii_lower(word.ptr[i]);
    ret->len = word.len;
    return true;
}

/* ---- morphology: morphy(7WN) for nouns ---- */

static const struct {
    struct str ending, instead;
} plurals[] = {
#define RULE(ending, instead)            \
    {                                    \
        {ending, sizeof(ending) - 1},    \
        {                                \
            instead, sizeof(instead) - 1 \
        }                                \
    }
    RULE("s", ""),      RULE("ses", "s"),   RULE("xes", "x"),   RULE("zes", "z"),
    RULE("ches", "ch"), RULE("shes", "sh"), RULE("men", "man"), RULE("ies", "y"),
#undef RULE
};

static bool is_lemma(const struct wordnet *w, struct str text)
{
    struct str rest;

    return text.len > 0 && sorted_find(w->index, text, &rest);
}

/* Adds stem + ending if the index has it and the list does not. */
static size_t add_form(const struct wordnet *w, struct wordnet_form *ret, size_t n, struct str stem,
                       struct str ending, struct str tail)
{
    struct wordnet_form f;

    if (n >= WORDNET_FORMS || stem.len + ending.len + tail.len > sizeof f.text)
        return n;
    memcpy(f.text, stem.ptr, stem.len);
    memcpy(f.text + stem.len, ending.ptr, ending.len);
    memcpy(f.text + stem.len + ending.len, tail.ptr, tail.len);
    f.len = stem.len + ending.len + tail.len;
    if (!is_lemma(w, wordnet_form_str(&f)))
        return n;
    for (size_t i = 0; i < n; i++) {
        if (str_eq(wordnet_form_str(&ret[i]), wordnet_form_str(&f)))
            return n;
    }
    ret[n] = f;
    return n + 1;
}

/* "boxesful" is "boxful": the rules look at what stands before "ful". */
static size_t add_by_rules(const struct wordnet *w, struct wordnet_form *ret, size_t n,
                           struct str word)
{
    struct str tail = STR("");

    if (str_ends(word, STR("ful"))) {
        tail = STR("ful");
        word.len -= tail.len;
    } else if (word.len <= 2 || str_ends(word, STR("ss"))) {
        return n;
    }
    for (size_t i = 0; i < ARRAY_LEN(plurals); i++) {
        if (word.len > plurals[i].ending.len && str_ends(word, plurals[i].ending))
            n = add_form(w, ret, n, str_sub(word, 0, word.len - plurals[i].ending.len),
                         plurals[i].instead, tail);
    }
    return n;
}

size_t wordnet_forms(const struct wordnet *w, struct str word,
                     struct wordnet_form ret[WORDNET_FORMS])
{
    struct wordnet_form form;
    struct str text, rest, lemma;
    size_t n;

    if (!normal_form(word, &form))
        return 0;
    text = wordnet_form_str(&form);
    n = add_form(w, ret, 0, text, STR(""), STR(""));
    if (!sorted_find(w->exceptions, text, &rest))
        return add_by_rules(w, ret, n, text);
    while (next_field(&rest, &lemma))
        n = add_form(w, ret, n, lemma, STR(""), STR(""));
    return n;
}

/* ---- synsets ---- */

static bool is_hex(struct str s, uint32_t *ret)
{
    uint32_t value = 0;

    if (s.len == 0 || s.len > 4)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        int digit = ascii_hex(s.ptr[i]);

        if (digit < 0)
            return false;
        value = value * 16 + (uint32_t)digit;
    }
    *ret = value;
    return true;
}

bool wordnet_synset(const struct wordnet *w, uint32_t offset, struct synset *ret)
{
    struct synset s = {.in_words = true};
    struct str field;
    uint32_t own;
    size_t end;

    /* A synset's line begins with its own offset: any other place is a mistake. */
    if (offset >= w->data.len || (offset > 0 && w->data.ptr[offset - 1] != '\n'))
        return false;
    end = str_find_char(str_sub(w->data, offset, offset + LIMIT_WORDNET_LINE), '\n', 0);
    if (end == SIZE_MAX)
        end = LIMIT_WORDNET_LINE;
    s.rest = str_sub(w->data, offset, offset + end);
    if (!next_offset(&s.rest, &own) || own != offset || !next_field(&s.rest, &field) ||
        !next_field(&s.rest, &field) || !str_eq(field, STR("n")) || !next_field(&s.rest, &field) ||
        !is_hex(field, &s.words))
        return false;
    *ret = s;
    return true;
}

bool synset_word(struct synset *s, struct str *ret)
{
    struct str id;

    if (!s->in_words || s->words == 0)
        return false;
    if (!next_field(&s->rest, ret) || !next_field(&s->rest, &id)) {
        s->words = 0;
        s->rest = STR(""); /* no pointers either */
        return false;
    }
    s->words--;
    return true;
}

static enum wordnet_relation relation_of(struct str symbol)
{
    static const char kinds[] = "@~#%";
    const char *at = symbol.len > 0 ? memchr(kinds, symbol.ptr[0], 4) : NULL;

    return at ? (enum wordnet_relation)(WORDNET_HYPERNYM + (at - kinds)) : WORDNET_OTHER;
}

static bool pointers_begin(struct synset *s)
{
    struct str skipped;
    uint64_t n;

    while (synset_word(s, &skipped))
        continue;
    s->in_words = false;
    if (!next_number(&s->rest, &n))
        return false;
    s->pointers = least(n, LIMIT_WORDNET_LINE);
    return true;
}

bool synset_pointer(struct synset *s, enum wordnet_relation *ret_relation, uint32_t *ret_offset)
{
    struct str symbol, part, places;

    if (s->in_words && !pointers_begin(s))
        return false;
    if (s->pointers == 0)
        return false;
    s->pointers--;
    if (!next_field(&s->rest, &symbol) || !next_offset(&s->rest, ret_offset) ||
        !next_field(&s->rest, &part) || !next_field(&s->rest, &places)) {
        s->pointers = 0;
        return false;
    }
    *ret_relation = str_eq(part, STR("n")) ? relation_of(symbol) : WORDNET_OTHER;
    return true;
}

/* ---- files -------------------------------------------------------------------------
 *
 * A dictionary of 20 MB of which a crawl looks at a few pages is better mapped than read. */

/* Debian, Fedora, BSD ports, and where Princeton's own installer puts it. */
static const char *const places[] = {
    "/usr/share/wordnet",
    "/usr/share/wordnet/dict",
    "/usr/share/wordnet-3.0/dict",
    "/usr/local/WordNet-3.0/dict",
    "/usr/local/share/wordnet/dict",
    "/usr/share/wordnet-3.1/dict",
    "/opt/homebrew/opt/wordnet/dict",
};

static enum status map_fd(int fd, const char *path, struct str *ret)
{
    struct stat about;
    void *bytes;

    if (fstat(fd, &about) != 0)
        return status_fail(ST_IO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(about.st_mode))
        return status_fail(ST_INVALID, "%s is not a regular file", path);
    if ((uintmax_t)about.st_size > LIMIT_WORDNET_FILE)
        return status_fail(ST_LIMIT, "%s is larger than any file of WordNet", path);
    *ret = STR("");
    if (about.st_size == 0)
        return ST_OK;
    bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return status_fail(ST_IO, "%s: %s", path, strerror(errno));
    *ret = (struct str){bytes, (size_t)about.st_size};
    return ST_OK;
}

static enum status map_file(const char *dir, const char *name, struct str *ret)
{
    char path[PATH_MAX];
    enum status st;
    int fd;

    if (snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path)
        return status_fail(ST_MISSING, "%s: the name is too long", dir);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return status_fail(errno == ENOENT || errno == ENOTDIR ? ST_MISSING : ST_IO, "%s: %s", path,
                           strerror(errno));
    st = map_fd(fd, path, ret);
    close(fd);
    return st;
}

/* A file that is not WordNet's is reported at once; otherwise it would only seem empty. */
static enum status check_format(const struct wordnet *w, const char *dir)
{
    static const uint32_t first_line_max = 100000; /* bytes of licence before it */
    struct str head = str_sub(w->data, 0, first_line_max), line, rest;
    struct synset s;

    for (rest = head; str_cut(&rest, '\n', &line);) {
        if (!str_starts(line, STR(" ")))
            return wordnet_synset(w, (uint32_t)(line.ptr - head.ptr), &s)
                       ? ST_OK
                       : status_fail(ST_INVALID, "%s/data.noun is not a file of WordNet", dir);
    }
    return status_fail(ST_INVALID, "%s/data.noun is not a file of WordNet", dir);
}

static enum status open_in(const char *dir, struct wordnet **ret)
{
    struct wordnet *w = MEM_NEW(struct wordnet);
    enum status st = map_file(dir, "index.noun", &w->index);

    if (st == ST_OK)
        st = map_file(dir, "data.noun", &w->data);
    if (st == ST_OK) {
        st = map_file(dir, "noun.exc", &w->exceptions);
        if (st == ST_MISSING)
            st = ST_OK; /* without irregular plurals */
    }
    if (st == ST_OK)
        st = check_format(w, dir);
    if (st == ST_OK)
        *ret = w;
    else
        wordnet_free(w);
    return st;
}

static enum status open_home(const char *home, struct wordnet **ret)
{
    char dir[PATH_MAX];

    if (snprintf(dir, sizeof dir, "%s/dict", home) >= (int)sizeof dir)
        return status_fail(ST_MISSING, "%s: the name is too long", home);
    return open_in(dir, ret);
}

/* The dictionary that the environment names. */
static enum status named(enum status st, const char *variable)
{
    return st == ST_OK ? st
                       : status_prefix(st,
                                       "there is no WordNet where %s says, so that related words "
                                       "count only where their stems are equal",
                                       variable);
}

enum status wordnet_open(const char *dir, struct wordnet **ret)
{
    const char *search = getenv("WNSEARCHDIR"), *home = getenv("WNHOME");

    if (dir && *dir)
        return named(open_in(dir, ret), "the option");
    if (search && *search)
        return named(open_in(search, ret), "WNSEARCHDIR");
    if (home && *home)
        return named(open_home(home, ret), "WNHOME");
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        enum status st = open_in(places[i], ret);

        if (st != ST_MISSING)
            return st;
    }
    return status_fail(ST_MISSING,
                       "WordNet is not installed: related words count only where their stems are "
                       "equal. Install the package wordnet-base (Debian, Ubuntu), or name the "
                       "folder of index.noun and data.noun in WNSEARCHDIR");
}

static void unmap(struct str text)
{
    if (text.len > 0)
        munmap((void *)(uintptr_t)text.ptr, text.len);
}

void wordnet_free(struct wordnet *w)
{
    if (w == NULL)
        return;
    unmap(w->index);
    unmap(w->data);
    unmap(w->exceptions);
    free(w);
}
