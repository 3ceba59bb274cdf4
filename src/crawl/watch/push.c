/* push.c - see push.h. SPDX-License-Identifier: MIT */
#include "crawl/watch/push.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "crawl/watch/poster.h"
#include "parse/url.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#define TOKEN_BYTES   16
#define SECRET_BYTES  32
#define HOUR          (3600 * US_PER_S)
#define ANSWER_WAIT   (HOUR / 6) /* for a hub to confirm */
#define FIRST_WAIT    (60 * US_PER_S)
#define LONGEST_WAIT  (24 * HOUR)
#define ASK_STEP      US_PER_S /* between two requests to hubs */
#define LEASE_ASKED   864000   /* s: ten days */
#define LEASE_LEAST   300
#define LEASE_MOST    (30 * 86400)
#define CLOUD_LEASE   (24 * HOUR) /* a cloud forgets us after 25 hours */
#define CHALLENGE_MAX 2000

struct subscription {
    char *feed; /* the URL that is visited */
    char *hub, *topic;
    bool is_cloud;
    bool is_asked; /* the hub may confirm now */
    bool is_active;
    bool is_told;                    /* a change was reported, and not taken yet */
    unsigned failures;               /* in a row */
    int64_t due;                     /* when the hub is asked, or asked again */
    int64_t expires;                 /* of the lease */
    int64_t taken_at;                /* when a change was last taken */
    char token[2 * TOKEN_BYTES + 1]; /* the last part of its address */
    char secret[2 * SECRET_BYTES + 1];
};

struct push {
    pthread_mutex_t lock; /* of all below, but for the poster */
    char *callback;
    struct subscription *all;
    size_t count, cap;
    uint64_t told, refused;
    const struct crawl_options *options;
    bool private_too;
    struct poster *poster; /* made for the first hub */
    size_t under_way;      /* whose request that is */
    int64_t ask_at;
};

/* ---- forms --------------------------------------------------------------- */

static void add_escaped(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char ch = (unsigned char)text.ptr[i];

        if (ascii_is_alpha((char)ch) || ascii_is_digit((char)ch) || strchr("-._~", ch))
            buf_add_char(out, (char)ch);
        else
            buf_addf(out, "%%%02X", ch);
    }
}

static void put(struct buf *form, const char *name, const char *value)
{
    buf_addf(form, "%s%s=", form->len ? "&" : "", name);
    add_escaped(form, str_of(value));
}

static void add_decoded(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '%' && i + 2 < s.len && ascii_hex(s.ptr[i + 1]) >= 0 &&
            ascii_hex(s.ptr[i + 2]) >= 0) {
            buf_add_char(out, (char)(16 * ascii_hex(s.ptr[i + 1]) + ascii_hex(s.ptr[i + 2])));
            i += 2;
        } else {
            buf_add_char(out, s.ptr[i] == '+' ? ' ' : s.ptr[i]);
        }
    }
}

bool push_field(struct str form, struct str name, struct buf *ret)
{
    struct str pair;

    while (str_cut(&form, '&', &pair)) {
        struct str key;
        struct buf decoded = BUF_INIT(200);
        bool is_it;

        if (!str_cut(&pair, '=', &key))
            continue;
        add_decoded(&decoded, str_sub(key, 0, 60));
        is_it = str_eq(buf_str(&decoded), name);
        buf_free(&decoded);
        if (is_it) {
            add_decoded(ret, pair);
            return !ret->full;
        }
    }
    return false;
}

/* ---- birth and death ----------------------------------------------------- */

enum status push_check(const char *callback)
{
    LOCAL_ARENA memory = ARENA_INIT(KIB(64));
    struct url u;
    enum status st;

    st = url_parse(str_of(callback), NULL, &memory, &u);
    if (st != ST_OK || strlen(callback) > LIMIT_URL / 2 || strpbrk(callback, "?#"))
        st = status_fail(ST_USAGE, "--callback '%.200s' is no http or https URL without a query",
                         callback);
    return st;
}

enum status push_new(const char *callback, const struct crawl_options *o, bool private_too,
                     struct push **ret)
{
    struct push *p;
    enum status st = push_check(callback);
    size_t len = strlen(callback);

    if (st != ST_OK)
        return st;
    p = MEM_NEW(struct push);
    (void)pthread_mutex_init(&p->lock, NULL);
    p->callback = str_dup((struct str){callback, len - (len > 0 && callback[len - 1] == '/')});
    p->options = o;
    p->private_too = private_too;
    *ret = p;
    return ST_OK;
}

void push_free(struct push *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->count; i++) {
        free(p->all[i].feed);
        free(p->all[i].hub);
        free(p->all[i].topic);
    }
    if (p->all)
        OPENSSL_cleanse(p->all, p->cap * sizeof *p->all);
    free(p->all);
    free(p->callback);
    poster_free(p->poster);
    (void)pthread_mutex_destroy(&p->lock);
    free(p);
}

/* ---- subscriptions ------------------------------------------------------- */

static bool make_secret(char *ret, size_t bytes)
{
    unsigned char raw[SECRET_BYTES];

    if (getrandom(raw, bytes, 0) != (ssize_t)bytes)
        return false;
    for (size_t i = 0; i < bytes; i++)
        (void)snprintf(ret + 2 * i, 3, "%02x", raw[i]);
    OPENSSL_cleanse(raw, sizeof raw);
    return true;
}

static struct subscription *find(struct push *p, struct str feed)
{
    for (size_t i = 0; i < p->count; i++)
        if (str_eq(str_of(p->all[i].feed), feed))
            return &p->all[i];
    return NULL;
}

static void name_hub(struct subscription *s, const struct hub *hub, int64_t now)
{
    free(s->hub);
    free(s->topic);
    s->hub = str_dup(hub->url);
    s->topic = str_dup(hub->topic);
    s->is_cloud = hub->is_cloud;
    s->is_active = s->is_asked = false;
    s->failures = 0;
    s->due = now;
}

/* A feed that names another hub every minute does not get a request each time: the time of its next
 * request stays. */
static void want(struct push *p, struct str feed, const struct hub *hub, int64_t now)
{
    struct subscription *s = find(p, feed);

    if (s && str_eq(str_of(s->hub), hub->url) && str_eq(str_of(s->topic), hub->topic))
        return;
    if (s) {
        name_hub(s, hub, s->due > now ? s->due : now + FIRST_WAIT);
        return;
    }
    if (p->count >= LIMIT_PUSH_TOPICS)
        return;
    MEM_GROW(p->all, p->count, &p->cap);
    s = &p->all[p->count];
    *s = (struct subscription){.feed = NULL};
    if (!make_secret(s->token, TOKEN_BYTES) || !make_secret(s->secret, SECRET_BYTES))
        return;
    s->feed = str_dup(feed);
    name_hub(s, hub, now);
    p->count++;
}

void push_want(struct push *p, struct str feed, const struct hub *hub, int64_t now)
{
    if (hub->url.len > LIMIT_URL || hub->topic.len > LIMIT_URL)
        return;
    (void)pthread_mutex_lock(&p->lock);
    want(p, feed, hub, now);
    (void)pthread_mutex_unlock(&p->lock);
}

void push_event(void *push, const struct event *e)
{
    const struct arrival *a = e->kind == EVENT_PAGE    ? e->page.arrival
                              : e->kind == EVENT_LINKS ? e->links.arrival
                                                       : NULL;

    if (a && a->page && a->page->hub)
        push_want(push, a->request->href, a->page->hub, e->at);
}

/* ---- asking hubs --------------------------------------------------------- */

static void write_websub(const struct push *p, const struct subscription *s, struct buf *form)
{
    LOCAL_BUF address = BUF_INIT(LIMIT_URL);

    buf_addf(&address, "%s/%s", p->callback, s->token);
    put(form, "hub.mode", "subscribe");
    put(form, "hub.topic", s->topic);
    put(form, "hub.callback", address.data);
    put(form, "hub.secret", s->secret);
    buf_addf(form, "&hub.lease_seconds=%d", LEASE_ASKED);
}

static void write_cloud(const struct push *p, const struct subscription *s, struct buf *form)
{
    LOCAL_BUF path = BUF_INIT(LIMIT_URL), domain = BUF_INIT(LIMIT_URL);
    LOCAL_ARENA memory = ARENA_INIT(KIB(64));
    struct url u;

    if (url_parse(str_of(p->callback), NULL, &memory, &u) == ST_OK) {
        struct str path_of = str_eq(u.path, STR("/")) ? STR("") : u.path;

        buf_addf(&path, "%.*s/%s", STR_ARG(path_of), s->token);
        buf_add_str(&domain, u.host);
        put(form, "notifyProcedure", "");
        put(form, "protocol", str_eq(u.scheme, STR("https")) ? "https-post" : "http-post");
        put(form, "domain", domain.data);
        buf_addf(form, "&port=%u", (unsigned)u.port);
        put(form, "path", path.data);
        put(form, "url1", s->topic);
    }
}

static int64_t wait_of(unsigned failures)
{
    int64_t wait = FIRST_WAIT;

    while (failures-- > 1 && wait < LONGEST_WAIT)
        wait *= 4;
    return wait < LONGEST_WAIT ? wait : LONGEST_WAIT;
}

/* 2xx from a hub means that it will verify us; from a cloud, that it has done so. */
static void on_answered(struct subscription *s, int status, int64_t now)
{
    if (status < 200 || status > 299) {
        s->is_asked = false;
        s->due = now + wait_of(++s->failures);
    } else if (s->is_cloud) {
        s->is_asked = false;
        s->is_active = true;
        s->failures = 0;
        s->expires = now + CLOUD_LEASE + HOUR;
        s->due = now + CLOUD_LEASE;
    }
}

/* Returns the first subscription that is due, or `count` if none is. Ends leases that have
 * expired. */
static size_t next_due(struct push *p, int64_t now)
{
    size_t ret = p->count;

    for (size_t i = p->count; i-- > 0;) {
        struct subscription *s = &p->all[i];

        if (s->is_active && now >= s->expires)
            s->is_active = false;
        if (now >= s->due)
            ret = i;
    }
    return ret;
}

static void write_request(struct push *p, struct subscription *s, struct buf *ret_hub,
                          struct buf *form, int64_t now)
{
    if (s->is_asked) /* it never confirmed */
        s->failures++;
    s->is_asked = true;
    s->due = now + (s->failures ? wait_of(s->failures) : 0) + ANSWER_WAIT;
    buf_add_z(ret_hub, s->hub);
    if (s->is_cloud)
        write_cloud(p, s, form);
    else
        write_websub(p, s, form);
}

bool push_ask(struct push *p, int64_t now, struct buf *ret_hub, struct buf *ret_form)
{
    size_t at;

    (void)pthread_mutex_lock(&p->lock);
    at = now >= p->ask_at ? next_due(p, now) : p->count;
    if (at < p->count) {
        write_request(p, &p->all[at], ret_hub, ret_form, now);
        p->under_way = at;
        p->ask_at = now + ASK_STEP;
    }
    (void)pthread_mutex_unlock(&p->lock);
    return ret_hub->len > 0;
}

void push_asked(struct push *p, int status, int64_t now)
{
    (void)pthread_mutex_lock(&p->lock);
    on_answered(&p->all[p->under_way], status, now);
    (void)pthread_mutex_unlock(&p->lock);
}

void push_pump(struct push *p, int64_t now)
{
    LOCAL_BUF hub = BUF_INIT(LIMIT_URL + 1), form = BUF_INIT(KIB(64));
    struct poster_answer answer;

    if (p->poster && poster_take(p->poster, &answer))
        push_asked(p, answer.status, now);
    if ((p->poster == NULL || !poster_is_busy(p->poster)) && push_ask(p, now, &hub, &form)) {
        if (p->poster == NULL && poster_new(p->options, p->private_too, &p->poster) != ST_OK)
            push_asked(p, 0, now);
        else
            (void)poster_send(p->poster, buf_str(&hub), buf_str(&form));
    }
}

bool push_take(struct push *p, int64_t now, struct buf *ret)
{
    bool found = false;

    (void)pthread_mutex_lock(&p->lock);
    for (size_t i = 0; i < p->count && !found; i++) {
        struct subscription *s = &p->all[i];

        found = s->is_told && (s->taken_at == 0 || now - s->taken_at >= PUSH_REST);
        if (found) {
            s->is_told = false;
            s->taken_at = now;
            buf_add_z(ret, s->feed);
        }
    }
    (void)pthread_mutex_unlock(&p->lock);
    return found;
}

struct push_counts push_counts(struct push *p)
{
    struct push_counts c = {0};

    (void)pthread_mutex_lock(&p->lock);
    c = (struct push_counts){.topics = (uint32_t)p->count, .told = p->told, .refused = p->refused};
    for (size_t i = 0; i < p->count; i++)
        c.active += p->all[i].is_active;
    (void)pthread_mutex_unlock(&p->lock);
    return c;
}

/* ---- what comes to the callback ------------------------------------------ */

static struct subscription *of_token(struct push *p, struct str path)
{
    struct subscription *found = NULL;
    struct str part = STR("");

    while (str_cut(&path, '/', &part))
        ;
    for (size_t i = 0; part.len == 2 * TOKEN_BYTES && i < p->count; i++)
        if (CRYPTO_memcmp(p->all[i].token, part.ptr, part.len) == 0)
            found = &p->all[i];
    return found;
}

static bool is_field(struct str form, struct str name, const char *value)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_URL + 1);
    bool is = push_field(form, name, &text) && str_eq(buf_str(&text), str_of(value));

    return is;
}

static int64_t lease_of(struct str query)
{
    struct buf text = BUF_INIT(40);
    uint64_t seconds = 0;

    if (!push_field(query, STR("hub.lease_seconds"), &text) ||
        !str_to_u64(buf_str(&text), &seconds))
        seconds = LEASE_ASKED;
    buf_free(&text);
    seconds = seconds < LEASE_LEAST ? LEASE_LEAST : seconds > LEASE_MOST ? LEASE_MOST : seconds;
    return (int64_t)seconds * US_PER_S;
}

/* Returns the challenge unchanged, and only as text. */
static unsigned confirm(struct subscription *s, struct str query, struct str name, int64_t lease,
                        int64_t now, struct buf *ret)
{
    LOCAL_BUF challenge = BUF_INIT(CHALLENGE_MAX);
    bool has = push_field(query, name, &challenge) && challenge.len > 0;

    if (has) {
        buf_add_str(ret, buf_str(&challenge));
        s->is_asked = s->is_cloud && s->is_asked; /* a cloud's answer is still to come */
        s->is_active = true;
        s->failures = 0;
        s->expires = now + lease;
        s->due = now + lease - lease / 5;
    }
    return has ? 200 : 404;
}

static unsigned on_get(struct subscription *s, struct str query, int64_t now, struct buf *ret)
{
    if (s->is_cloud)
        return s->is_asked && is_field(query, STR("url"), s->topic)
                   ? confirm(s, query, STR("challenge"), CLOUD_LEASE + HOUR, now, ret)
                   : 404;
    if (!is_field(query, STR("hub.topic"), s->topic))
        return 404;
    if (is_field(query, STR("hub.mode"), "denied")) {
        s->is_asked = s->is_active = false;
        s->due = now + LONGEST_WAIT;
        return 200;
    }
    return s->is_asked && is_field(query, STR("hub.mode"), "subscribe")
               ? confirm(s, query, STR("hub.challenge"), lease_of(query), now, ret)
               : 404;
}

static bool is_signed(const struct subscription *s, struct str signature, struct str body)
{
    static const struct {
        struct str name;
        const EVP_MD *(*how)(void);
    } methods[] = {{STR("sha1"), EVP_sha1},
                   {STR("sha256"), EVP_sha256},
                   {STR("sha384"), EVP_sha384},
                   {STR("sha512"), EVP_sha512}};
    unsigned char digest[EVP_MAX_MD_SIZE], said[EVP_MAX_MD_SIZE];
    struct str method = STR("");
    unsigned len = 0;
    size_t n = 0;

    signature = str_trim(signature);
    if (!str_cut(&signature, '=', &method) || signature.len > 2 * sizeof said)
        return false;
    for (; 2 * n + 1 < signature.len; n++) {
        int high = ascii_hex(signature.ptr[2 * n]), low = ascii_hex(signature.ptr[2 * n + 1]);

        if (high < 0 || low < 0)
            return false;
        said[n] = (unsigned char)(16 * high + low);
    }
    for (size_t i = 0; i < ARRAY_LEN(methods); i++)
        if (str_eq(methods[i].name, method) &&
            HMAC(methods[i].how(), s->secret, (int)strlen(s->secret),
                 (const unsigned char *)(body.len ? body.ptr : ""), body.len, digest, &len))
            return len == n && CRYPTO_memcmp(digest, said, len) == 0;
    return false;
}

/* A sender with a wrong signature is not told so. */
static unsigned on_post(struct push *p, struct subscription *s, const struct push_request *r)
{
    bool counts = s->is_active && (s->is_cloud ? is_field(r->body, STR("url"), s->topic)
                                               : is_signed(s, r->signature, r->body));

    s->is_told = s->is_told || counts;
    p->told += counts;
    p->refused += !counts;
    return 202;
}

unsigned push_answer(struct push *p, const struct push_request *r, int64_t now, struct buf *ret)
{
    struct subscription *s;
    unsigned code = 410;

    (void)pthread_mutex_lock(&p->lock);
    s = of_token(p, r->path);
    if (s)
        code = r->is_post ? on_post(p, s, r) : on_get(s, r->query, now, ret);
    (void)pthread_mutex_unlock(&p->lock);
    return code;
}
