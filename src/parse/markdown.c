/* markdown.c - the main text of a page as Markdown.
 *
 * In: struct page with its main text and, better, its marks. Out: Markdown.
 *
 * Two things are followed along the marks. Boxes are what a line stands in: quotes, and items
 * of lists. Each adds to the beginning of its lines: a quote "> ", an item four columns, of
 * which the first line of the item has its bullet or number. Spans are what stands in a line:
 * links, emphasis, code. Spans that cross are cut down to those that do not.
 *
 * Source: CommonMark 0.31, GitHub Flavored Markdown 0.29. SPDX-License-Identifier: MIT
 */
#include "parse/markdown.h"

#include "parse/page/mark.h"

#define BOXES       32    /* nested; deeper ones are not written */
#define SPANS       256   /* of one passage; more are not written */
#define ACTIVE      32    /* spans open at once */
#define CELLS       64    /* of a row; the rest becomes one cell */
#define TABLE_MARKS 20000 /* of a table, read to find its widest row */

struct box {
    bool is_quote;
    bool begun; /* an item whose bullet was written */
    uint32_t number;
};

struct md_span {
    uint32_t from, to; /* in the text */
    uint8_t kind;      /* enum mark_kind */
    struct str value;
};

struct markdown {
    const struct page *page;
    struct buf *out;
    uint32_t at;  /* the next mark */
    uint32_t end; /* end of the passage before */
    struct box boxes[BOXES];
    unsigned nboxes, hidden_boxes;
    struct md_span active[ACTIVE]; /* inline elements that are open */
    unsigned nactive;
    unsigned heading;     /* level; 0: none */
    unsigned pre;         /* open pre elements */
    uint32_t pre_at;      /* the mark that opened the outermost one */
    uint32_t pre_unknown; /* 1 + the mark of the last one whose text is not known */
    uint32_t pre_done;    /* 1 + the mark of the last one written */
    unsigned tables;      /* open tables */
    bool is_row;          /* the last block was a row of a table with `columns` columns */
    unsigned columns;
    struct md_span spans[SPANS]; /* of the current passage */
    unsigned nspans;
    uint32_t cells[CELLS]; /* where they begin */
    unsigned ncells;
};

/* ---- text ---- */

/* Writes no control characters but tabs, because a terminal would obey them. Those of two bytes
 * begin with c2 and become a no-break space. */
static void put_char(struct buf *out, struct str s, size_t at)
{
    unsigned char c = (unsigned char)s.ptr[at];

    if ((c < 0x20 && c != '\t') || c == 0x7f)
        buf_add_char(out, ' ');
    else if (c >= 0x80 && c < 0xa0 && at > 0 && s.ptr[at - 1] == '\xc2')
        buf_add_char(out, '\xa0');
    else
        buf_add_char(out, (char)c);
}

/* Does an item number such as "12." or "12)" end here? At the beginning of a line it
 * would start a list. */
static bool ends_item_number(struct str s, size_t at)
{
    size_t digits = 0;

    if (at == 0 || at >= 10 || (s.ptr[at] != '.' && s.ptr[at] != ')'))
        return false;
    while (digits < at && ascii_is_digit(s.ptr[digits]))
        digits++;
    return digits == at;
}

/* Would this character be markup here? `begins`: the text begins a line. */
static bool needs_escape(struct str s, size_t at, bool begins)
{
    char c = s.ptr[at];

    if (c == '\0')
        return false;
    if (strchr("\\`*_[]<>&~|#$", c))
        return true;
    return begins && ((at == 0 && strchr("-+=:", c)) || ends_item_number(s, at));
}

static void put_escaped(struct buf *out, struct str s, bool begins)
{
    for (size_t i = 0; i < s.len; i++) {
        if (needs_escape(s, i, begins))
            buf_add_char(out, '\\');
        put_char(out, s, i);
    }
}

static size_t longest_ticks(struct str s)
{
    size_t longest = 0, run = 0;

    for (size_t i = 0; i < s.len; i++) {
        run = s.ptr[i] == '`' ? run + 1 : 0;
        if (run > longest)
            longest = run;
    }
    return longest;
}

static void put_times(struct buf *out, char c, size_t n)
{
    while (n-- > 0)
        buf_add_char(out, c);
}

/* In a table row a bar would end the cell, so it is escaped. */
static void put_code(struct buf *out, struct str s, bool in_row)
{
    size_t ticks = longest_ticks(s) + 1;
    bool padded = s.len && (s.ptr[0] == '`' || s.ptr[s.len - 1] == '`');

    put_times(out, '`', ticks);
    if (padded)
        buf_add_char(out, ' ');
    for (size_t i = 0; i < s.len; i++) {
        if (in_row && s.ptr[i] == '|')
            buf_add_char(out, '\\');
        put_char(out, s, i);
    }
    if (padded)
        buf_add_char(out, ' ');
    put_times(out, '`', ticks);
}

/* Writes "](<URL>)": URLs have neither spaces nor angle brackets. */
static void put_target(struct buf *out, struct str url)
{
    buf_add_z(out, "](<");
    for (size_t i = 0; i < url.len; i++) {
        if (strchr("\\|<>&", url.ptr[i]) != NULL)
            buf_add_char(out, '\\');
        buf_add_char(out, url.ptr[i]);
    }
    buf_add_z(out, ">)");
}

/* ---- spans ---- */

/* Is this a Unicode space of three bytes: U+2000 to U+200F and the like, or the ideographic one? */
static bool is_space3(const char *p)
{
    return (p[0] == '\xe2' && (p[1] == '\x80' || p[1] == '\x81')) ||
           (p[0] == '\xe3' && p[1] == '\x80' && p[2] == '\x80');
}

/* Does a parser see emphasis here? That depends on the characters on both sides. */
static bool is_flanked(struct str text, const struct md_span *s)
{
    char before = s->from ? text.ptr[s->from - 1] : '\n';
    char after = s->to < text.len ? text.ptr[s->to] : '\n';
    char first = text.ptr[s->from], last = text.ptr[s->to - 1];

    if (s->to - s->from >= 3 && (is_space3(text.ptr + s->from) || is_space3(text.ptr + s->to - 3)))
        return false;
    return (ascii_is_space(before) || before == '(') && !strchr("*_`", first) &&
           !strchr("*_`\\", last) && (ascii_is_space(after) || strchr(".,;:!?)", after) != NULL);
}

/* Adds a span of the passage, without white space at its ends. */
static void add_span(struct markdown *m, struct md_span s)
{
    struct str text = m->page->text;

    while (s.from < s.to && ascii_is_space(text.ptr[s.from]))
        s.from++;
    while (s.to > s.from && ascii_is_space(text.ptr[s.to - 1]))
        s.to--;
    if (s.from == s.to || m->nspans == SPANS || (s.kind == MARK_LINK && s.value.len == 0) ||
        (s.kind != MARK_LINK && s.kind != MARK_CODE && !is_flanked(text, &s)))
        return;
    m->spans[m->nspans++] = s;
}

static bool crosses(const struct md_span *a, const struct md_span *b)
{
    return (a->from < b->from && a->to > b->from && a->to < b->to) ||
           (b->from < a->from && b->to > a->from && b->to < a->to);
}

/* Removes the later of two spans that overlap, that are nested and of the same kind, or of which
 * the outer one is code. The spans are sorted by their beginning, the longer first. */
static void tidy_spans(struct markdown *m)
{
    unsigned n = 0;

    for (unsigned i = 1; i < m->nspans; i++) /* few, and nearly sorted */
        for (unsigned k = i; k > 0; k--) {
            struct md_span *a = &m->spans[k - 1], *b = &m->spans[k], c = *a;

            if (a->from < b->from || (a->from == b->from && a->to >= b->to))
                break;
            *a = *b;
            *b = c;
        }
    for (unsigned i = 0; i < m->nspans; i++) {
        const struct md_span *s = &m->spans[i];
        bool is_good = true;

        for (unsigned k = 0; k < n && is_good; k++) {
            const struct md_span *o = &m->spans[k];
            bool apart = o->to <= s->from;

            is_good = apart || (!crosses(o, s) && o->kind != MARK_CODE && o->kind != s->kind);
        }
        if (is_good)
            m->spans[n++] = *s;
    }
    m->nspans = n;
}

static void open_span(struct buf *out, const struct md_span *s)
{
    if (s->kind == MARK_LINK)
        buf_add_char(out, '[');
    else if (s->kind != MARK_CODE)
        buf_add_z(out, s->kind == MARK_STRONG ? "**" : "*");
}

static void close_span(struct buf *out, const struct md_span *s)
{
    if (s->kind == MARK_LINK)
        put_target(out, s->value);
    else if (s->kind != MARK_CODE)
        buf_add_z(out, s->kind == MARK_STRONG ? "**" : "*");
}

/* The line that is being written, and its spans. */
struct md_line {
    struct markdown *m;
    uint32_t from, to;
    bool in_row;
    const struct md_span *open[SPANS];
    unsigned nopen, next; /* the next span that may begin */
};

static void close_ended(struct md_line *l, uint32_t at)
{
    while (l->nopen && l->open[l->nopen - 1]->to <= at)
        close_span(l->m->out, l->open[--l->nopen]);
}

/* Opens the spans that begin here. Those that end beyond the line are not written. */
static void open_begun(struct md_line *l, uint32_t at)
{
    for (; l->next < l->m->nspans && l->m->spans[l->next].from <= at; l->next++) {
        const struct md_span *s = &l->m->spans[l->next];

        if (s->from < at || s->to > l->to)
            continue;
        open_span(l->m->out, s);
        l->open[l->nopen++] = s;
    }
}

/* Returns where the next span begins or ends. */
static uint32_t next_stop(const struct md_line *l)
{
    uint32_t stop = l->to;

    if (l->nopen && l->open[l->nopen - 1]->to < stop)
        stop = l->open[l->nopen - 1]->to;
    if (l->next < l->m->nspans && l->m->spans[l->next].from < stop)
        stop = l->m->spans[l->next].from;
    return stop;
}

static void put_piece(const struct md_line *l, uint32_t at, uint32_t stop)
{
    struct str piece = str_sub(l->m->page->text, at, stop);

    if (l->nopen && l->open[l->nopen - 1]->kind == MARK_CODE)
        put_code(l->m->out, piece, l->in_row);
    else
        put_escaped(l->m->out, piece, at == l->from && !l->in_row);
}

/* Writes text[from, to) with its spans. */
static void put_line(struct markdown *m, uint32_t from, uint32_t to, bool in_row)
{
    struct md_line l = {.m = m, .from = from, .to = to, .in_row = in_row};

    for (uint32_t at = from, stop; at < to; at = stop) {
        close_ended(&l, at);
        open_begun(&l, at);
        stop = next_stop(&l);
        put_piece(&l, at, stop);
    }
    close_ended(&l, UINT32_MAX);
}

/* ---- boxes ---- */

/* Writes what every line begins with, and the bullets of items that begin here. */
static void put_prefix(struct markdown *m, bool bullets)
{
    for (unsigned i = 0; i < m->nboxes; i++) {
        struct box *b = &m->boxes[i];

        if (b->is_quote) {
            buf_add_z(m->out, "> ");
        } else if (!b->begun && bullets) {
            if (b->number)
                buf_addf(m->out, b->number < 10 ? "%u.  " : "%u. ",
                         b->number < 100 ? b->number : 99);
            else
                buf_add_z(m->out, "-   ");
            b->begun = true;
        } else if (b->begun) {
            buf_add_z(m->out, "    ");
        }
    }
}

static void begin_block(struct markdown *m, bool is_row)
{
    if (m->out->len && !(is_row && m->is_row)) {
        if (m->out->data[m->out->len - 1] != '\n')
            buf_add_char(m->out, '\n');
        buf_add_char(m->out, '\n');
    }
    m->is_row = is_row;
    put_prefix(m, true);
}

/* ---- marks ---- */

static void push_box(struct markdown *m, bool is_quote, uint32_t number)
{
    if (m->nboxes == BOXES)
        m->hidden_boxes++;
    else
        m->boxes[m->nboxes++] = (struct box){.is_quote = is_quote, .number = number};
}

static void pop_box(struct markdown *m)
{
    if (m->hidden_boxes)
        m->hidden_boxes--;
    else if (m->nboxes)
        m->nboxes--;
}

static void close_active(struct markdown *m, unsigned kind, uint32_t off, bool add)
{
    for (unsigned i = m->nactive; i > 0; i--) {
        if (m->active[i - 1].kind != kind)
            continue;
        m->active[i - 1].to = off;
        if (add)
            add_span(m, m->active[i - 1]);
        memmove(&m->active[i - 1], &m->active[i], (m->nactive - i) * sizeof *m->active);
        m->nactive--;
        return;
    }
}

static void follow_span(struct markdown *m, const struct page_mark *k, bool inside)
{
    if (!k->opens)
        close_active(m, k->kind, k->off, inside);
    else if (m->nactive < ACTIVE)
        m->active[m->nactive++] = (struct md_span){k->off, 0, k->kind, k->value};
}

static void follow_pre(struct markdown *m, const struct page_mark *k, uint32_t at)
{
    if (k->opens && m->pre++ == 0)
        m->pre_at = at;
    else if (!k->opens && m->pre)
        m->pre--;
}

static void follow_box(struct markdown *m, const struct page_mark *k)
{
    if (k->opens)
        push_box(m, k->kind == MARK_QUOTE, k->level);
    else
        pop_box(m);
}

static void follow_table(struct markdown *m, const struct page_mark *k)
{
    if (k->opens)
        m->tables++;
    else if (m->tables)
        m->tables--;
    m->is_row = false;
}

/* Follows one mark. Inside a passage, spans and cells are recorded. */
static void follow(struct markdown *m, const struct page_mark *k, uint32_t at, bool inside)
{
    switch (k->kind) {
    case MARK_LINK:
    case MARK_STRONG:
    case MARK_EMPHASIS:
    case MARK_CODE:
        follow_span(m, k, inside);
        break;
    case MARK_PRE:
        follow_pre(m, k, at);
        break;
    case MARK_HEADING:
        m->heading = k->opens ? k->level : 0;
        break;
    case MARK_ITEM:
    case MARK_QUOTE:
        follow_box(m, k);
        break;
    case MARK_TABLE:
        follow_table(m, k);
        break;
    case MARK_ROW:
        m->ncells = 0;
        break;
    case MARK_CELL:
        if (k->opens && inside && m->ncells < CELLS)
            m->cells[m->ncells++] = k->off;
        break;
    }
}

/* Guesses the markup from the kind of the passage, if there are no marks. */
static void guess(struct markdown *m, const struct passage *p)
{
    m->nboxes = 0;
    m->heading = p->kind == PASSAGE_HEADING ? 2 : 0;
    if (p->kind == PASSAGE_LIST)
        push_box(m, false, 0);
    if (p->kind == PASSAGE_QUOTE)
        push_box(m, true, 0);
}

static void put_image(struct markdown *m, struct str url)
{
    begin_block(m, false);
    buf_add_z(m->out, "![");
    put_target(m->out, url);
}

/* Follows the marks up to a passage, and then those inside it. */
static void follow_to(struct markdown *m, const struct passage *p)
{
    const struct page *page = m->page;
    bool follows = p->off <= m->end + 1; /* no text was left out between them */

    m->nspans = m->ncells = 0;
    if (page->nmarks == 0)
        guess(m, p);
    for (; m->at < page->nmarks; m->at++) {
        const struct page_mark *k = &page->marks[m->at];

        if (k->off > p->off || (k->off == p->off && (p->off || !k->opens)))
            break;
        if (k->kind == MARK_IMAGE && follows && k->value.len)
            put_image(m, k->value);
        follow(m, k, m->at, k->kind == MARK_CELL);
    }
    for (unsigned i = 0; i < m->nactive; i++)
        m->active[i].from = p->off;
}

static void follow_inside(struct markdown *m, const struct passage *p)
{
    const struct page *page = m->page;
    uint32_t end = p->off + p->len;

    for (; m->at < page->nmarks; m->at++) {
        const struct page_mark *k = &page->marks[m->at];

        if (k->off > end || (k->off == end && (k->opens || k->kind > MARK_CODE)))
            break;
        follow(m, k, m->at, true);
    }
    for (unsigned i = 0; i < m->nactive; i++) {
        struct md_span s = m->active[i];

        s.to = end;
        add_span(m, s);
    }
    tidy_spans(m);
}

/* ---- blocks ---- */

/* Returns the text of the open pre element, without empty lines around it, and its language. */
static struct str pre_text(const struct markdown *m, struct str *ret_language)
{
    const struct page *page = m->page;
    struct str code = {NULL, 0}, language = page->marks[m->pre_at].value;
    unsigned open = 0;

    for (uint32_t i = m->pre_at; i < page->nmarks; i++) {
        const struct page_mark *k = &page->marks[i];

        if (k->kind == MARK_CODE && k->opens && language.len == 0)
            language = k->value;
        if (k->kind != MARK_PRE)
            continue;
        open += k->opens ? 1u : -1u;
        if (open == 0) {
            code = k->value;
            break;
        }
    }
    while (code.len && (code.ptr[code.len - 1] == '\n' || code.ptr[code.len - 1] == ' '))
        code.len--;
    *ret_language = language;
    return code.len && code.ptr[0] == '\n' ? str_sub(code, 1, code.len) : code;
}

/* Writes the language of a code block, without characters that would end the line of its fence. */
static void put_language(struct buf *out, struct str language)
{
    for (size_t i = 0; i < language.len; i++) {
        char c = language.ptr[i];

        if (!ascii_is_alpha(c) && !ascii_is_digit(c) && c != '+' && c != '#' && c != '-')
            return;
        buf_add_char(out, c);
    }
}

static void put_fenced(struct markdown *m, struct str code, struct str language)
{
    size_t ticks = longest_ticks(code) < 3 ? 3 : longest_ticks(code) + 1;
    struct str line;

    begin_block(m, false);
    put_times(m->out, '`', ticks);
    put_language(m->out, language);
    while (str_cut(&code, '\n', &line)) {
        buf_add_char(m->out, '\n');
        put_prefix(m, false);
        for (size_t i = 0; i < line.len; i++)
            put_char(m->out, line, i);
    }
    buf_add_char(m->out, '\n');
    put_prefix(m, false);
    put_times(m->out, '`', ticks);
}

/* Writes the original text of the pre element, once. Returns false if it is not known. */
static bool put_pre(struct markdown *m)
{
    struct str language, code = pre_text(m, &language);

    if (code.len == 0) {
        m->pre_unknown = m->pre_at + 1;
        return false;
    }
    m->pre_done = m->pre_at + 1;
    put_fenced(m, code, language);
    return true;
}

/* Returns how many cells the widest row of the rest of this table has. */
static unsigned widest(const struct markdown *m)
{
    unsigned most = 0, row = 0, depth = 1;

    for (uint32_t i = m->at; i < m->page->nmarks && i - m->at < TABLE_MARKS && depth; i++) {
        const struct page_mark *k = &m->page->marks[i];

        if (k->kind == MARK_TABLE)
            depth += k->opens ? 1u : -1u;
        if (k->kind == MARK_ROW)
            row = 0;
        if (k->kind == MARK_CELL && k->opens && ++row > most)
            most = row;
    }
    return most < CELLS ? most : CELLS;
}

static void put_row(struct markdown *m, const struct passage *p)
{
    bool first = !m->is_row;
    unsigned n = 0;

    if (first) {
        unsigned wide = widest(m);

        m->columns = wide > m->ncells ? wide : m->ncells;
        begin_block(m, true);
    } else {
        put_prefix(m, false);
    }
    for (unsigned i = 0; i < m->ncells; i++, n++) {
        uint32_t from = i > 0 ? m->cells[i] : p->off; /* it may continue from a line before */
        uint32_t to = i + 1 < m->ncells && n + 1 < m->columns ? m->cells[i + 1] : p->off + p->len;
        struct str text = m->page->text;

        while (from < to && ascii_is_space(text.ptr[from]))
            from++;
        while (to > from && ascii_is_space(text.ptr[to - 1]))
            to--;
        buf_add_z(m->out, "| ");
        put_line(m, from, to, true);
        buf_add_char(m->out, ' ');
        if (n + 1 == m->columns) {
            n++;
            break;
        }
    }
    for (; n < m->columns; n++)
        buf_add_z(m->out, "| ");
    buf_add_z(m->out, "|\n");
    if (!first)
        return;
    put_prefix(m, false);
    for (n = 0; n < m->columns; n++)
        buf_add_z(m->out, "| --- ");
    buf_add_z(m->out, "|\n");
}

static void put_passage(struct markdown *m, const struct passage *p)
{
    bool is_row = m->tables && p->kind == PASSAGE_TABLE && !m->heading;

    if (m->pre && m->pre_unknown != m->pre_at + 1 && (m->pre_done == m->pre_at + 1 || put_pre(m)))
        return;
    follow_inside(m, p);
    if (p->kind == PASSAGE_CODE && !m->heading) {
        m->spans[0] = (struct md_span){p->off, p->off + p->len, MARK_CODE, {NULL, 0}};
        m->nspans = 1;
    }
    if (is_row && m->ncells > 1) {
        put_row(m, p);
        return;
    }
    begin_block(m, false);
    if (m->heading) {
        put_times(m->out, '#', m->heading);
        buf_add_char(m->out, ' ');
    }
    put_line(m, p->off, p->off + p->len, false);
}

void markdown_write(const struct page *page, struct buf *out)
{
    struct markdown m = {.page = page, .out = out};

    for (uint32_t i = 0; i < page->nmain; i++)
        if (page->main[i].len) {
            follow_to(&m, &page->main[i]);
            put_passage(&m, &page->main[i]);
            m.end = page->main[i].off + page->main[i].len;
        }
    if (out->len && out->data[out->len - 1] != '\n')
        buf_add_char(out, '\n');
}
