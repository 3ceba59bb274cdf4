/* identity.c - requests signed by a key of the user's. See identity.h.
 * SPDX-License-Identifier: MIT */
#include "fetch/identity.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "base/os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX  KIB(16)
#define AGENT     "agent: "
#define KEY_BYTES 32
#define KEY_TEXT  44 /* 32 bytes in base64url, and the zero */
#define SIGNATURE 64
#define NONCE     16

struct identity {
    EVP_PKEY *key;
    char *agent;          /* an https origin */
    char x[KEY_TEXT];     /* the public key, base64url */
    char keyid[KEY_TEXT]; /* its thumbprint */
};

/* ---- texts --------------------------------------------------------------- */

static void add_base64(struct buf *out, const unsigned char *data, size_t len)
{
    unsigned char text[4 * ((SIGNATURE + 2) / 3) + 1];

    buf_add(out, text, (size_t)EVP_EncodeBlock(text, data, (int)len));
}

/* base64 without padding, and safe in URLs. */
static void base64url(const unsigned char data[KEY_BYTES], char ret[KEY_TEXT])
{
    unsigned char text[4 * ((KEY_BYTES + 2) / 3) + 1];
    size_t n = (size_t)EVP_EncodeBlock(text, data, KEY_BYTES);

    while (n > 0 && text[n - 1] == '=')
        n--;
    for (size_t i = 0; i < n; i++)
        ret[i] = text[i] == '+' ? '-' : text[i] == '/' ? '_' : (char)text[i];
    ret[n] = '\0';
}

/* Accepts "https://host" and "https://host:port", of characters that need no quotes. */
static enum status agent_check(struct str agent)
{
    struct str rest = str_sub(agent, strlen("https://"), agent.len);

    for (size_t i = 0; i < rest.len; i++)
        if (!ascii_is_alpha(rest.ptr[i]) && !ascii_is_digit(rest.ptr[i]) &&
            !strchr(".-:[]", rest.ptr[i]))
            rest.len = 0;
    if (!str_starts(agent, STR("https://")) || rest.len == 0 || agent.len > LIMIT_HOST)
        return status_fail(ST_USAGE, "--agent: write an address such as https://bot.example.org, "
                                     "without a path");
    return ST_OK;
}

/* ---- the file ------------------------------------------------------------ */

static enum status library_failed(const char *path)
{
    return status_fail(ST_INTERNAL, "%s: the cryptographic library failed", path);
}

/* Writes the private key as PEM to a file that must not exist. */
static enum status write_new(const char *path, const char *agent, EVP_PKEY *key)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool ok;

    if (f == NULL && fd >= 0)
        (void)close(fd);
    if (f == NULL)
        return status_fail(errno == EEXIST ? ST_EXISTS : ST_IO, "%s: %s", path, strerror(errno));
    ok = fprintf(f, AGENT "%s\n", agent) > 0 &&
         PEM_write_PrivateKey(f, key, NULL, NULL, 0, NULL, NULL) == 1;
    ok = fflush(f) == 0 && fsync(fd) == 0 && ok;
    if (fclose(f) == 0 && ok)
        return ST_OK;
    (void)unlink(path);
    return status_fail(ST_IO, "%s could not be written", path);
}

enum status identity_make(const char *path, const char *agent)
{
    enum status st = agent_check(str_of(agent));
    EVP_PKEY *key = st == ST_OK ? EVP_PKEY_Q_keygen(NULL, NULL, "ED25519") : NULL;

    if (st != ST_OK)
        return st;
    st = key ? write_new(path, agent, key) : library_failed(path);
    EVP_PKEY_free(key);
    return st;
}

/* Checks the file that is open, because its name may refer to another one a moment later. */
static enum status read_private(const char *path, struct buf *out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    enum status st = ST_OK;
    struct stat info;
    char *room;
    ssize_t n = 0;

    if (fd < 0 || fstat(fd, &info) != 0)
        st = status_fail(ST_MISSING, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(info.st_mode))
        st = status_fail(ST_INVALID, "%s is not a plain file", path);
    else if (info.st_mode & 077)
        st = status_fail(ST_REFUSED, "%s holds a private key, but others can read it: chmod 600 %s",
                         path, path);
    else if ((room = buf_room(out, FILE_MAX)) == NULL || (n = read(fd, room, FILE_MAX)) < 0)
        st = status_fail(ST_IO, "%s could not be read", path);
    if (fd >= 0)
        (void)close(fd);
    out->len += st == ST_OK ? (size_t)n : 0;
    return st;
}

/* {"crv":"Ed25519","kty":"OKP","x":"…"}: the members in this order, no spaces. */
static bool make_keyid(struct identity *id)
{
    unsigned char x[KEY_BYTES], digest[EVP_MAX_MD_SIZE];
    struct buf text = BUF_INIT(200);
    size_t len = sizeof x;
    bool ok;

    if (EVP_PKEY_get_raw_public_key(id->key, x, &len) != 1 || len != KEY_BYTES)
        return false;
    base64url(x, id->x);
    buf_addf(&text, "{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"%s\"}", id->x);
    ok = EVP_Digest(text.data, text.len, digest, NULL, EVP_sha256(), NULL) == 1;
    buf_free(&text);
    if (ok)
        base64url(digest, id->keyid);
    return ok;
}

/* No password is asked for, because a crawl may run unattended. */
static int no_password(char *buf, int size, int rwflag, void *ctx)
{
    (void)buf, (void)size, (void)rwflag, (void)ctx;
    return -1;
}

static enum status parse(struct str text, const char *path, struct identity *id)
{
    struct str line = {0};
    BIO *bio;

    (void)str_cut(&text, '\n', &line);
    line = str_trim(line);
    if (!str_starts(line, STR(AGENT)) ||
        agent_check(str_sub(line, strlen(AGENT), line.len)) != ST_OK)
        return status_fail(ST_INVALID, "%s is no identity: 'brood identity new' makes one", path);
    id->agent = str_dup(str_sub(line, strlen(AGENT), line.len));
    bio = BIO_new_mem_buf(text.ptr, (int)text.len);
    id->key = bio ? PEM_read_bio_PrivateKey(bio, NULL, no_password, NULL) : NULL;
    BIO_free(bio);
    if (id->key == NULL || !EVP_PKEY_is_a(id->key, "ED25519"))
        return status_fail(ST_INVALID, "%s has no Ed25519 key without a password", path);
    return make_keyid(id) ? ST_OK : library_failed(path);
}

enum status identity_read(struct str text, const char *name, struct identity **ret)
{
    struct identity *id = MEM_NEW(struct identity);
    enum status st = text.len > FILE_MAX ? status_fail(ST_INVALID, "%s is too long", name)
                                         : parse(text, name, id);

    if (st == ST_OK)
        *ret = id;
    else
        identity_free(id);
    return st;
}

enum status identity_load(const char *path, struct identity **ret)
{
    struct buf text = BUF_INIT(FILE_MAX);
    enum status st = read_private(path, &text);

    if (st == ST_OK)
        st = identity_read(buf_str(&text), path, ret);
    if (text.data)
        OPENSSL_cleanse(text.data, text.cap);
    buf_free(&text);
    return st;
}

void identity_free(struct identity *id)
{
    if (id == NULL)
        return;
    EVP_PKEY_free(id->key);
    free(id->agent);
    free(id);
}

const char *identity_agent(const struct identity *id)
{
    return id->agent;
}

const char *identity_keyid(const struct identity *id)
{
    return id->keyid;
}

void identity_put_key(const struct identity *id, struct json *j)
{
    json_open_object(j, NULL);
    json_put_z(j, "kty", "OKP");
    json_put_z(j, "crv", "Ed25519");
    json_put_z(j, "alg", "ed25519");
    json_put_z(j, "use", "sig");
    json_put_z(j, "kid", id->keyid);
    json_put_z(j, "x", id->x);
    json_close(j);
}

/* ---- a signature --------------------------------------------------------- */

static struct str path_of(struct str href)
{
    size_t scheme = str_find(href, STR("://"), 0), from, to;

    from = scheme == SIZE_MAX ? SIZE_MAX : str_find_char(href, '/', scheme + 3);
    if (from == SIZE_MAX)
        return STR("/");
    to = str_find_char(href, '?', from);
    return str_sub(href, from, to == SIZE_MAX ? href.len : to);
}

/* Adds the components of the signature base, one on each line. */
static void add_components(struct buf *base, const struct identity *id, const struct request *r,
                           const char *purpose)
{
    buf_addf(base, "\"@method\": GET\n\"@authority\": ");
    for (size_t i = 0; i < r->host.len; i++)
        buf_add_char(base, ascii_lower(r->host.ptr[i]));
    if (r->port != (r->tls ? 443 : 80))
        buf_addf(base, ":%u", r->port);
    buf_addf(base, "\n\"@path\": %.*s\n", STR_ARG(path_of(r->href)));
    buf_addf(base, "\"signature-agent\";key=\"sig1\": \"%s\"\n", id->agent);
    if (purpose)
        buf_addf(base, "\"crawl-purpose\": %s\n", purpose);
}

static bool add_params(struct buf *params, const struct identity *id, const char *purpose,
                       int64_t now)
{
    unsigned char nonce[NONCE];

    if (RAND_bytes(nonce, sizeof nonce) != 1)
        return false;
    buf_addf(params, "(\"@method\" \"@authority\" \"@path\" \"signature-agent\";key=\"sig1\"%s)",
             purpose ? " \"crawl-purpose\"" : "");
    buf_addf(params, ";created=%lld;expires=%lld;nonce=\"", (long long)(now / US_PER_S),
             (long long)(now / US_PER_S) + IDENTITY_SECONDS);
    add_base64(params, nonce, sizeof nonce);
    buf_addf(params, "\";keyid=\"%s\";alg=\"ed25519\";tag=\"web-bot-auth\"", id->keyid);
    return true;
}

static bool sign(const struct identity *id, struct str text, unsigned char ret[SIGNATURE])
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    size_t len = SIGNATURE;
    bool ok = ctx && EVP_DigestSignInit(ctx, NULL, NULL, NULL, id->key) == 1 &&
              EVP_DigestSign(ctx, ret, &len, (const unsigned char *)text.ptr, text.len) == 1 &&
              len == SIGNATURE;

    EVP_MD_CTX_free(ctx);
    return ok;
}

bool identity_sign(const struct identity *id, const struct request *r, const char *purpose,
                   int64_t now, struct identity_lines *ret)
{
    struct buf base = BUF_INIT(LIMIT_URL + KIB(4)), params = BUF_INIT(KIB(2));
    unsigned char signature[SIGNATURE];
    bool ok = add_params(&params, id, purpose, now);

    add_components(&base, id, r, purpose);
    buf_addf(&base, "\"@signature-params\": %.*s", STR_ARG(buf_str(&params)));
    ok = ok && !base.full && !params.full && sign(id, buf_str(&base), signature);
    if (ok) {
        buf_addf(&ret->agent, "sig1=\"%s\"", id->agent);
        buf_addf(&ret->input, "sig1=%.*s", STR_ARG(buf_str(&params)));
        buf_add_z(&ret->signature, "sig1=:");
        add_base64(&ret->signature, signature, sizeof signature);
        buf_add_char(&ret->signature, ':');
    }
    buf_free(&base);
    buf_free(&params);
    return ok;
}
