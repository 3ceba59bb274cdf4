/* HTML that somebody else wrote: the documentation of installed packages,
 * served by nginx under a host name a package, crawled completely and counted
 * against nginx's own log. Directories show their listing, so every file can be
 * reached. SPDX-License-Identifier: MIT */
#include "flow.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#define DOCS      "/usr/share/doc"
#define HTML_MIN  50
#define HTML_MOST 1500 /* of all packages: quick under the sanitizers */
#define SITES     40

static struct {
    const char *package;
    size_t files;
} sites[SITES];
static size_t nsites, html, root_len;
static char **wanted; /* URLs of all HTML files */
static const char *package_now;

static int count_file(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    size_t len = strlen(path);

    (void)ftw;
    /* names that need no escapes, files that can be read */
    if (flag != FTW_F || len < 6 || strcmp(path + len - 5, ".html") != 0 || st->st_size == 0 ||
        strspn(path + root_len, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "/._-") < len - root_len ||
        html >= HTML_MOST)
        return 0;
    wanted[html++] = (char *)text("http://%s.docs.example%s", package_now, path + root_len);
    return 0;
}

/* Packages with HTML, by name; few links lead out of them. */
static void find_sites(void)
{
    struct dirent **names;
    int n = scandir(DOCS, &names, NULL, alphasort);
    static char *room[HTML_MOST];

    wanted = room;
    for (int i = 0; i < n; i++) {
        const char *name = text("%s", names[i]->d_name);
        size_t before = html;
        const char *root = text("%s/%s", DOCS, name);

        if (names[i]->d_type == DT_DIR && name[0] != '.' && nsites < SITES &&
            strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name)) {
            package_now = name;
            root_len = strlen(root);
            (void)nftw(root, count_file, 16, FTW_PHYS);
            if (html > before) {
                sites[nsites].package = name;
                sites[nsites++].files = html - before;
            }
        }
        free(names[i]);
    }
    if (n >= 0)
        free(names);
}

static const char *config(const char *base, int port)
{
    const char *c = text(
        "%sdaemon off; master_process off; worker_processes 1; pid %s/pid; error_log %s/error;\n"
        "events { worker_connections 512; }\n"
        "http { types { text/html html; text/plain txt; application/octet-stream gz css js png; }\n"
        "default_type application/octet-stream; log_format l '$status http://$host$request_uri';\n"
        "access_log %s/access l; client_body_temp_path %s/t1; proxy_temp_path %s/t2;\n"
        "fastcgi_temp_path %s/t3; uwsgi_temp_path %s/t4; scgi_temp_path %s/t5;\n"
        "server { listen 127.0.0.1:%d default_server; return 404; }\n",
        geteuid() == 0 ? "user root; " : "", base, base, base, base, base, base, base, base, port);

    for (size_t i = 0; i < nsites; i++)
        c = text("%sserver { listen 127.0.0.1:%d; server_name %s.docs.example; root %s/%s;"
                 " autoindex on; index none; }\n",
                 c, port, sites[i].package, DOCS, sites[i].package);
    return text("%s}\n", c);
}

static bool answers_at(int port)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                             .sin_port = htons((uint16_t)port)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    bool answers = connect(fd, (struct sockaddr *)&at, sizeof at) == 0;

    (void)close(fd);
    return answers;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The URLs of the log's lines with this status, sorted. */
static size_t logged(const char *log, const char *status, char **into, size_t most)
{
    struct str rest = str_of(log), line;
    size_t n = 0;

    while (str_cut(&rest, '\n', &line) && n < most)
        if (str_starts(line, str_of(status)))
            into[n++] = (char *)text("%.*s", (int)line.len - 4, line.ptr + 4);
    qsort(into, n, sizeof *into, by_text);
    return n;
}

static void every_file_is_fetched_once(const char *dir, const char *log)
{
    static char *ok[100000];
    size_t n = logged(log, "200", ok, 100000);
    struct sqlite3 *facts = facts_open(dir, NULL, NULL);

    assert_true(n >= html);
    for (size_t i = 1; i < n; i++)
        if (strcmp(ok[i - 1], ok[i]) == 0)
            fail_msg("asked twice: %s", ok[i]);
    for (size_t i = 0; i < html; i++) {
        if (bsearch(&wanted[i], ok, n, sizeof *ok, by_text) == NULL)
            fail_msg("it never came: %s\n%s", wanted[i], brood("explain", dir, wanted[i]).out);
        if (facts_int(facts, text("SELECT count(*) FROM page WHERE url = '%s'", wanted[i])) != 1)
            fail_msg("not stored once: %s", wanted[i]);
    }
    assert_int_equal(facts_int(facts, "SELECT count(*) - count(DISTINCT url) FROM page"), 0);
    print_message("# %zu HTML files of %zu packages, %zu answers, %lld pages\n", html, nsites, n,
                  (long long)facts_int(facts, "SELECT count(*) FROM page"));
}

static void installed_documentation_is_crawled_completely(void **state)
{
    const char *base = fresh("nginx"), *dir = fresh("C"), *seeds = "";
    int port, fd = closed_port(&port);
    struct job *nginx;

    (void)state;
    find_sites();
    if (run("sh", "-c", "command -v nginx").code != 0 || html < HTML_MIN) {
        print_message("# %s: skipped\n", html < HTML_MIN ? "fewer than 50 HTML files in " DOCS
                                                         : "nginx is not installed");
        skip();
    }
    assert_code(run("mkdir", base), 0);
    (void)close(fd);
    nginx = job_start((const char *const[]){"nginx", "-p", base, "-e", text("%s/early", base), "-c",
                                            file_with("nginx.conf", config(base, port)), NULL});
    await(answers_at(port)); /* nginx comes up */
    for (size_t i = 0; i < nsites; i++)
        seeds = text("%shttp://%s.docs.example/\n", seeds, sites[i].package);
    assert_code(brood("crawl", "function library", "--seeds", file_with("seeds", seeds), "--out",
                      dir, "--quiet", "--pages", "0", "--delay", "0", "--scope", "*.docs.example/*",
                      "--allow-private", "--resolve", text("*:80:127.0.0.1:%d", port), "--per-host",
                      "4"),
                0);
    (void)kill(job_pid(nginx), SIGTERM);
    (void)job_wait(nginx);
    every_file_is_fetched_once(dir, file_text(text("%s/access", base)));
    assert_code(brood("check", dir), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(installed_documentation_is_crawled_completely),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
