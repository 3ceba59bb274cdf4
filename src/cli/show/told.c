/* show_told.c - what a model tells of an agent, for brood show.
 * SPDX-License-Identifier: MIT */
#include "cli/show/told.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "cli/command.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#define BAR 20 /* columns of the longest bar, on either side of 0 */

static json_t *read_told(struct query *q, uint32_t agent, int64_t *ret_at)
{
    struct buf text = BUF_INIT(LIMIT_TOLD);
    json_t *told = NULL;

    if (query_told(q, agent, ret_at, &text) == ST_OK)
        told = json_loadb(text.len ? text.data : "", text.len, 0, NULL);
    buf_free(&text);
    return told;
}

static struct str text_of(const json_t *object, const char *name)
{
    const char *z = json_string_value(json_object_get(object, name));

    return str_of(z ? z : "");
}

static double number_of(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

/* "    ####|     ": to both sides where any is below 0. */
static void add_bar(struct buf *out, double n, double most, bool both)
{
    int width = most > 0 ? (int)(fabs(n) / most * BAR + .5) : 0;

    for (int i = both ? -BAR : 0; i < BAR; i++) {
        bool on = n < 0 ? i < 0 && i >= -width : i >= 0 && i < width;

        if (both && i == 0)
            buf_add_char(out, '|');
        buf_add_char(out, on ? '#' : ' ');
    }
}

static void add_words(const json_t *told, struct buf *out)
{
    const json_t *words = json_object_get(told, "keywords"), *word;
    double most = 0;
    bool both = false;
    size_t i;

    json_array_foreach(words, i, word)
    {
        most = fmax(most, fabs(number_of(word, "weight")));
        both |= number_of(word, "weight") < 0;
    }
    if (json_array_size(words) == 0)
        return;
    buf_add_z(out, "words      ");
    report_text(out, text_of(told, "weights"), 200);
    buf_add_char(out, '\n');
    json_array_foreach(words, i, word)
    {
        double weight = number_of(word, "weight");

        buf_addf(out, "    %9.4f  ", report_zero(weight, 4));
        add_bar(out, weight, most, both);
        buf_add_z(out, "  ");
        report_text(out, text_of(word, "word"), 100);
        buf_add_char(out, '\n');
    }
}

static void add_facts(const json_t *told, struct buf *out)
{
    const json_t *facts = json_object_get(told, "facts"), *fact;
    size_t i;

    json_array_foreach(facts, i, fact)
    {
        buf_add_z(out, i ? "    " : "nature\n    ");
        report_text(out, text_of(fact, "label"), 200);
        if (json_is_number(json_object_get(fact, "value"))) {
            buf_addf(out, ": %.6g\n", number_of(fact, "value"));
        } else {
            buf_add_z(out, ": ");
            report_text(out, text_of(fact, "value"), LIMIT_URL);
            buf_add_char(out, '\n');
        }
    }
}

static void add_places(const json_t *told, struct buf *out)
{
    const json_t *places = json_object_get(told, "places"), *place;
    size_t i;

    if (json_array_size(places) == 0)
        return;
    buf_add_z(out, "places     ");
    report_text(out, text_of(told, "values"), 200);
    buf_add_char(out, '\n');
    json_array_foreach(places, i, place)
    {
        buf_addf(out, "    %9.2f  ", report_zero(number_of(place, "value"), 2));
        report_text(out, text_of(place, "url"), LIMIT_URL);
        buf_add_char(out, '\n');
    }
}

void show_told_text(struct query *q, uint32_t agent, bool alive, struct buf *out)
{
    int64_t at = 0;
    json_t *told = read_told(q, agent, &at);
    char text[CLOCK_TEXT];

    if (json_object_size(told) > 0) {
        clock_format(at, 3, text);
        add_words(told, out);
        add_facts(told, out);
        add_places(told, out);
        buf_addf(out, "    (%s %s)\n", alive ? "as of" : "as it died,", text);
    }
    json_decref(told);
}

void show_told_json(struct query *q, uint32_t agent, struct json *j)
{
    int64_t at = 0;
    json_t *told = read_told(q, agent, &at);
    char *dump = told ? json_dumps(told, JSON_COMPACT) : NULL;

    json_put_raw(j, "told", str_of(dump ? dump : "null"));
    json_put_time(j, "told_at", at);
    free(dump);
    json_decref(told);
}
