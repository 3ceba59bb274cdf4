/* main.h - which blocks of a page are its main text?
 *
 * A page's text is a list of blocks, one line each. While the page is read, main_text_*()
 * notes where each block stands: in which elements (the holders, a flat list in which each
 * refers to its parent), how much of it is in links, and which parts of the page its
 * elements name. At the end main_choose() scores each block by a linear model over its
 * features, and again by a second model over the scores of the blocks around it, and
 * decides which blocks are main text.
 *
 * Nothing here needs the tree or the tokens: memory is one small struct for each block and
 * each holder, reused for the next page. Blocks beyond LIMIT_BLOCKS are not main text;
 * holders beyond LIMIT_HOLDERS count as their parent.
 */
#pragma once

#include "flow.h"
#include "parse/html_tag.h"
#include "parse/main/part.h"

struct block {
    uint32_t off, end; /* of the page's text */
    uint32_t linked;   /* bytes of it that are in links */
    uint32_t holder;   /* the innermost line-making element around its beginning */
    uint64_t parts;    /* named by the inline elements that it begins in */
    uint8_t inner;     /* the innermost of these, an enum html_tag; 0: none in the table */
    bool is_main;      /* the verdict */
    float score;       /* > 0: main text */
};

/* An element that makes lines and has text in it, by its number in `holders`. */
struct holder {
    uint32_t parent;     /* its number; the first holder is its own parent, 0 */
    uint32_t like;       /* a hash of tag and class: equal in elements of the same kind */
    uint64_t parts;      /* those that it names itself */
    uint64_t below;      /* the same, up to the core of the page */
    uint16_t tag;        /* enum html_tag */
    uint16_t depth;      /* holders around it */
    uint8_t kind;        /* enum passage_kind of the text in it */
    uint32_t first, end; /* its blocks: [first, end) */
    /* The rest is summed up at the end, in bytes: */
    uint32_t text, linked; /* of all its blocks */
    uint32_t prose;        /* of blocks that look like paragraphs */
    float mass;            /* of blocks that the first model considers main text */
    float sum, weight;     /* of the blocks' scores */
    int32_t lends;         /* sum of weights that blocks of its children get from it, if known */
};

/* What is known of the whole page. */
struct main_page {
    uint32_t prose, text; /* bytes */
    uint32_t core[3];     /* holders of 90, 75 and 55 percent of the prose */
    uint32_t head;        /* the block of the first h1, or of the title; UINT32_MAX: none */
    uint32_t first_prose, last_prose; /* blocks; first > last: none */
    uint32_t mass_core[3];            /* as core, but by the first model's scores */
};

struct main_text {
    struct main_parts parts;
    bool full; /* LIMIT_BLOCKS is reached */
    struct block *blocks;
    size_t count, blocks_cap;
    struct holder *holders;
    size_t nholders, holders_cap;
    struct main_work *work; /* of main_choose() */
    size_t work_cap;
    struct main_group *groups;
    size_t ngroups;
    uint16_t *group_slots;
    struct main_page page;
};

void main_text_init(struct main_text *m);
void main_text_free(struct main_text *m);
void main_text_clear(struct main_text *m); /* for the next page */

/* Adds the next holder, inside `parent` (0 for the first), and returns its number. */
uint32_t main_text_hold(struct main_text *m, uint32_t parent, unsigned tag,
                        const struct main_names *names);

/* Begins a block at this place of the text. */
void main_text_block(struct main_text *m, uint32_t off, uint32_t holder, uint64_t parts,
                     unsigned inline_tag);

/* The last block has grown up to `end`, and `linked` more bytes of it are in links. */
static inline void main_text_grow(struct main_text *m, uint32_t end, uint32_t linked)
{
    struct block *b;

    if (m->count == 0 || m->full)
        return;
    b = &m->blocks[m->count - 1];
    if (b->end > end)
        return;
    b->end = end;
    b->linked += linked;
}

/* Fills score and is_main of all blocks. */
void main_choose(struct main_text *m, const struct page *page);

/* Chooses, and puts the page's main text into its arena. */
void main_take(struct main_text *m, bool whole, struct arena *arena, struct page *page);
