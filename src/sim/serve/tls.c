/* tls.c - a test authority and a certificate for every host name.
 *
 * In: the names clients ask for. Out: TLS sessions. One P-256 key for the
 * authority, one shared by all hosts; making a certificate is one signature
 * (some 50 us), so none is made before it is asked for.
 *
 * Workload: one certificate a host of the world, then a lookup a handshake.
 * SPDX-License-Identifier: MIT
 */
#include "sim/serve/tls.h"

#include "base/os/file.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#define DAY          86400L
#define NAME_MAX_LEN 253 /* of a DNS name */

struct tls {
    SSL_CTX *ctx;
    EVP_PKEY *ca_key, *host_key;
    X509 *ca;
    struct map index; /* hash of the name -> place in certs */
    X509 **certs;
    size_t ncerts, cap;
    uint64_t serial;
};

static enum status fail(const char *doing)
{
    char text[256] = "unknown";
    unsigned long code = ERR_get_error();

    if (code)
        ERR_error_string_n(code, text, sizeof text);
    ERR_clear_error();
    return status_fail(ST_INTERNAL, "%s: %s", doing, text);
}

/* ---- certificates -------------------------------------------------------- */

static bool add_extension(X509 *cert, X509 *issuer, int nid, const char *value)
{
    X509V3_CTX ctx;
    X509_EXTENSION *ext;
    bool ok;

    X509V3_set_ctx_nodb(&ctx);
    X509V3_set_ctx(&ctx, issuer, cert, NULL, NULL, 0);
    ext = X509V3_EXT_conf_nid(NULL, &ctx, nid, value);
    ok = ext && X509_add_ext(cert, ext, -1) == 1;
    X509_EXTENSION_free(ext);
    return ok;
}

struct extension {
    int nid;
    const char *value;
};

/* A certificate for `key`, signed by the authority (or by itself: issuer NULL). */
static X509 *make_cert(struct tls *t, EVP_PKEY *key, X509 *issuer, const char *common_name,
                       const struct extension *extensions, size_t n)
{
    X509 *cert = X509_new();
    X509_NAME *name = cert ? X509_get_subject_name(cert) : NULL;
    X509 *by = issuer ? issuer : cert;
    bool ok =
        cert && X509_set_version(cert, 2) == 1 &&
        ASN1_INTEGER_set_uint64(X509_get_serialNumber(cert), ++t->serial) == 1 &&
        X509_gmtime_adj(X509_getm_notBefore(cert), -DAY) &&
        X509_gmtime_adj(X509_getm_notAfter(cert), 365 * DAY) && X509_set_pubkey(cert, key) == 1 &&
        X509_NAME_add_entry_by_txt(name, "O", MBSTRING_ASC,
                                   (const unsigned char *)"brood test world", -1, -1, 0) == 1 &&
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)common_name, -1,
                                   -1, 0) == 1 &&
        X509_set_issuer_name(cert, X509_get_subject_name(by)) == 1;

    for (size_t i = 0; i < n && ok; i++)
        ok = add_extension(cert, by, extensions[i].nid, extensions[i].value);
    if (ok && X509_sign(cert, t->ca_key, EVP_sha256()) > 0)
        return cert;
    X509_free(cert);
    return NULL;
}

static X509 *make_authority(struct tls *t)
{
    static const struct extension extensions[] = {
        {NID_basic_constraints, "critical,CA:TRUE,pathlen:0"},
        {NID_key_usage, "critical,keyCertSign,cRLSign"},
        {NID_subject_key_identifier, "hash"},
    };

    return make_cert(t, t->ca_key, NULL, "brood test authority", extensions, ARRAY_LEN(extensions));
}

static X509 *make_host(struct tls *t, const char *alternative)
{
    const struct extension extensions[] = {
        {NID_basic_constraints, "critical,CA:FALSE"},
        {NID_key_usage, "critical,digitalSignature"},
        {NID_ext_key_usage, "serverAuth"},
        {NID_authority_key_identifier, "keyid"},
        {NID_subject_alt_name, alternative},
    };

    return make_cert(t, t->host_key, t->ca, "brood world", extensions, ARRAY_LEN(extensions));
}

/* ---- by name ------------------------------------------------------------- */

static void forget_certs(struct tls *t)
{
    for (size_t i = 0; i < t->ncerts; i++)
        X509_free(t->certs[i]);
    t->ncerts = 0;
    map_clear(&t->index);
}

/* The certificate for "DNS:name" or "IP:address"; lent. */
static X509 *find_cert(struct tls *t, const char *alternative)
{
    uint64_t key = hash_str(str_of(alternative));
    uint32_t place = map_get(&t->index, key);

    if (place != MAP_NONE)
        return t->certs[place];
    X509 *cert = make_host(t, alternative);
    if (cert == NULL)
        return NULL;
    if (t->ncerts >= LIMIT_SERVE_CERTIFICATES)
        forget_certs(t);
    MEM_GROW(t->certs, t->ncerts, &t->cap);
    t->certs[t->ncerts] = cert;
    map_set(&t->index, key, (uint32_t)t->ncerts++);
    return cert;
}

/* Only names that cannot end the extension's text: letters, digits, - _ . */
static bool is_host_name(const char *name)
{
    size_t len = strlen(name);

    for (size_t i = 0; i < len; i++)
        if (!ascii_is_alpha(name[i]) && !ascii_is_digit(name[i]) && !strchr("-_.", name[i]))
            return false;
    return len > 0 && len <= NAME_MAX_LEN;
}

static bool name_of(SSL *ssl, char *ret, size_t size)
{
    const char *sni = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    struct sockaddr_in local;
    socklen_t len = sizeof local;
    char text[INET_ADDRSTRLEN];

    if (sni) {
        int n = is_host_name(sni) ? snprintf(ret, size, "DNS:%s", sni) : 0;

        for (char *c = ret; n > 0 && *c; c++)
            *c = c < ret + 4 ? *c : ascii_lower(*c);
        return n > 0;
    }
    if (getsockname(SSL_get_fd(ssl), (struct sockaddr *)&local, &len) != 0 ||
        !inet_ntop(AF_INET, &local.sin_addr, text, sizeof text))
        return false;
    return snprintf(ret, size, "IP:%s", text) > 0;
}

static int choose_cert(SSL *ssl, void *arg)
{
    struct tls *t = arg;
    char alternative[NAME_MAX_LEN + 16];
    X509 *cert = name_of(ssl, alternative, sizeof alternative) ? find_cert(t, alternative) : NULL;

    return cert && SSL_use_certificate(ssl, cert) == 1 && SSL_use_PrivateKey(ssl, t->host_key) == 1;
}

/* Clients that ask get HTTP/1.1; others get no answer to that. */
static int choose_protocol(SSL *ssl, const unsigned char **out, unsigned char *outlen,
                           const unsigned char *in, unsigned int inlen, void *arg)
{
    static const unsigned char ours[] = "\x08http/1.1";

    (void)ssl, (void)arg;
    if (SSL_select_next_proto((unsigned char **)(uintptr_t)out, outlen, ours, sizeof ours - 1, in,
                              inlen) == OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_OK;
    return SSL_TLSEXT_ERR_NOACK;
}

/* ---- public -------------------------------------------------------------- */

static enum status write_authority(const struct tls *t, const char *path)
{
    BIO *bio = BIO_new(BIO_s_mem());
    char *data = NULL;
    enum status st;

    if (bio == NULL || PEM_write_bio_X509(bio, t->ca) != 1) {
        BIO_free(bio);
        return fail("the test authority's certificate cannot be written");
    }
    long len = BIO_get_mem_data(bio, &data);
    st = file_write(path, (struct str){data, (size_t)len});
    BIO_free(bio);
    return st;
}

static bool set_up(struct tls *t)
{
    uint32_t start = 0;

    if (RAND_bytes((unsigned char *)&start, sizeof start) != 1)
        return false;
    t->serial = (uint64_t)start << 24; /* browsers dislike one serial met twice */
    t->ca_key = EVP_EC_gen("P-256");
    t->host_key = EVP_EC_gen("P-256");
    t->ca = t->ca_key ? make_authority(t) : NULL;
    t->ctx = SSL_CTX_new(TLS_server_method());
    if (!t->host_key || !t->ca || !t->ctx ||
        SSL_CTX_set_min_proto_version(t->ctx, TLS1_2_VERSION) != 1)
        return false;
    (void)SSL_CTX_set_mode(t->ctx, SSL_MODE_ENABLE_PARTIAL_WRITE |
                                       SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                       SSL_MODE_RELEASE_BUFFERS);
    (void)SSL_CTX_set_options(t->ctx, SSL_OP_NO_RENEGOTIATION);
    (void)SSL_CTX_set_session_cache_mode(t->ctx, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_cert_cb(t->ctx, choose_cert, t);
    SSL_CTX_set_alpn_select_cb(t->ctx, choose_protocol, NULL);
    return true;
}

enum status tls_new(const char *ca_file, struct tls **ret)
{
    struct tls *t = MEM_NEW(struct tls);
    enum status st = ST_OK;

    map_init(&t->index);
    if (!set_up(t))
        st = fail("the test authority cannot be made");
    if (st == ST_OK && ca_file)
        st = write_authority(t, ca_file);
    if (st == ST_OK)
        *ret = t;
    else
        tls_free(t);
    return st;
}

void tls_free(struct tls *t)
{
    if (t == NULL)
        return;
    forget_certs(t);
    free(t->certs);
    map_free(&t->index);
    SSL_CTX_free(t->ctx);
    X509_free(t->ca);
    EVP_PKEY_free(t->ca_key);
    EVP_PKEY_free(t->host_key);
    free(t);
}

struct ssl_st *tls_accept(struct tls *t, int fd)
{
    SSL *ssl = SSL_new(t->ctx);

    if (ssl && SSL_set_fd(ssl, fd) == 1) {
        SSL_set_accept_state(ssl);
        return ssl;
    }
    SSL_free(ssl);
    return NULL;
}
