/* spiders.c - webs that several tests of infospiders walk on. SPDX-License-Identifier: MIT */
#include "spiders.h"

const struct pond_page two_links[POND_PAGES + 1] = {
    [1] = {"<p>bee bee <a href=2>oak</a> elm <a href=3>ash wax</a>"},
    [2] = {"<p>oak"},
    [3] = {"<p>oak"},
};

const struct pond_page lesson[POND_PAGES + 1] = {
    [1] = {"<p>bee bee <a href=2>oak</a>"},
    [2] = {"<p>wax <a href=3>oak</a>"},
    [3] = {"<p>oak <a href=1>elm</a>"},
};

const struct pond_page birth[POND_PAGES + 1] = {
    [1] = {"<p>wax wax wax wax oak oak oak elm <a href=2>elm</a>", 0, 0},
    [2] = {"<p>oak", 0, 0},
};
