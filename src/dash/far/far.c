/* far.c - a crawl on several machines: looking at its nodes, asking them, keeping answers. See far.h.
 *
 * views.c has the questions for each request. SPDX-License-Identifier: MIT */
#include "dash/far/far.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "dash/far/far_int.h"
#include "dash/far/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_EVERY US_PER_S
#define LOOK_SHARE 10 /* at most a tenth of the time is spent on looking at the nodes */
#define WAIT_MS    4000
#define SILENT     (10 * US_PER_S)
#define FRESH      (700 * US_PER_MS) /* an answer this young is given again */
#define KEPT_BYTES MIB(48)           /* of all answers that are kept */

/* ---- beginning and end --------------------------------------------------- */

enum status far_open(const char *nats, const char *creds, const char *crawl, struct far **ret)
{
    struct far *f = MEM_NEW(struct far);
    enum status st = line_name_check(crawl);

    (void)pthread_mutex_init(&f->lock, NULL);
    book_init(&f->book);
    f->name = str_dup(str_of(crawl));
    if (st == ST_OK)
        st = line_open(nats, creds, crawl, &f->line);
    if (st == ST_OK)
        st = line_find(f->line);
    if (st == ST_OK)
        *ret = f;
    else
        far_close(f);
    return st;
}

static void kept_clear(struct far_kept *k)
{
    free(k->key);
    free(k->text);
    *k = (struct far_kept){0};
}

void far_close(struct far *f)
{
    if (f == NULL)
        return;
    for (size_t i = 0; i < LIMIT_NODES; i++)
        json_decref(f->nodes[i].overview);
    for (size_t i = 0; i < FAR_KEPT; i++)
        kept_clear(&f->kept[i]);
    far_family_free(f->family);
    json_decref(f->overview);
    line_close(f->line);
    book_clear(&f->book);
    (void)pthread_mutex_destroy(&f->lock);
    free(f->name);
    free(f);
}

const char *far_name(const struct far *f)
{
    return f->name;
}

void far_identify(struct far *f, const char *id)
{
    (void)snprintf(f->id, sizeof f->id, "%s", id);
}

/* ---- answers ------------------------------------------------------------- */

static bool has_place(const struct far_replies *all, size_t place)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].place == place)
            return true;
    return false;
}

void far_replies_add(struct far_replies *all, const struct book *book, struct str bytes)
{
    bool fits = bytes.len <= LIMIT_ANSWER && all->bytes + bytes.len <= LIMIT_FAR_ANSWERS;
    json_t *reply = fits ? json_loadb(bytes.ptr, bytes.len, 0, NULL) : NULL;
    json_t *answer = json_object_get(reply, "answer");
    const char *error = json_string_value(json_object_get(reply, "error"));
    size_t place = book_place(book, json_string_value(json_object_get(reply, "node")));

    if (place < LIMIT_NODES && !has_place(all, place)) {
        all->heard++;
        all->bytes += bytes.len;
        if (error)
            (void)snprintf(all->error, sizeof all->error, "%s", error);
        /* a node without an answer gets an empty place, so that it counts as present */
        MEM_GROW(all->items, all->count, &all->cap);
        all->items[all->count++] = (struct far_reply){place, json_incref(answer)};
    }
    json_decref(reply);
}

void far_replies_clear(struct far_replies *all)
{
    for (size_t i = 0; i < all->count; i++)
        json_decref(all->items[i].answer);
    free(all->items);
    *all = (struct far_replies){0};
}

struct hearing {
    struct far *far;
    struct far_replies *all;
};

static void on_answer(void *ctx, struct str bytes)
{
    struct hearing *h = ctx;

    far_replies_add(h->all, &h->far->book, bytes);
}

/* Returns how many of the present nodes have answered recently. */
static size_t expected(const struct far *f, int64_t now)
{
    size_t n = 0;

    for (size_t i = 0; i < f->book.count; i++)
        n += f->book.nodes[i].alive && f->nodes[i].silent_until <= now;
    return n;
}

/* `waited`: until the time was up. Otherwise enough nodes had answered, and nothing is known of the
 * others. */
static void note_silence(struct far *f, const struct far_replies *all, int64_t until, bool waited)
{
    for (size_t i = 0; i < f->book.count; i++)
        if (has_place(all, i))
            f->nodes[i].silent_until = 0;
        else if (waited && f->book.nodes[i].alive && f->nodes[i].silent_until < until - SILENT)
            f->nodes[i].silent_until = until;
}

/* Sorts the answers by the places of their nodes, and takes out empty ones. */
static int by_place(const void *a, const void *b)
{
    const struct far_reply *x = a, *y = b;

    return x->place < y->place ? -1 : x->place > y->place;
}

static void drop_empty(struct far_replies *all)
{
    size_t n = 0;

    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].answer)
            all->items[n++] = all->items[i];
    all->count = n;
    if (n > 1)
        qsort(all->items, n, sizeof *all->items, by_place);
}

static enum status put_question(struct far *f, const struct question *q, struct far_replies *ret)
{
    struct buf bytes = BUF_INIT(LIMIT_QUESTION);
    struct hearing hearing = {f, ret};
    int64_t now = clock_now();
    size_t most = q->to ? 1 : expected(f, now);
    enum status st;

    question_save(q, &bytes);
    st = buf_check(&bytes);
    if (st == ST_OK)
        st = line_ask(f->line, buf_str(&bytes), most ? most : 1, most ? WAIT_MS : WAIT_MS / 10,
                      on_answer, &hearing);
    buf_free(&bytes);
    if (st == ST_OK && q->to == 0)
        note_silence(f, ret, now + SILENT, ret->heard < most);
    drop_empty(ret);
    if (st == ST_OK && ret->count == 0 && ret->error[0])
        st = status_fail(ST_USAGE, "%s", ret->error);
    else if (st == ST_OK && ret->heard == 0)
        st = status_fail(ST_NET, "no node of this crawl answers");
    return st;
}

enum status far_ask(struct far *f, uint64_t to, const char *path, struct str query,
                    struct far_replies *ret)
{
    struct question q = {.kind = QUESTION_VIEW, .to = to, .what = str_of(path), .more = query};

    return put_question(f, &q, ret);
}

enum status far_node_id(const struct far *f, size_t place, uint64_t *ret)
{
    if (place >= f->book.count)
        return status_fail(ST_MISSING, "no node of this crawl has this number");
    if (!f->book.nodes[place].alive)
        return status_fail(ST_MISSING, "the node that has this is gone: read its directory");
    *ret = f->book.nodes[place].id;
    return ST_OK;
}

/* ---- looking ------------------------------------------------------------- */

static void hear_overviews(struct far *f)
{
    struct far_replies all = {0};

    if (book_alive(&f->book) > 0 && far_ask(f, 0, "", STR(""), &all) == ST_OK)
        for (size_t i = 0; i < all.count; i++)
            if (json_is_object(all.items[i].answer)) {
                json_decref(f->nodes[all.items[i].place].overview);
                f->nodes[all.items[i].place].overview = json_incref(all.items[i].answer);
            }
    far_replies_clear(&all);
}

static uint64_t print_of(const json_t *j)
{
    char *text = json_dumps(j, JSON_COMPACT | JSON_SORT_KEYS);
    uint64_t print = hash_str(str_of(text ? text : ""));

    free(text);
    return print;
}

/* Reads which nodes are there, and their state. If the bus is away, everything stays as it was. */
static enum status look(struct far *f)
{
    int64_t now = clock_now();
    uint64_t revision;
    struct book book;
    enum status st;

    if (f->looked_at && now - f->looked_at < LOOK_EVERY + LOOK_SHARE * f->look_cost)
        return ST_OK;
    book_init(&book);
    st = cluster_book(f->line, &book, &revision);
    if (st == ST_OK) {
        book_clear(&f->book);
        f->book = book;
        for (size_t i = 0; i < f->book.count; i++)
            (void)!cluster_lease(f->line, f->book.nodes[i].id, &f->nodes[i].lease, &revision);
        hear_overviews(f);
    } else {
        book_clear(&book);
    }
    if (st == ST_OK || f->overview == NULL) {
        json_decref(f->overview);
        f->overview = far_merge_overview(f);
        f->version = print_of(f->overview);
    }
    f->looked_at = clock_now();
    f->look_cost = f->looked_at - now;
    return f->book.count ? ST_OK : st;
}

/* ---- the overview -------------------------------------------------------- */

static void put_json(const json_t *j, struct buf *out)
{
    char *text = json_dumps(j, JSON_COMPACT | JSON_ENCODE_ANY);

    buf_add_z(out, text ? text : "null");
    free(text);
}

enum status far_overview(struct far *f, bool all, struct buf *out, int *ret_state,
                         uint64_t *ret_version)
{
    static const char *const still[] = {"seeds", "topics", "options", "usual", "metrics"};
    json_t *part;
    enum status st;

    (void)pthread_mutex_lock(&f->lock);
    st = look(f);
    *ret_state = f->state;
    *ret_version = f->version;
    part = json_copy(f->overview);
    for (size_t i = 0; i < ARRAY_LEN(still) && !all; i++)
        (void)json_object_del(part, still[i]);
    put_json(part, out);
    json_decref(part);
    (void)pthread_mutex_unlock(&f->lock);
    return st;
}

/* ---- answers that are kept ------------------------------------------------ */

static struct far_kept *kept_find(struct far *f, struct str key)
{
    for (size_t i = 0; i < FAR_KEPT; i++)
        if (f->kept[i].key && str_eq(str_of(f->kept[i].key), key))
            return &f->kept[i];
    return NULL;
}

/* Returns the place for a new answer, that of the oldest. All of them together have a ceiling. */
static struct far_kept *kept_place(struct far *f, size_t len)
{
    struct far_kept *oldest;
    size_t sum;

    for (;;) {
        sum = len;
        oldest = &f->kept[0];
        for (size_t i = 0; i < FAR_KEPT; i++) {
            sum += f->kept[i].len;
            if (f->kept[i].key == NULL || (oldest->key && f->kept[i].at < oldest->at))
                oldest = &f->kept[i];
        }
        if (sum <= KEPT_BYTES || oldest->key == NULL)
            break;
        kept_clear(oldest);
    }
    kept_clear(oldest);
    return oldest;
}

static void keep(struct far *f, struct str key, struct str text)
{
    struct far_kept *k = kept_find(f, key);

    if (k)
        kept_clear(k);
    if (text.len > KEPT_BYTES)
        return;
    k = kept_place(f, text.len);
    *k = (struct far_kept){str_dup(key), str_dup(text), text.len, clock_now()};
}

/* ---- requests ------------------------------------------------------------ */

static void stop_all(struct book *b, void *ctx)
{
    (void)ctx;
    if (b->end == BOOK_RUNNING)
        b->end = BOOK_STOPPED;
}

static enum status order(struct far *f, const char *what)
{
    struct question q = {.kind = QUESTION_DO, .what = str_of(what)};
    struct far_replies all = {0};
    uint64_t revision;
    enum status st;

    if (strcmp(what, "stop") == 0)
        return cluster_change(f->line, stop_all, NULL, &revision);
    st = put_question(f, &q, &all);
    if (st == ST_OK && all.count < book_alive(&f->book))
        st = status_fail(ST_NET, "only %zu of %zu nodes obeyed: try again", all.count,
                         book_alive(&f->book));
    far_replies_clear(&all);
    return st;
}

/* From the nodes. */
static enum status gather(struct far *f, struct call *r, const struct far_view *v, struct str key)
{
    enum status st;

    if (v->is_kept && book_alive(&f->book) == 0)
        return status_fail(ST_MISSING, "the nodes of this crawl have ended: read their directories "
                                       "(brood merge, brood serve)");
    st = v->fn(f, r);
    if (st == ST_OK)
        st = buf_check(&r->out);
    if (st == ST_OK && v->is_kept)
        keep(f, key, buf_str(&r->out));
    return st;
}

/* Gets a view from the nodes or, if they do not answer, its last state. */
static enum status view(struct far *f, struct call *r, const struct far_view *v)
{
    struct buf key = BUF_INIT(2 * LIMIT_DASH_URL);
    const struct far_kept *kept;
    enum status st = ST_NET;

    buf_addf(&key, "%s %llu\n%.*s", v->path, (unsigned long long)r->far_number,
             STR_ARG(buf_str(&r->query)));
    kept = kept_find(f, buf_str(&key));
    if (kept == NULL || clock_now() - kept->at >= FRESH)
        st = gather(f, r, v, buf_str(&key));
    kept = kept_find(f, buf_str(&key));
    if (kept && (st == ST_NET || st == ST_MISSING)) {
        buf_clear(&r->out);
        buf_add(&r->out, kept->text, kept->len);
        st = ST_OK;
    }
    buf_free(&key);
    return st;
}

static bool is_order(const char *word)
{
    return strcmp(word, "pause") == 0 || strcmp(word, "continue") == 0 || strcmp(word, "stop") == 0;
}

enum status far_answer(struct far *f, struct call *r)
{
    const struct far_view *v = far_view_find(r->route->path);
    const char *word = strrchr(r->route->path, '/') + 1;
    bool orders = strcmp(r->route->method, "POST") == 0;
    enum status st;

    if (orders ? !is_order(word) : v == NULL)
        return status_fail(ST_REFUSED, "this is not available over NATS: merge the directories "
                                       "of the nodes, and serve the merged one");
    (void)pthread_mutex_lock(&f->lock);
    st = look(f);
    if (st == ST_OK && orders) {
        st = order(f, word);
        f->looked_at = 0; /* their state may have changed */
        if (st == ST_OK)
            buf_add_z(&r->out, "{\"ok\":true}");
    } else if (st == ST_OK) {
        st = view(f, r, v);
    }
    (void)pthread_mutex_unlock(&f->lock);
    return st;
}
