/* web.c - the small web that is crawled. SPDX-License-Identifier: MIT */
#include "web.h"

#include "base/mem.h"

#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

static char packed[1024];

static struct answer {
    const char *path;
    const char *type;    /* NULL: text/html */
    const char *headers; /* more of them */
    const char *body;
    size_t len;       /* 0: to its zero */
    int status;       /* 0: 200 */
    const char *host; /* only of this one */
} answers[] = {
    {"/robots.txt", "text/plain",
     .body = "User-agent: *\nDisallow: /private\nSitemap: " WEB_HOST "/sitemap.xml\n"},
    {"/sitemap.xml", "application/xml",
     .body = "<?xml version='1.0'?><urlset><url><loc>" WEB_HOST "/fish</loc></url>"
             "<url><loc>" WEB_HOST "/algae</loc></url></urlset>"},
    {"/", .host = "other.test", .body = "<title>Another sea</title><p>Far from every coral."},
    {"/",
     .body = "<html><head><title>Coral reefs</title></head><body><p>Reefs of coral, and what lives "
             "there.</p><a href=/bleaching>bleaching of corals</a> <a href=/old>old reefs</a> "
             "<a href=/gone>gone</a> <a href=/packed>packed corals</a> <a href=/latin>latin</a> "
             "<a href=/private/x>private</a> <a href=http://other.test/>another sea</a> "
             "<a href=/news.xml>news</a></body></html>"},
    {"/bleaching", .headers = "ETag: \"b\"\r\nSet-Cookie: a=b\r\n",
     .body = "<title>Bleaching</title><p>Warm water makes corals bleach.<a href=/fish>fish</a>"},
    {"/old", .headers = "Location: /new\r\n", .status = 301, .body = ""},
    {"/new", .body = "<title>New reefs</title><p>Reefs grow again after bleaching."},
    {"/packed", .headers = "Content-Encoding: gzip\r\n", .body = packed},
    {"/latin",
     .body = "<title>Caf\xe9</title><p>Les r\xe9" /* a hexadecimal digit follows */
             "cifs de corail \xe9taient tr\xe8s beaux, m\xeame \xe0 c\xf4t\xe9 de la for\xeat."},
    {"/news.xml", "application/rss+xml",
     .body =
         "<rss version='2.0'><channel><title>Reef news</title><item><title>A new coral</title>"
         "<link>" WEB_HOST "/found</link><description>one</description></item></channel></rss>"},
    {"/found", .body = "<title>Found</title><p>A coral nobody knew."},
    {"/fish", .body = "<title>Fish</title><p>Fish of the reef eat algae. <a href=/algae>a</a>"},
    {"/algae", .body = "<title>Algae</title><p>Algae live in corals. <a href=/>home</a>"},
};

static pid_t server;

static void pack(void)
{
    static char plain[] = "<title>Packed</title><p>Corals that were packed with gzip.";
    z_stream z = {.next_in = (Bytef *)plain,
                  .avail_in = sizeof plain - 1,
                  .next_out = (Bytef *)packed,
                  .avail_out = sizeof packed};

    (void)deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    (void)deflate(&z, Z_FINISH);
    for (size_t i = 0; i < ARRAY_LEN(answers); i++)
        if (answers[i].body == packed)
            answers[i].len = z.total_out;
    (void)deflateEnd(&z);
}

static const struct answer *answer_to(const char *request)
{
    static const struct answer missing = {.body = "nothing here", .status = 404};
    char path[256] = "", host[256] = "";
    const char *at = strstr(request, "\r\nHost: ");

    (void)sscanf(request, "GET %255s", path);
    if (at)
        (void)sscanf(at + 8, "%255[^:\r\n]", host);
    for (size_t i = 0; i < ARRAY_LEN(answers); i++)
        if (strcmp(answers[i].path, path) == 0 &&
            (answers[i].host == NULL || strcmp(answers[i].host, host) == 0))
            return &answers[i];
    return &missing;
}

static void talk(int fd)
{
    struct timeval limit = {.tv_sec = 5};
    char in[8192], head[1024];
    const struct answer *a;
    ssize_t len = 0, n;
    size_t body;

    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    do {
        n = recv(fd, in + len, sizeof in - 1 - (size_t)len, 0);
        if (n <= 0)
            return;
        len += n;
        in[len] = '\0';
    } while (strstr(in, "\r\n\r\n") == NULL);
    a = answer_to(in);
    body = a->len ? a->len : strlen(a->body);
    n = snprintf(head, sizeof head,
                 "HTTP/1.1 %d Something\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
                 "Connection: close\r\n%s\r\n",
                 a->status ? a->status : 200, a->type ? a->type : "text/html", body,
                 a->headers ? a->headers : "");
    if (send(fd, head, (size_t)n, MSG_NOSIGNAL) == n)
        (void)send(fd, a->body, body, MSG_NOSIGNAL);
}

static void serve(int listener)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
        int fd = accept(listener, NULL, NULL);

        talk(fd);
        (void)shutdown(fd, SHUT_WR);
        (void)close(fd);
    }
}

/* In another process: the parent must have one thread when it forks. */
const char *web_start(void)
{
    static char where[64];
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM, 0);

    pack();
    if (bind(listener, (struct sockaddr *)&at, sizeof at) != 0 || listen(listener, 64) != 0 ||
        getsockname(listener, (struct sockaddr *)&at, &size) != 0)
        return NULL;
    server = fork();
    if (server == 0)
        serve(listener);
    (void)close(listener);
    (void)snprintf(where, sizeof where, "*:80:127.0.0.1:%d", ntohs(at.sin_port));
    return where;
}

void web_stop(void)
{
    (void)kill(server, SIGKILL);
    (void)waitpid(server, NULL, 0);
}
