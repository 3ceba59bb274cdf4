/* server.c - a small HTTP server inside the test. SPDX-License-Identifier: MIT */
#include "server.h"

#include "base/buf.h"
#include "base/mem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define CLIENTS 256

struct client {
    struct server *server;
    int fd;
    SSL *tls; /* NULL: plain */
    pthread_t thread;
};

struct server {
    int fd;
    uint16_t port;
    server_fn *fn;
    SSL_CTX *tls;
    pthread_t thread;
    atomic_bool stopping;
    atomic_uint accepted;
    struct client clients[CLIENTS]; /* the accepting thread's, joined at the end */
};

/* ---- a connection ---------------------------------------------------------- */

bool client_send(struct client *c, struct str bytes)
{
    while (bytes.len > 0) {
        ssize_t n = c->tls ? SSL_write(c->tls, bytes.ptr, (int)bytes.len)
                           : send(c->fd, bytes.ptr, bytes.len, MSG_NOSIGNAL);

        if (n <= 0)
            return false;
        bytes = str_sub(bytes, (size_t)n, bytes.len);
    }
    return true;
}

bool client_sendf(struct client *c, const char *fmt, ...)
{
    struct buf b = BUF_INIT(1 << 20);
    va_list args;
    bool ok;

    va_start(args, fmt);
    buf_addv(&b, fmt, args);
    va_end(args);
    ok = client_send(c, buf_str(&b));
    buf_free(&b);
    return ok;
}

bool client_answer(struct client *c, const char *status_and_headers, struct str body)
{
    return client_sendf(c, "HTTP/1.1 %s\r\nContent-Length: %zu\r\n\r\n", status_and_headers,
                        body.len) &&
           client_send(c, body);
}

void client_reset(struct client *c)
{
    struct linger now = {.l_onoff = 1, .l_linger = 0};

    (void)setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

bool client_wait(struct client *c, int ms)
{
    for (; ms > 0 && !atomic_load(&c->server->stopping); ms -= 10)
        usleep(10000);
    return !atomic_load(&c->server->stopping);
}

static ssize_t receive(struct client *c, char *to, size_t len)
{
    struct pollfd p = {.fd = c->fd, .events = POLLIN};

    if (c->tls != NULL && SSL_pending(c->tls) > 0)
        return SSL_read(c->tls, to, (int)len);
    while (!atomic_load(&c->server->stopping))
        if (poll(&p, 1, 20) > 0)
            return c->tls ? SSL_read(c->tls, to, (int)len) : recv(c->fd, to, len, 0);
    return 0;
}

static bool serve_one(struct client *c, struct buf *in)
{
    struct str line, verb, path;
    size_t end;
    ssize_t n;
    bool ok;

    while ((end = str_find(buf_str(in), STR("\r\n\r\n"), 0)) == SIZE_MAX) {
        char *room = buf_room(in, 4096);

        n = room ? receive(c, room, 4096) : 0;
        if (n <= 0)
            return false;
        in->len += (size_t)n;
        in->data[in->len] = '\0';
    }
    line = str_sub(buf_str(in), 0, end + 4);
    (void)str_cut(&line, ' ', &verb);
    (void)str_cut(&line, ' ', &path);
    ok = c->server->fn(c, str_sub(buf_str(in), 0, end + 4), path);
    memmove(in->data, in->data + end + 4, in->len - end - 4);
    in->len -= end + 4;
    return ok;
}

static void *client_main(void *ctx)
{
    struct client *c = ctx;
    struct buf in = BUF_INIT(1 << 20);

    if (c->tls == NULL || SSL_accept(c->tls) == 1)
        while (serve_one(c, &in))
            ;
    buf_free(&in);
    if (c->tls != NULL)
        SSL_shutdown(c->tls);
    SSL_free(c->tls);
    close(c->fd);
    return NULL;
}

/* ---- the server ------------------------------------------------------------ */

static void *server_main(void *ctx)
{
    struct server *s = ctx;
    struct pollfd p = {.fd = s->fd, .events = POLLIN};

    while (!atomic_load(&s->stopping)) {
        struct client *c = &s->clients[atomic_load(&s->accepted)];
        int fd = poll(&p, 1, 20) > 0 ? accept(s->fd, NULL, NULL) : -1;

        if (fd < 0)
            continue;
        *c = (struct client){.server = s, .fd = fd};
        if (s->tls != NULL) {
            c->tls = SSL_new(s->tls);
            SSL_set_fd(c->tls, fd);
        }
        pthread_create(&c->thread, NULL, client_main, c);
        if (atomic_fetch_add(&s->accepted, 1) + 1 == CLIENTS)
            abort(); /* a test that opens more connections than any should */
    }
    return NULL;
}

static struct server *server_open(server_fn *fn, SSL_CTX *tls)
{
    struct server *s = MEM_NEW(struct server);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;

    signal(SIGPIPE, SIG_IGN);
    s->fn = fn;
    s->tls = tls;
    s->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(s->fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(s->fd, 64) != 0 ||
        getsockname(s->fd, (struct sockaddr *)&at, &len) != 0)
        abort();
    s->port = ntohs(at.sin_port);
    pthread_create(&s->thread, NULL, server_main, s);
    return s;
}

struct server *server_start(server_fn *fn)
{
    return server_open(fn, NULL);
}

void server_stop(struct server *s)
{
    atomic_store(&s->stopping, true);
    pthread_join(s->thread, NULL);
    for (unsigned i = 0; i < s->accepted; i++)
        pthread_join(s->clients[i].thread, NULL);
    close(s->fd);
    SSL_CTX_free(s->tls);
    free(s);
}

uint16_t server_port(const struct server *s)
{
    return s->port;
}

unsigned server_connections(struct server *s)
{
    return atomic_load(&s->accepted);
}

/* ---- certificates ---------------------------------------------------------- */

static void extension_add(X509 *cert, X509 *issuer, int nid, const char *value)
{
    X509V3_CTX ctx;
    X509_EXTENSION *e;

    X509V3_set_ctx(&ctx, issuer, cert, NULL, NULL, 0);
    e = X509V3_EXT_conf_nid(NULL, &ctx, nid, value);
    X509_add_ext(cert, e, -1);
    X509_EXTENSION_free(e);
}

static X509 *certificate(const char *name, long serial, EVP_PKEY *key, X509 *issuer,
                         EVP_PKEY *issuer_key)
{
    X509 *cert = X509_new();
    X509_NAME *subject = X509_get_subject_name(cert);

    X509_set_version(cert, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(cert), serial);
    X509_gmtime_adj(X509_getm_notBefore(cert), -3600);
    X509_gmtime_adj(X509_getm_notAfter(cert), 3600);
    X509_set_pubkey(cert, key);
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)name, -1, -1, 0);
    X509_set_issuer_name(cert, issuer ? X509_get_subject_name(issuer) : subject);
    if (issuer == NULL)
        extension_add(cert, cert, NID_basic_constraints, "critical,CA:TRUE");
    else
        extension_add(cert, issuer, NID_subject_alt_name, "DNS:secure.test");
    X509_sign(cert, issuer_key, EVP_sha256());
    return cert;
}

struct server *server_start_tls(server_fn *fn, const char *ca_path)
{
    EVP_PKEY *ca_key = EVP_EC_gen("P-256"), *key = EVP_EC_gen("P-256");
    X509 *ca = certificate("test authority", 1, ca_key, NULL, ca_key);
    X509 *cert = certificate("secure.test", 2, key, ca, ca_key);
    SSL_CTX *tls = SSL_CTX_new(TLS_server_method());
    FILE *f = fopen(ca_path, "w");

    if (f == NULL || PEM_write_X509(f, ca) != 1 || fclose(f) != 0 ||
        SSL_CTX_use_certificate(tls, cert) != 1 || SSL_CTX_use_PrivateKey(tls, key) != 1)
        abort();
    X509_free(ca);
    X509_free(cert);
    EVP_PKEY_free(ca_key);
    EVP_PKEY_free(key);
    return server_open(fn, tls);
}
