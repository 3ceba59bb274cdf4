/* page_html.c - from HTML tokens to text, words and links, in one pass.
 *
 * In: a document in UTF-8. Out: p->text, p->links, and what page_head.c finds.
 * The main structure is the stack of open elements. It stands for the tree: an
 * element is an interval of words and of links, known when it closes.
 *
 *   stack   html  body  ul  li  a          pending  #3 #4 #5
 *   words      0     2  40  61  63                   ^ li.first_pending
 *
 * A link's aggregation node is its nearest ancestor with words enough: 10, 20 or
 * 40. A link is pending until then, for each of the three: an element that closes
 * with enough words settles all links that are pending inside it, the others leave
 * them to their parent; body settles the rest. So each link is settled once for
 * each size, whatever the nesting.
 *
 * End tags that people leave out are implied by the table of html_tag.c. Text
 * in nav, header, footer and aside is kept; their intervals are on the stack
 * like all others, should a caller want the main text alone.
 *
 * Hidden (no text, but links count): template and the like, select, the hidden
 * attribute, display:none, aria-hidden, noscript. In a template links do not count
 * either: they are forms to be filled.
 *
 * Workload: 700 tags, 100 links, 9 KB of text a page.
 * Source: WHATWG HTML 13.2.6; docs/models/best-first.md for the contexts of links.
 * SPDX-License-Identifier: MIT
 */
#include "parse/page/page_int.h"

#include "base/hash.h"
#include "base/mem.h"

#define NAME_MAX_PATH 32 /* bytes of a tag name in a path */
#define LOOK_MAX      64 /* open elements searched for the one that an end tag closes */

static const struct html_tag_info *info_of(const struct open *e)
{
    return html_tag_info(e->tag);
}

/* Elements without a family have the last place. */
static unsigned family_index(unsigned family)
{
    return (unsigned)__builtin_ctz(family | 1u << FAM_COUNT);
}

/* What an element puts between the text in it and the text around it. */
static unsigned gap_of(const struct html_tag_info *info)
{
    return info->flags & (TAG_BLOCK | TAG_CELL);
}

/* Custom elements, too, are mostly boxes. */
static bool makes_lines(const struct open *e)
{
    return e->tag == TAG_OTHER || info_of(e)->flags & (TAG_BLOCK | TAG_CELL);
}

/* ---- the stack ------------------------------------------------------------ */

static uint64_t path_step(uint64_t parent, unsigned tag, struct str name)
{
    return hash_u64(parent ^ (tag != TAG_OTHER ? tag : hash_str(name))) + 1;
}

/* Most elements have no links, so their paths are not asked for. */
uint64_t page_html_path(struct page_parser *p)
{
    unsigned i = p->depth;
    uint64_t path;

    while (i > 0 && p->stack[i - 1].path == 0)
        i--;
    path = i ? p->stack[i - 1].path : 0;
    for (; i < p->depth; i++)
        p->stack[i].path = path = path_step(path, p->stack[i].tag, p->stack[i].name);
    return path;
}

static bool is_root(const struct open *e)
{
    return e->tag == TAG_BODY || e->tag == TAG_HTML;
}

#define BYTES_MIN 19 /* in ten words: ten letters, and nine bytes between them */

/* Can e settle a link that is pending inside it? Settling the links of one size also settles those
 * of all smaller sizes. */
static bool may_settle(const struct page_parser *p, const struct open *e)
{
    return p->pending[NODE_SIZES - 1].count > e->first_pending[NODE_SIZES - 1] &&
           (p->text.len - e->first_at >= BYTES_MIN || is_root(e));
}

/* Settles the links that are pending inside e, if it has enough words. Not inlined: it is rarely
 * needed, and otherwise registers would be saved for every element. */
static __attribute__((noinline)) void settle(struct page_parser *p, const struct open *e)
{
    uint32_t words = page_text_words(&p->text);
    uint32_t first = page_text_words_before(&p->text, e->first_at), count = words - first;
    uint32_t links = (uint32_t)p->links.count - e->first_link;
    static const uint32_t least[NODE_SIZES] = {10, 20, 40};
    struct span node = {first, words};
    bool is_last = is_root(e);

    if (count > LINK_NODE_WORDS || links > LINK_NODE_LINKS)
        node = NODE_IS_WINDOW;
    for (unsigned size = 0; size < NODE_SIZES && (count >= least[size] || is_last); size++) {
        struct pending *q = &p->pending[size];

        while (q->count > e->first_pending[size])
            p->links.items[q->links[--q->count]].nodes[size] = node;
    }
}

/* Takes the element at `at` off the stack; those above it stay. */
static void close_at(struct page_parser *p, unsigned at)
{
    struct open *e = &p->stack[at];
    const struct html_tag_info *info = info_of(e);

    if (may_settle(p, e)) /* most elements cannot, so their words need no counting */
        settle(p, e);
    if (e->mark)
        page_mark_close(p, e->mark);
    if (e->link != NO_LINK)
        p->links.items[e->link].anchor_end = (uint32_t)p->text.len;
    if (--p->counts[family_index(info->family)] == 0)
        p->families &= ~info->family;
    if (info->flags & TAG_FOREIGN)
        p->html.foreign = --p->foreign > 0;
    if (p->hidden_at > at)
        p->hidden_at = p->hidden_at == at + 1 ? 0 : p->hidden_at - 1;
    if (p->inert_at > at)
        p->inert_at = p->inert_at == at + 1 ? 0 : p->inert_at - 1;
    page_text_gap(&p->text, gap_of(info));
    if (at + 1 < p->depth) /* it stays in the paths of those above it */
        (void)page_html_path(p);
    p->depth--;
    if (at < p->depth)
        memmove(e, e + 1, (p->depth - at) * sizeof *e);
}

static void close_down_to(struct page_parser *p, unsigned depth)
{
    while (p->depth > depth)
        close_at(p, p->depth - 1);
}

/* Returns NULL if the stack is full. */
static struct open *push(struct page_parser *p, unsigned tag, struct str name)
{
    const struct html_tag_info *info = html_tag_info(tag);
    struct open *e;

    if (p->depth == LIMIT_NESTING) {
        p->beyond++;
        p->page->cut = true;
        return NULL;
    }
    e = &p->stack[p->depth];
    /* Field by field: compilers zero a struct of this size by `rep stos`, which starts slowly. */
    e->name = name;
    e->path = 0;
    e->first_at = (uint32_t)p->text.len;
    e->first_link = (uint32_t)p->links.count;
    e->link = NO_LINK;
    e->tag = (uint16_t)tag;
    e->mark = 0;
    e->items = e->holder = 0;
    e->names = (struct main_names){{NULL, 0}, {NULL, 0}, {NULL, 0}};
    for (unsigned size = 0; size < NODE_SIZES; size++)
        e->first_pending[size] = (uint32_t)p->pending[size].count;
    p->depth++;
    p->counts[family_index(info->family)]++;
    p->families |= info->family;
    if (info->flags & TAG_FOREIGN) {
        p->foreign++;
        p->html.foreign = true;
    }
    return e;
}

/* Undoes a push() that was needed for the path only. */
static void close_void(struct page_parser *p, bool tracked)
{
    if (tracked)
        close_at(p, p->depth - 1);
    else
        p->beyond--;
}

/* Closes what the start tag of `info` implies. */
static void close_implied(struct page_parser *p, const struct html_tag_info *info)
{
    unsigned closes = info->closes & p->families, found = 0;

    for (unsigned i = p->depth, n = 0; closes && i > 1 && n < LOOK_MAX; i--, n++) {
        const struct html_tag_info *open = info_of(&p->stack[i - 1]);

        if (open->family & closes) {
            found = i;
            closes &= ~open->family;
        } else if (open->family & info->up_to ||
                   (open->flags & TAG_SCOPE &&
                    !(info->family & (FAM_CELL | FAM_ROW | FAM_SECTION)))) {
            break;
        }
    }
    if (found)
        close_down_to(p, found - 1);
}

/* Opens html and body, which exist even if they are not written. A frameset takes the
 * place of a body. */
static void open_body(struct page_parser *p, unsigned tag)
{
    if (p->depth == 0)
        push(p, TAG_HTML, STR("html"));
    close_down_to(p, 1);
    push(p, tag, str_of(html_tag_info(tag)->name));
    p->in_body = true;
}

/* ---- links -------------------------------------------------------------------- */

/* Adds a link of the element on top of the stack. */
static struct raw_link *add_link(struct page_parser *p, struct str href, enum link_kind kind)
{
    struct raw_link *link;

    href = str_trim(href);
    /* A fragment alone stays on this page, unless a base points elsewhere. */
    if (p->inert_at || (href.len == 0 && kind != LINK_A) ||
        (p->base_href.ptr == NULL && (href.len == 0 || href.ptr[0] == '#')))
        return NULL;
    link = page_link_add(p, href, kind);
    if (link == NULL)
        return NULL;
    for (unsigned size = 0; size < NODE_SIZES; size++) {
        struct pending *q = &p->pending[size];

        if (q->count == q->cap)
            MEM_GROW(q->links, q->count, &q->cap);
        q->links[q->count++] = (uint32_t)p->links.count - 1;
    }
    return link;
}

/* Starts an <a>, whose words are known when it closes. `e` is NULL if it is not tracked. */
static void start_anchor(struct page_parser *p, const struct html_token *t, struct open *e)
{
    struct str href, rel;
    struct raw_link *link;

    if (!html_attr(t, STR("href"), &href) && !html_attr(t, STR("xlink:href"), &href))
        return;
    link = add_link(p, href, LINK_A);
    if (link == NULL)
        return;
    if (e != NULL)
        e->link = (uint32_t)p->links.count - 1;
    if (html_attr(t, STR("rel"), &rel))
        link->rel = page_link_rel(rel);
}

/* ---- text ---------------------------------------------------------------------- */

/* Returns the holder of the text at this place. Elements get theirs when text comes. */
static uint32_t hold(struct page_parser *p)
{
    unsigned i = p->depth;
    uint32_t holder = 0;

    while (i > 0 && p->stack[i - 1].holder == 0)
        i--;
    if (i > 0)
        holder = p->stack[i - 1].holder - 1;
    for (; i < p->depth; i++) {
        struct open *e = &p->stack[i];

        if (makes_lines(e) || i == 0)
            holder = main_text_hold(&p->main, holder, e->tag, &e->names);
        e->holder = holder + 1;
    }
    return holder;
}

/* Begins a block, and passes on the inline elements around it. */
static __attribute__((noinline)) void begin_block(struct page_parser *p, uint32_t off)
{
    uint64_t parts = 0;
    unsigned inner = 0;
    uint32_t like;

    for (unsigned i = p->depth; i > 0 && !makes_lines(&p->stack[i - 1]); i--) {
        parts |= main_parts_of(&p->main.parts, &p->stack[i - 1].names, &like);
        if (inner == 0 && p->stack[i - 1].tag < TAG_NAMED)
            inner = p->stack[i - 1].tag;
    }
    main_text_block(&p->main, off, hold(p), parts, inner);
}

/* Adds visible characters. A block is the text between two newlines. */
static void put_text(struct page_parser *p, struct str raw, bool refs)
{
    size_t before = p->text.len;
    bool parted = p->text.gap == GAP_LINE || before == 0;

    page_text_add(&p->text, raw, refs);
    if (p->marks.pre)
        page_mark_text(p, raw, refs);
    if (p->text.len == before)
        return;
    if (parted)
        begin_block(p, (uint32_t)(before ? before + 1 : 0));
    main_text_grow(&p->main, (uint32_t)p->text.len,
                   p->families & FAM_A ? (uint32_t)(p->text.len - before) : 0);
}

/* The alternative text stands for its image. */
static void add_alt(struct page_parser *p, const struct html_token *t)
{
    struct str alt;

    if (p->hidden_at || !html_attr(t, STR("alt"), &alt))
        return;
    page_text_gap(&p->text, GAP_WORD);
    put_text(p, alt, true);
    page_text_gap(&p->text, GAP_WORD);
}

/* Adds the link of <area>, <frame> or <iframe>, which have no anchor text. */
static void add_element_link(struct page_parser *p, const struct html_token *t, unsigned tag)
{
    struct raw_link *link = NULL;
    struct str href, rel;

    if (html_attr(t, tag == TAG_AREA ? STR("href") : STR("src"), &href))
        link = add_link(p, href, tag == TAG_AREA ? LINK_A : LINK_FRAME);
    if (link != NULL && tag == TAG_AREA) {
        if (html_attr(t, STR("rel"), &rel))
            link->rel = page_link_rel(rel);
        add_alt(p, t);
        link->anchor_end = (uint32_t)p->text.len;
    }
}

/* ---- attributes that any element may have ----------------------------------------- */

static size_t skip_space(struct str s, size_t at)
{
    while (at < s.len && ascii_is_space(s.ptr[at]))
        at++;
    return at;
}

/* Is this a style such as "color:red; display : none"? */
static bool is_display_none(struct str style)
{
    size_t at = 0;

    while ((at = str_find_i(style, STR("display"), at)) != SIZE_MAX) {
        at = skip_space(style, at + 7);
        if (at == style.len || style.ptr[at] != ':')
            continue;
        at = skip_space(style, at + 1);
        if (str_starts_i(str_sub(style, at, style.len), STR("none")))
            return true;
    }
    return false;
}

/* Does the attribute have this name? The lengths are equal. Nearly all names are written in lower
 * case, and the first byte is enough to tell nearly all others. */
static inline bool is_named(const struct html_attr *a, struct str name)
{
    return memcmp(a->name.ptr, name.ptr, name.len) == 0 ||
           ((a->name.ptr[0] | 0x20) == name.ptr[0] && str_eq_i(a->name, name));
}

/* Is the element hidden, and what are its class, id and the like? */
static bool read_attrs(const struct html_token *t, unsigned tag, struct main_names *names)
{
    bool is_open = false;

    for (uint32_t i = 0; i < t->nattrs; i++) {
        const struct html_attr *a = &t->attrs[i];

        switch (a->name.len) {
        case 2:
            if (is_named(a, STR("id")))
                names->id = a->value;
            break;
        case 4:
            is_open |= is_named(a, STR("open"));
            if (is_named(a, STR("role")))
                names->other = a->value;
            break;
        case 8:
            if (is_named(a, STR("itemprop")))
                names->other = a->value;
            break;
        case 5:
            if (is_named(a, STR("class")))
                names->class = a->value;
            if (is_named(a, STR("style")) && is_display_none(a->value))
                return true;
            break;
        case 6:
            if (is_named(a, STR("hidden")))
                return true;
            break;
        case 11:
            if (is_named(a, STR("aria-hidden")) && str_eq_i(a->value, STR("true")))
                return true;
            break;
        }
    }
    return tag == TAG_DIALOG && !is_open;
}

static void read_time(struct page_parser *p, const struct html_token *t)
{
    struct str when, what;
    bool published;

    if (p->hidden_at || !html_attr(t, STR("datetime"), &when))
        return;
    published = html_attr(t, STR("pubdate"), &what) ||
                (html_attr(t, STR("itemprop"), &what) && str_eq_i(what, STR("datePublished")));
    page_date_add(&p->dates, published ? RANK_TIME_PUBLISHED : RANK_TIME, page_value(p, when));
}

static void read_html_lang(struct page_parser *p, const struct html_token *t)
{
    struct str lang;

    if (p->page->lang.len == 0 &&
        (html_attr(t, STR("lang"), &lang) || html_attr(t, STR("xml:lang"), &lang)))
        p->page->lang = page_head_lang(p, page_value(p, lang));
}

/* ---- tags ---------------------------------------------------------------------------- */

static unsigned tag_of(const struct page_parser *p, struct str name)
{
    return p->html.end - name.ptr >= 8 ? html_tag_of_roomy(&p->tags, name)
                                       : html_tag_of(&p->tags, name);
}

/* Handles html, head, body and the like, which occur once. Returns true if it handled the tag. */
static bool start_structure(struct page_parser *p, const struct html_token *t, unsigned tag)
{
    switch (tag) {
    case TAG_HTML:
        read_html_lang(p, t);
        if (p->depth == 0)
            push(p, TAG_HTML, STR("html"));
        return true;
    case TAG_HEAD:
        if (p->in_body || p->depth > 1)
            return true;
        if (p->depth == 0)
            push(p, TAG_HTML, STR("html"));
        push(p, TAG_HEAD, STR("head"));
        return true;
    case TAG_BODY:
        if (!p->in_body)
            open_body(p, TAG_BODY);
        return true;
    case TAG_FRAMESET:
        if (!p->in_body)
            open_body(p, TAG_FRAMESET);
        return true;
    }
    return false;
}

/* Handles elements without content. Those that may be links are on the stack only
 * while their path is needed. */
static void start_void(struct page_parser *p, const struct html_token *t, unsigned tag)
{
    struct str href;
    bool tracked;

    switch (tag) {
    case TAG_META:
    case TAG_LINK:
    case TAG_AREA:
    case TAG_FRAME:
        if (p->inert_at)
            break;
        tracked = push(p, tag, t->text) != NULL;
        if (tag == TAG_META)
            page_head_meta(p, t);
        else if (tag == TAG_LINK)
            page_head_link(p, t);
        else
            add_element_link(p, t, tag);
        close_void(p, tracked);
        break;
    case TAG_BASE:
        if (p->base_href.ptr == NULL && html_attr(t, STR("href"), &href))
            p->base_href = href;
        break;
    case TAG_IMG:
        if (p->marks.wanted && !(p->families & FAM_A))
            page_mark_image(p, t);
        if (p->families & FAM_A) /* it is what the link shows */
            add_alt(p, t);
        break;
    }
}

/* Reads title, script, style and the like whole, with their end tag; they are never on the stack.
 * Their wanted content is kept. */
static void read_raw(struct page_parser *p, const struct html_token *t, unsigned tag)
{
    const struct html_tag_info *info = html_tag_info(tag);
    struct str type;
    bool is_json = tag == TAG_SCRIPT && html_attr(t, STR("type"), &type) &&
                   str_eq_i(str_trim(type), STR("application/ld+json"));

    html_enter(&p->html, (enum html_state)info->content, t->text);
    if (html_next(&p->html) != HTML_TEXT)
        return; /* it was empty: this was the end tag */
    if (tag == TAG_TITLE)
        page_head_title(p, t->text);
    else if (is_json)
        page_date_json(&p->dates, t->text);
    else if (!(info->flags & TAG_HIDES) && !p->hidden_at)
        put_text(p, t->text, false);
    html_next(&p->html);
}

/* HTML inside SVG or MathML ends it, except where the foreign element may hold HTML. Otherwise one
 * svg that is never closed would hide the rest. */
static void leave_foreign(struct page_parser *p, const struct html_tag_info *info)
{
    if (!(info->flags & (TAG_BLOCK | TAG_FORMAT | TAG_CELL)) || info->family == FAM_A)
        return;
    for (unsigned i = p->depth, n = 0; i > 0 && n < LOOK_MAX; i--, n++) {
        const struct open *e = &p->stack[i - 1];

        if (str_eq_i(e->name, STR("foreignobject")) || str_eq_i(e->name, STR("annotation-xml")) ||
            e->tag == TAG_TITLE || str_eq_i(e->name, STR("desc")))
            return;
        if (info_of(e)->flags & TAG_FOREIGN) {
            close_down_to(p, i - 1);
            return;
        }
    }
}

/* Opens html and body if they are missing, and closes what the tag ends, before its
 * element begins. */
static void imply(struct page_parser *p, const struct html_tag_info *info)
{
    if (p->foreign)
        leave_foreign(p, info);
    if (!p->in_body && !p->inert_at && !(info->flags & TAG_IN_HEAD))
        open_body(p, TAG_BODY);
    if (p->depth == 0)
        push(p, TAG_HTML, STR("html"));
    if (info->closes & p->families)
        close_implied(p, info);
    page_text_gap(&p->text, gap_of(info));
}

static void start_raw(struct page_parser *p, const struct html_token *t, unsigned tag)
{
    if (tag == TAG_IFRAME) {
        bool tracked = push(p, tag, t->text) != NULL;

        add_element_link(p, t, tag);
        close_void(p, tracked);
    }
    read_raw(p, t, tag);
}

/* Opens an element that stays open until its end tag. */
static void start_element(struct page_parser *p, const struct html_token *t, unsigned tag)
{
    struct open *e = push(p, tag, t->text);

    if (tag == TAG_A)
        start_anchor(p, t, e);
    if (e == NULL)
        return;
    if (p->marks.wanted)
        e->mark = page_mark_open(p, t, tag);
    if (!p->hidden_at && (read_attrs(t, tag, &e->names) || info_of(e)->flags & TAG_HIDES))
        p->hidden_at = p->depth;
    if (!p->inert_at && tag == TAG_TEMPLATE)
        p->inert_at = p->depth;
    if (tag == TAG_TIME)
        read_time(p, t);
}

static void start_tag(struct page_parser *p, const struct html_token *t)
{
    unsigned tag = tag_of(p, t->text);
    const struct html_tag_info *info = html_tag_info(tag);

    if (!p->foreign && start_structure(p, t, tag))
        return;
    imply(p, info);
    if (info->flags & TAG_VOID)
        start_void(p, t, tag);
    else if (p->foreign && t->self_closing)
        return;
    else if (info->content != HTML_DATA && !p->foreign)
        start_raw(p, t, tag);
    else
        start_element(p, t, tag);
}

/* Returns the depth of the open element that an end tag closes; 0 if there is none. */
static unsigned find_partner(const struct page_parser *p, unsigned tag, struct str name)
{
    const struct html_tag_info *info = html_tag_info(tag);
    bool of_table = info->family & (FAM_TABLE | FAM_SECTION | FAM_ROW | FAM_CELL);
    unsigned stop = info->family == FAM_LI ? FAM_LIST : of_table ? FAM_TABLE : 0;

    if (info->family && !(p->families & info->family))
        return 0;
    for (unsigned i = p->depth, n = 0; i > 0 && n < LOOK_MAX; i--, n++) {
        const struct open *e = &p->stack[i - 1];
        const struct html_tag_info *open = info_of(e);

        if (e->tag == tag && (tag != TAG_OTHER || str_eq_i(e->name, name)))
            return i;
        if (info->family == FAM_HEADING && open->family == FAM_HEADING)
            return i;
        if (open->family & stop || (open->flags & TAG_SCOPE && !of_table))
            return 0;
    }
    return 0;
}

/* Closes the element of an end tag, which is not on top of the stack. */
static __attribute__((noinline)) void end_below(struct page_parser *p, unsigned tag,
                                                struct str name)
{
    unsigned at = find_partner(p, tag, name);

    if (at && html_tag_info(tag)->flags & TAG_FORMAT)
        close_at(p, at - 1);
    else if (at)
        close_down_to(p, at - 1);
}

static void end_tag(struct page_parser *p, const struct html_token *t)
{
    unsigned tag = tag_of(p, t->text);
    const struct html_tag_info *info = html_tag_info(tag);

    if (tag == TAG_HTML || tag == TAG_BODY) /* text after this still belongs to it */
        return;
    if (p->beyond == 0 && tag != TAG_OTHER && p->depth && p->stack[p->depth - 1].tag == tag) {
        close_at(p, p->depth - 1);
        return;
    }
    page_text_gap(&p->text, gap_of(info));
    if (p->beyond == 0)
        end_below(p, tag, t->text);
    else if (!(info->flags & TAG_VOID))
        p->beyond--;
}

static void add_text(struct page_parser *p, const struct html_token *t)
{
    if (p->hidden_at)
        return;
    if (p->in_body && !p->marks.pre && t->is_blank) {
        page_text_gap(&p->text, GAP_WORD);
        return;
    }
    if (!p->in_body) {
        if (str_trim(t->text).len == 0)
            return;
        open_body(p, TAG_BODY);
    }
    put_text(p, t->text, t->how & HTML_REFS);
}

void page_html(struct page_parser *p, struct str document)
{
    enum html_kind kind;

    html_init(&p->html, document);
    p->text.source = document;
    while ((kind = html_next(&p->html)) != HTML_EOF) {
        if (kind == HTML_TEXT)
            add_text(p, &p->html.token);
        else if (kind == HTML_START)
            start_tag(p, &p->html.token);
        else if (kind == HTML_END)
            end_tag(p, &p->html.token);
        if (p->arena->full)
            break;
    }
    close_down_to(p, 0);
    if (p->page->lang.len == 0 && p->meta_lang.len)
        p->page->lang = page_head_lang(p, page_value(p, p->meta_lang));
}
