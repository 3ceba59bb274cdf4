/* main_int.h - shared by the files of main/ and the tool that trains their model.
 *
 *   block.c     blocks and holders, as the page is read; their sums
 *     part.c    words of ids, classes and roles; words that open a text
 *   feature.c   what the first model sees of a block
 *   choose.c    the two models, and the verdict
 *   weights.c   the weights; made by tools/maintext-eval train
 */
#pragma once

#include "parse/main/main.h"

/* Groups of features, with the number of their values. At most one feature of a group is on. */
#define MAIN_TAGS TAG_NAMED
/* clang-format off */
#define MAIN_GROUPS(X)                                                                           \
    X(BIAS, 1) X(LENGTH, 12) X(LINKS, 7) X(STOPS, 6) X(COMMAS, 5) X(LAST, 6) X(DIGITS, 5)         \
    X(INLINE, MAIN_TAGS) X(TAG, MAIN_TAGS) X(PARENT, MAIN_TAGS) X(PLACE, 10) X(CORE, 9)           \
    X(CORE_SHAPE, 36) X(HEAD, 8) X(LAST_PROSE, 8) X(FIRST_PROSE, 7) X(SHARE1, 7) X(SHARE2, 7)     \
    X(UP_LINKS, 7) X(OVER_LINKS, 7) X(BEFORE, 16) X(AFTER, 16) X(TWINS, 24) X(TITLED, 3)          \
    /* Several of these may be on together: one bit each. */                                     \
    X(NEAR, PART_COUNT) X(UP_PARTS, PART_COUNT) X(BELOW, PART_COUNT) X(HEADED, TOPIC_COUNT)       \
    X(OPENED, TOPIC_COUNT)
/* clang-format on */

enum {
#define X(name, size) MAIN_##name, MAIN_##name##_LAST = MAIN_##name + (size)-1,
    MAIN_GROUPS(X)
#undef X
        MAIN_FEATURES
};

#define MAIN_SLOTS  1024 /* of the table of groups; half of them may be used */
#define MAIN_ACTIVE 96   /* most features of one block that can be on */

/* What the second model sees of a block, for each of MAIN_CLASSES classes of blocks. */
enum { MAIN_SECOND = 22, MAIN_CLASSES = 5 };

struct main_model {
    int16_t first[MAIN_FEATURES]; /* in thousandths */
    float second[MAIN_CLASSES][MAIN_SECOND];
};

extern const struct main_model main_model;

#define MAIN_TOPICS_KNOWN (1u << 31) /* the topics of the block were looked up */

/* Intermediate results for a block. */
struct main_work {
    uint32_t len, linked;
    uint16_t stops, commas, digits; /* in the first bytes of the block */
    uint16_t looked;                /* how many bytes these are */
    uint32_t word;                  /* the page's first word that is not before the block */
    uint32_t topics;                /* of its first words, if they were looked up */
    uint8_t last;                   /* the character it ends with */
    bool prose, titled;             /* looks like a paragraph; like the title */
    uint32_t twins;                 /* its group of blocks with equal holders: number in `groups` */
    uint32_t heading;               /* the last heading before it; UINT32_MAX: none near */
    int32_t features;               /* sum of the weights of its features */
    float first;                    /* score of the first model */
    double sum, weight;             /* of the scores of all blocks up to it */
};

/* Blocks whose holders and their parents are equal. */
struct main_group {
    uint32_t key, count, text, linked;
    float sum; /* of scores, by weight */
    float weight;
};

/* Computes the sums over holders, groups and page. */
void main_sum(struct main_text *m, const struct page *page);

/* Writes the features of a block that are on and returns how many. Call main_sum() first. */
unsigned main_features(const struct main_text *m, size_t at, uint16_t ret[MAIN_ACTIVE]);

/* Adds up the weights of these features, for each block. */
void main_features_sums(struct main_text *m, const int16_t weights[MAIN_FEATURES]);

/* Scores all blocks by the first model. Call main_sum() first. */
void main_first(struct main_text *m, const struct main_model *model);

/* Adds up the first model's scores, which are in `work`, by group and by holder. */
void main_spread(struct main_text *m);

/* Writes the second model's features of a block and returns its class. Call main_spread() first. */
unsigned main_second(const struct main_text *m, size_t at, float ret[MAIN_SECOND]);

/* main_choose() with another model. */
void main_choose_by(struct main_text *m, const struct main_model *model, const struct page *page);
