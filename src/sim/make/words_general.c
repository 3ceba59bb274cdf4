/* words_general.c - the English that belongs to no topic: data only.
 *
 * In: nothing. Out: the lists and sentence patterns that words.c and prose.c
 * draw from. In a pattern a capital letter in braces is a word of the
 * sentence's subject, a small one a general word:
 *   {T} thing  {P} things  {S} stuff  {D} deed  {K} kind  (t p d k: general)
 *   {w} where or when  {o} person  {y} a year  {#} a number  {h} how
 * SPDX-License-Identifier: MIT
 */
#include "sim/make/words_int.h"

const struct words_source words_general = {
    "notes",
    "",
    "day year place story question idea visitor friend neighbour afternoon morning street "
    "house letter book page member meeting group photograph list plan answer reason corner road "
    "town city museum library school teacher guide family journey detail example problem method "
    "result change choice habit tool table window garden kitchen room door shop market price "
    "office report note diary map picture lesson course event visit moment week month summer "
    "winter evening weekend hour conversation history tradition community village region country "
    "project team part piece group kind line side end beginning point subject difference",
    "time work help advice money space news weather trouble luck paper water light air noise "
    "care practice patience attention experience knowledge evidence",
    "found made kept saw described remembered visited asked showed compared explained carried "
    "brought wrote read took left moved opened changed collected discussed noticed followed "
    "prepared chose used shared watched repeated checked",
    "small large old new quiet early late good long short simple careful local common different "
    "favourite busy useful strange familiar modern recent ordinary open cheap popular public "
    "private easy difficult important"};

const char *const words_where[] = {
    "in the early morning",    "near the river",       "at the edge of town",
    "after a long week",       "before the winter",    "in late spring",
    "for several years",       "on the second day",    "under an open sky",
    "behind the house",        "during the festival",  "with great care",
    "at the local club",       "in the old workshop",  "along the main road",
    "on a cold evening",       "without any hurry",    "by the end of the season",
    "in the northern valleys", "at the weekend",       "since the last visit",
    "across the whole region", "in front of the hall", "every other month",
};

const char *const words_people[] = {
    "Anna Berg",     "Tom Hale",     "Ines Duarte",  "Karl Lund",      "Mira Novak",
    "Paul Okafor",   "Lena Fischer", "Joao Prado",   "Sara Lindqvist", "Emil Kovacs",
    "Ruth Ashby",    "Amir Rahimi",  "Clara Moreau", "Hugo Blanc",     "Yuki Tanabe",
    "Nadia Petrova", "Owen Price",   "Marta Silva",  "Felix Brandt",   "Grace Mwangi",
    "Ida Nyberg",    "Leo Romano",   "Eva Horakova", "Sam Whitlock",
};

const char *const words_how[] = {
    "slowly",   "carefully", "at once",   "by hand", "twice",     "again",
    "together", "properly",  "every day", "quietly", "in stages", "step by step",
};

const char *const words_patterns[] = {
    "The {K} {T} {D} the {T} {w}.",
    "Every {T} needs a {K} {T} and enough {S}.",
    "{o} {D} the {K} {T} {w}.",
    "Most {P} are {K}, but a {K} {T} is worth the trouble.",
    "The {t} about {P} {d} many {p} {w}.",
    "In {y} {o} {d} {#} {P} and {D} them {h}.",
    "A {T} with {S} is more {K} than a {T} without it.",
    "There were {#} {P} beside the {T}, all of them {K}.",
    "{o} {d} how the {T} and the {T} work together.",
    "{S} and {S} decide whether the {T} is {K}.",
    "Nobody {D} the {T} {h} before {o} {d} it.",
    "The {k} {t} shows {P} {w}, {K} and {K}.",
    "When the {T} is {K}, the {P} follow {w}.",
    "You can tell a {K} {T} from its {T}.",
    "We {D} the {P} {h} and {d} the {t} {w}.",
    "A {k} {t} of {P}, {P} and {S} is kept here.",
    "The {T} was {K}; the {T} was not.",
    "Between the {T} and the {T} lay a {K} {T}.",
    "{o} says that {S} matters more than any {T}.",
    "Old {P} were {K} and had no {T} at all.",
    "They {D} {#} {P} {w} and {d} the {k} {p}.",
    "Too much {S} spoils a {T}, too little makes it {K}.",
    "The first {K} {T} came to the {t} in {y}.",
    "How to keep a {K} {T}: look at the {P} {h}.",
};

const char *const words_plain[] = {
    "The {t} was {k}, and {o} {d} it {w}.",
    "Many {p} are {k} {w}.",
    "{o} {d} the {k} {t} and {d} a {t} about it.",
    "In {y} the {t} {d} a {k} {t}.",
    "This {t} lists {#} {p} and one {k} {t}.",
    "We {d} the {p} {h}, as the {t} asked.",
    "A {k} {t} needs a {t} and a {t}.",
    "It took {#} {p} to find the {k} {t}.",
    "{o} {d} the {t} {w} and {d} it {h}.",
    "The {p} of the {t} are {k} and {k}.",
};

const char *const words_titles[] = {
    "The {K} {T}",         "{P} and {P}",        "How to choose a {K} {T}",
    "A {T} for the {T}",   "{K} {P} {w}",        "Notes on the {K} {T}",
    "{#} {P} and a {T}",   "Why {P} are {K}",    "The {T}, the {T} and {S}",
    "{S} and the {K} {T}", "A short {t} of {P}", "What the {T} tells us",
    "Looking after {P}",   "From {T} to {T}",    "{o} on {P}",
    "{P} in {y}",
};

const char *const words_plain_titles[] = {
    "The {k} {t}",        "{p} and {p}",         "A {t} from {o}", "Notes {w}",
    "{#} {k} {p}",        "About the {t}",       "The {t} of {y}", "A {k} {t} {w}",
    "Minutes of the {t}", "{k} {p} for the {t}",
};

const char *const words_vague[] = {
    "read more", "this page",     "here",         "more on this", "the next part",
    "continue",  "a longer text", "see the note", "details",      "another example",
};

const char *const words_sites[] = {
    "journal", "notes",   "club",   "society", "weekly", "handbook", "house", "corner",
    "guide",   "archive", "review", "forum",   "works",  "almanac",  "hub",   "post",
};

const struct words_counts words_counts = {
    ARRAY_LEN(words_where),        ARRAY_LEN(words_people), ARRAY_LEN(words_how),
    ARRAY_LEN(words_patterns),     ARRAY_LEN(words_plain),  ARRAY_LEN(words_titles),
    ARRAY_LEN(words_plain_titles), ARRAY_LEN(words_vague),  ARRAY_LEN(words_sites),
};
