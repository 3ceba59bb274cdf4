/* crawls.c - the crawls a dashboard shows. See crawls.h. SPDX-License-Identifier: MIT */
#include "dash/crawls.h"

#include "base/os/clock.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "crawl/ask.h"
#include "dash/children.h"
#include "dash/far/far.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define SCAN_EVERY US_PER_S
#define WHOLE_FOR  (60 * US_PER_S)   /* time for which a view is updated after the last request */
#define TEXT_FOR   (1800 * US_PER_S) /* how long an unused index of words is kept */
#define CLOSED_FOR (15 * US_PER_S)   /* after this time it is worth working ahead for it */
#define ASK_EVERY  (500 * US_PER_MS)
#define ASK_INSIDE (1500 * US_PER_MS) /* a caller inside asks only if no other caller has */
#define ASK_WAIT   (400 * US_PER_MS)

static bool has_crawl(const char *dir)
{
    char path[4096];
    struct stat info;

    return snprintf(path, sizeof path, "%s/crawl.db", dir) < (int)sizeof path &&
           stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

const char *crawl_state_name(enum crawl_state s)
{
    static const char *const names[] = {"starting", "running", "paused", "finished", "dead"};

    return names[s];
}

/* ---- the list ------------------------------------------------------------ */

void crawls_init(struct crawls *all)
{
    *all = (struct crawls){0};
    (void)pthread_mutex_init(&all->lock, NULL);
}

static void crawl_free(struct dash_crawl *c)
{
    query_close(c->view);
    far_close(c->far);
    series_clear(&c->series);
    news_times_clear(&c->news);
    buf_free(&c->cache_map);
    (void)pthread_mutex_destroy(&c->lock);
    free(c->dir);
    free(c->name);
    free(c);
}

void crawls_clear(struct crawls *all)
{
    for (size_t i = 0; i < all->count; i++)
        crawl_free(all->items[i]);
    text_list_free(&all->places);
    (void)pthread_mutex_destroy(&all->lock);
}

static struct dash_crawl *find_dir(struct crawls *all, const char *dir)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i]->dir, dir) == 0)
            return all->items[i];
    return NULL;
}

static struct dash_crawl *crawl_make(const char *dir)
{
    struct dash_crawl *c = MEM_NEW(struct dash_crawl);
    const char *slash = strrchr(dir, '/');

    c->dir = str_dup(str_of(dir));
    c->name = str_dup(str_of(slash && slash[1] ? slash + 1 : dir));
    c->cache_map = BUF_INIT(LIMIT_DASH_ANSWER);
    (void)snprintf(c->id, sizeof c->id, "%012llx",
                   (unsigned long long)(hash_str(str_of(dir)) >> 16));
    (void)pthread_mutex_init(&c->lock, NULL);
    return c;
}

/* The list is locked. */
static struct dash_crawl *add_locked(struct crawls *all, const char *dir)
{
    char *real = realpath(dir, NULL);
    struct dash_crawl *c = find_dir(all, real ? real : dir);

    if (c == NULL && all->count < ARRAY_LEN(all->items)) {
        c = crawl_make(real ? real : dir);
        all->items[all->count++] = c;
    }
    free(real);
    return c;
}

struct dash_crawl *crawls_add(struct crawls *all, const char *dir)
{
    struct dash_crawl *c;

    (void)pthread_mutex_lock(&all->lock);
    c = add_locked(all, dir);
    (void)pthread_mutex_unlock(&all->lock);
    return c;
}

void crawls_add_far(struct crawls *all, struct far *far)
{
    struct dash_crawl *c = crawl_make(far_name(far));

    c->far = far;
    far_identify(far, c->id);
    (void)pthread_mutex_lock(&all->lock);
    all->items[all->count++] = c; /* added at the start: there is room */
    (void)pthread_mutex_unlock(&all->lock);
}

static void scan_children(struct crawls *all, const char *place)
{
    DIR *d = opendir(place);
    char path[4096];

    if (d == NULL)
        return;
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.' &&
            snprintf(path, sizeof path, "%s/%s", place, e->d_name) < (int)sizeof path &&
            has_crawl(path))
            (void)add_locked(all, path);
    (void)closedir(d);
}

void crawls_scan(struct crawls *all, bool now)
{
    int64_t at = clock_now();

    (void)pthread_mutex_lock(&all->lock);
    if (now || at - all->scanned_at >= SCAN_EVERY) {
        if (!now)
            all->scanned_at = at;
        for (size_t i = 0; i < all->places.count; i++)
            if (has_crawl(all->places.items[i]))
                (void)add_locked(all, all->places.items[i]);
            else
                scan_children(all, all->places.items[i]);
    }
    (void)pthread_mutex_unlock(&all->lock);
}

struct dash_crawl *crawls_find(struct crawls *all, struct str id)
{
    struct dash_crawl *found = NULL;

    (void)pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < all->count && found == NULL; i++)
        if (str_eq(str_of(all->items[i]->id), id))
            found = all->items[i];
    (void)pthread_mutex_unlock(&all->lock);
    return found;
}

struct dash_crawl *crawls_at(struct crawls *all, size_t i)
{
    struct dash_crawl *c;

    (void)pthread_mutex_lock(&all->lock);
    c = i < all->count ? all->items[i] : NULL;
    (void)pthread_mutex_unlock(&all->lock);
    return c;
}

/* ---- its process --------------------------------------------------------- */

static pid_t child_of(const struct dash_crawl *c)
{
    return __atomic_load_n(&c->child, __ATOMIC_ACQUIRE);
}

static bool is_started(const struct dash_crawl *c)
{
    return __atomic_load_n(&c->started, __ATOMIC_ACQUIRE);
}

void crawl_child_began(struct dash_crawl *c, pid_t child)
{
    __atomic_store_n(&c->child, child, __ATOMIC_RELEASE);
    __atomic_store_n(&c->started, true, __ATOMIC_RELEASE);
}

void crawl_child_ended(struct dash_crawl *c, pid_t child)
{
    (void)__atomic_compare_exchange_n(&c->child, &child, 0, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED); /* else there is another by now */
}

void crawl_birth(const struct dash_crawl *c, bool *ret_started, bool *ret_lives)
{
    *ret_started = is_started(c);
    *ret_lives = child_of(c) != 0;
}

/* ---- going in ------------------------------------------------------------ */

/* Was the database removed and made again? Then it is another crawl. */
static bool is_replaced(struct dash_crawl *c)
{
    char path[4096];
    struct stat info;
    bool there = snprintf(path, sizeof path, "%s/crawl.db", c->dir) < (int)sizeof path &&
                 stat(path, &info) == 0;

    c->gone = !there;
    if (there && c->view && info.st_dev == c->device && info.st_ino == c->inode)
        return false;
    if (there) {
        c->device = info.st_dev;
        c->inode = info.st_ino;
    }
    return true;
}

/* Reports why a child ended without a database, from its log. */
static enum status tell_failure(const struct dash_crawl *c)
{
    struct buf said = BUF_INIT(4000);
    enum status st;

    if (is_started(c))
        children_said(c->dir, &said);
    if (said.len)
        st = status_fail(ST_MISSING, "the crawl could not begin: %s", said.data);
    else if (is_started(c))
        st = status_fail(ST_MISSING,
                         "the crawl could not begin: its process ended without a message");
    else
        st = status_fail(ST_MISSING, "%s has no crawl.db", c->name);
    buf_free(&said);
    return st;
}

static enum status open_view(struct dash_crawl *c)
{
    if (!is_replaced(c))
        return ST_OK;
    query_close(c->view);
    c->view = NULL;
    series_clear(&c->series);
    news_times_clear(&c->news);
    c->cache_map_at = 0;
    c->rest_until = 0;
    if (c->gone)
        return child_of(c) ? status_fail(ST_BUSY, "the crawl is starting") : tell_failure(c);
    return view_open(c->dir, &c->view);
}

/* The view has changed: updates the data that is derived from it. */
static enum status take_change(struct dash_crawl *c)
{
    enum status st = series_refresh(&c->series, c->view);
    bool was_open = c->version > 0 && !c->closed;

    c->version++;
    if (st == ST_OK)
        st = query_is_closed(c->view, &c->closed);
    if (was_open && c->closed)
        c->closed_at = clock_now();
    return st;
}

static enum status catch_up(struct dash_crawl *c, bool whole)
{
    bool changed = false;
    enum status st = view_refresh(c->view, whole, &changed);
    enum status taken = changed ? take_change(c) : ST_OK;

    return st == ST_OK ? taken : st;
}

/* Waits for the lock, but not for ever, because earlier requests may take long. */
static enum status lock(struct dash_crawl *c)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LIMIT_DASH_WAIT_MS / 1000;
    return pthread_mutex_timedlock(&c->lock, &until) == 0
               ? ST_OK
               : status_fail(ST_BUSY, "the crawl is busy with other requests");
}

/* A reading that took too long is not repeated at once, because a hostile database may cause it. */
static enum status may_look(struct dash_crawl *c)
{
    enum status st = c->far
                         ? status_fail(ST_REFUSED, "this is not available for a crawl on several "
                                                   "machines: merge its directories")
                         : open_view(c);

    if (st == ST_OK && c->rest_until > clock_now())
        st = status_fail(ST_STOPPED, "the crawl takes too long to read");
    if (st == ST_OK)
        view_limit(c->view, LIMIT_DASH_LOOK_MS * US_PER_MS);
    return st;
}

static void look_ended(struct dash_crawl *c, enum status st)
{
    c->rest_until = st == ST_STOPPED ? clock_now() + LIMIT_DASH_REST_MS * US_PER_MS : 0;
}

static enum status look(struct dash_crawl *c, bool whole)
{
    enum status st = may_look(c);

    if (st == ST_OK) {
        st = catch_up(c, whole);
        look_ended(c, st);
    }
    return st;
}

static enum status look_and_begin(struct dash_crawl *c, bool whole)
{
    enum status st;

    if (whole)
        c->whole_at = clock_now();
    st = look(c, whole);
    if (st == ST_OK) {
        view_limit(c->view, LIMIT_DASH_QUERY_MS * US_PER_MS);
        st = view_begin(c->view);
    }
    return st;
}

enum status crawl_need_whole(struct dash_crawl *c)
{
    view_end(c->view);
    return look_and_begin(c, true);
}

enum status crawl_enter(struct dash_crawl *c, bool whole)
{
    enum status st = lock(c);

    if (st != ST_OK)
        return st;
    st = look_and_begin(c, whole);
    if (st != ST_OK)
        (void)pthread_mutex_unlock(&c->lock);
    return st;
}

void crawl_leave(struct dash_crawl *c)
{
    if (c->view)
        view_end(c->view);
    (void)pthread_mutex_unlock(&c->lock);
}

/* ---- how it is ----------------------------------------------------------- */

static int64_t number_of(const json_t *j, const char *name)
{
    const json_t *value = json_object_get(j, name);

    return json_is_integer(value) ? json_integer_value(value) : -1;
}

/* `l`: what it said before. */
static void ask(const struct dash_crawl *c, struct crawl_live *l)
{
    const char *trouble;
    json_t *answer = NULL;
    enum status st = control_ask(c->dir, STR("{\"do\":\"status\"}"), ASK_WAIT, &answer);

    l->asked_at = clock_now();
    if (st == ST_BUSY && l->answers)
        return; /* it runs, but is too busy to answer */
    l->answers = st == ST_OK || st == ST_BUSY;
    if (answer) {
        l->paused = json_is_true(json_object_get(answer, "paused"));
        l->pages_limit = number_of(answer, "pages");
        l->for_limit = number_of(answer, "for");
        l->bytes_limit = number_of(answer, "bytes");
        trouble = json_string_value(json_object_get(answer, "trouble"));
        (void)snprintf(l->trouble, sizeof l->trouble, "%s", trouble ? trouble : "");
    }
    json_decref(answer);
}

void crawl_ask(struct dash_crawl *c)
{
    struct crawl_live live;
    int64_t before;

    if (c->far || lock(c) != ST_OK)
        return;
    live = c->live;
    (void)pthread_mutex_unlock(&c->lock);
    before = live.asked_at;
    if (clock_now() - before < ASK_EVERY)
        return;
    ask(c, &live);
    if (lock(c) != ST_OK)
        return;
    if (c->live.asked_at == before) /* otherwise another thread has asked it meanwhile */
        c->live = live;
    (void)pthread_mutex_unlock(&c->lock);
}

/* ---- working ahead ------------------------------------------------------- */

/* A running crawl changes all the time, and keeping up with it takes CPU time that the crawl needs:
 * it is done at once only for clients that need more than its figures. A crawl that has just ended
 * may be that of this process, which ends with it. */
static bool is_worth_it(const struct dash_crawl *c)
{
    int64_t now = clock_now();

    return (c->closed && now - c->closed_at > CLOSED_FOR) ||
           (c->whole_at && now - c->whole_at < WHOLE_FOR);
}

bool crawl_warm(struct dash_crawl *c, bool whole, uint64_t *ret_pages, bool *ret_hurry)
{
    bool more = false, changed = false;
    enum status st;

    (void)pthread_mutex_lock(&c->lock);
    st = may_look(c);
    if (st == ST_OK) {
        st = view_warm(c->view, whole, &more, &changed);
        look_ended(c, st);
    }
    if (st == ST_OK && changed)
        st = take_change(c);
    if (st == ST_OK)
        *ret_pages = view_totals(c->view)->pages;
    *ret_hurry = is_worth_it(c);
    (void)pthread_mutex_unlock(&c->lock);
    return st == ST_OK && more;
}

struct word_index *crawl_text(struct dash_crawl *c, int64_t asked_since)
{
    struct word_index *text = NULL;

    (void)pthread_mutex_lock(&c->lock);
    if (c->view) {
        view_drop_text(c->view, clock_now() - TEXT_FOR);
        text = view_text(c->view, asked_since);
    }
    (void)pthread_mutex_unlock(&c->lock);
    return text;
}

/* ---- inside -------------------------------------------------------------- */

void crawl_key(struct dash_crawl *c, const char *key, struct buf *ret)
{
    buf_clear(ret);
    if (query_key(c->view, key, ret) != ST_OK)
        buf_clear(ret);
}

double crawl_key_number(struct dash_crawl *c, const char *key, double fallback)
{
    struct buf text = BUF_INIT(64);
    double value = fallback;

    crawl_key(c, key, &text);
    if (text.len)
        (void)str_to_double(buf_str(&text), &value);
    buf_free(&text);
    return value;
}

json_t *crawl_figures(struct dash_crawl *c)
{
    struct buf text = BUF_INIT(KIB(512));
    json_t *figures;

    crawl_key(c, "model.figures", &text);
    figures = json_loadb(text.len ? text.data : "", text.len, 0, NULL);
    buf_free(&text);
    return figures;
}

enum crawl_state crawl_state(struct dash_crawl *c)
{
    struct buf end = BUF_INIT(256);
    bool ended;

    if (clock_now() - c->live.asked_at >= ASK_INSIDE)
        ask(c, &c->live);
    if (c->live.answers)
        return c->live.paused ? STATE_PAUSED : STATE_RUNNING;
    if (c->view == NULL)
        return child_of(c) ? STATE_STARTING : STATE_DEAD;
    crawl_key(c, "end", &end);
    ended = end.len > 0;
    buf_free(&end);
    return c->closed || ended ? STATE_FINISHED : child_of(c) ? STATE_STARTING : STATE_DEAD;
}

bool crawl_is_watch(struct dash_crawl *c)
{
    struct buf text = BUF_INIT(256);
    bool watch;

    crawl_key(c, "watch", &text);
    watch = text.len > 0;
    buf_free(&text);
    return watch;
}
