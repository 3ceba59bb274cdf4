/* The documentation: every command of the cookbook is run as it is printed, recipe by recipe, on a
 * small example.org; so are those of README.md, and the steps of the guide, on the web that it
 * makes; and every command of every other page is understood, with each of its options.
 * SPDX-License-Identifier: MIT */
#include "flow.h"

#include "base/mem.h"
#include "base/str.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const char *root; /* of the project */

static void page(const char *dir, const char *path, const char *lang, const char *title,
                 const char *body)
{
    const char *file = text("%s/%s", dir, path);

    assert_code(run("mkdir", "-p", text("%.*s", (int)(strrchr(file, '/') - file), file)), 0);
    assert_code(run_argv(text("<!doctype html><html lang=%s><title>%s</title><body><p>%s", lang,
                              title, body),
                         (const char *const[]){"sh", "-c", text("cat > %s", file), NULL}),
                0);
}

static const char *make_site(void)
{
    const char *dir = fresh("site"), *world_dir = fresh("example"), *links = "", *german = "";

    for (int i = 1; i <= 12; i++) {
        page(
            dir, text("reefs/p%d.html", i), "en", text("Reef %d", i),
            text("Coral reefs suffer from bleaching; their recovery takes years. Reef %d has corals"
                 " and fish. <a href=p%d.html>the next reef</a>",
                 i, i % 12 + 1));
        page(dir, text("kitchen/p%d.html", i), "en", text("Soup %d", i),
             text("Onions, flour and butter make soup number %d. Stir it slowly, and salt it at the"
                  " end. <a href=p%d.html>another soup</a>",
                  i, i % 12 + 1));
        page(dir, text("de/p%d.html", i), "de", text("Riff %d", i),
             text("Korallen bauen ein Riff, und das Riff Nummer %d lebt.", i));
        links = text("%s<li><a href=p%d.html>number %d</a>", links, i, i);
    }
    german = text("Korallen am Riff.<ul>%s</ul>", links);
    page(dir, "de/index.html", "de", "Riffe", german);
    page(dir, "reefs/index.html", "en", "Coral reefs", text("All about coral reefs.%s", links));
    page(dir, "kitchen/index.html", "en", "Soups", text("All about soup.%s", links));
    page(dir, "news/index.html", "en", "News",
         "News of coral reefs. <a href=/reefs/p3.html>a reef</a> <a href=feed.xml>feed</a>");
    page(dir, "index.html", "en", "Example",
         "<a href=reefs/>coral reefs</a> <a href=kitchen/>soup</a> <a href=news/>news</a>"
         " <a href=de/>Deutsch</a>");
    assert_code(
        run_argv("<rss version='2.0'><channel><title>Reefs</title><item><title>A coral reef"
                 "</title><link>https://example.org/reefs/p1.html</link></item><item><title>"
                 "Coral reefs again</title><link>https://example.org/reefs/p2.html</link>"
                 "</item></channel></rss>",
                 (const char *const[]){"sh", "-c", text("cat > %s/news/feed.xml", dir), NULL}),
        0);
    assert_code(brood("world", "import", "--from", "dir", dir, "--url-prefix",
                      "https://example.org/", "--index", "index.html", world_dir),
                0);
    return world_dir;
}

static int set_up(void **state)
{
    struct server *s;

    (void)state;
    root = getenv("BROOD_SOURCE");
    assert_non_null(root);
    s = serve(make_site(), "--tls-port", "0");
    (void)setenv("BROOD_ALLOW_PRIVATE", "yes", 1);
    (void)setenv("BROOD_RESOLVE", s->resolve_tls, 1);
    (void)setenv("BROOD_CA_FILE", s->ca, 1);
    (void)setenv("BROOD_DELAY", "0", 1);
    (void)setenv("BROOD_CONTACT", "you@example.org", 1);
    return 0;
}

/* ---- the cookbook ----------------------------------------------------------- */

/* Runs a command of the documentation in a directory. */
static struct ran typed(const char *dir, const char *command)
{
    return run("sh", "-c",
               text("cd %s && brood() { %s \"$@\"; } && %s", dir, getenv("BROOD_BIN"), command));
}

/* Those that need a machine that nobody has here are understood, not run. */
static bool is_elsewhere(const char *line)
{
    return strstr(line, "search.example") != NULL;
}

static void every_recipe_works_as_it_is_printed(void **state)
{
    struct str rest = str_of(file_text(text("%s/docs/cookbook.md", root))), line;
    const char *kitchen = fresh("kitchen"), *recipe = "";
    size_t tried = 0, recipes = 0;

    (void)state;
    while (str_cut(&rest, '\n', &line)) {
        const char *command;
        struct ran r;

        if (str_starts(line, STR("## "))) {
            recipe = text("%.*s", STR_ARG(str_sub(line, 3, line.len)));
            kitchen = fresh(text("kitchen-%zu", recipes++));
            assert_code(run("mkdir", kitchen), 0);
        }
        if (!str_starts(line, STR("    ")) || *recipe == '\0')
            continue;
        command = text("%.*s", STR_ARG(str_trim(line)));
        if (is_elsewhere(command))
            continue;
        tried++;
        r = typed(kitchen, command);
        if (r.code != 0)
            fail_msg("%s: %s: exit code %d\n%s%s", recipe, command, r.code, r.out, r.err);
        if (strstr(r.out, "nothing found") || strstr(r.out, "no pages") ||
            strcmp(r.out, "[]\n") == 0 || strstr(r.out, "forgotten: 1 URL, 0 pages"))
            fail_msg("%s: %s finds nothing", recipe, command);
    }
    assert_true(tried > 25);
}

/* ---- the guide -------------------------------------------------------------- */

/* `t` with every `from` replaced. */
static const char *with(const char *t, const char *from, const char *to)
{
    const char *at = strstr(t, from);

    return at == NULL ? t
                      : text("%.*s%s%s", (int)(at - t), t, to, with(at + strlen(from), from, to));
}

/* The next command of a page, its continued lines in one; NULL at the end. */
static const char *next_command(struct str *rest)
{
    const char *command = "";
    struct str line;

    while (str_cut(rest, '\n', &line)) {
        if (!str_starts(line, STR("    ")))
            continue;
        line = str_trim(line);
        if (!str_ends(line, STR("\\")))
            return text("%s%.*s", command, STR_ARG(line));
        command = text("%s%.*s ", command, (int)line.len - 1, line.ptr);
    }
    return NULL;
}

/* A step of the guide: the server gets a free port, and URL is the best page. */
static void step(const char *desk, struct server **web, const char *command)
{
    struct ran r;

    command = with(command, "./run", "brood");
    if (strstr(command, "world serve") != NULL) {
        *web = serve(text("%s/W", desk));
        return;
    }
    if (*web != NULL)
        command = with(command, ":8080", text(":%d", (*web)->port));
    if (strstr(command, " URL") != NULL)
        command = with(command, " URL",
                       text(" %s", crawl_text(text("%s/bees", desk),
                                              "SELECT url FROM page ORDER BY p DESC LIMIT 1")));
    r = typed(desk, command);
    if (r.code != (strncmp(command, "brood stop", 10) == 0)) /* that crawl is over */
        fail_msg("%s: exit code %d\n%s%s", command, r.code, r.out, r.err);
    if (strstr(r.out, "nothing found") || strstr(r.out, "no pages"))
        fail_msg("%s finds nothing", command);
}

/* Up to the steps that need files of one's own, or have no end. */
static void the_guide_works_as_it_is_printed(void **state)
{
    const char *guide = file_text(text("%s/docs/guide.md", root)), *desk = fresh("desk"), *command;
    struct str rest = str_of(guide);
    struct server *web = NULL;
    size_t steps = 0;

    (void)state;
    rest.len = str_find(rest, STR("\n## 8."), 0);
    assert_code(run("mkdir", desk), 0);
    while ((command = next_command(&rest)) != NULL) {
        step(desk, &web, command);
        steps++;
    }
    assert_true(steps >= 14);
    assert_int_equal(crawl_pages(text("%s/bees", desk)), 300);
}

/* ---- README.md ------------------------------------------------------------------ */

/* Those that have no end, or build brood first. */
static bool is_endless(const char *command)
{
    return strstr(command, "./run watch ") || strcmp(command, "./run") == 0 ||
           strncmp(command, "./test", 6) == 0;
}

/* A command of README.md: its own crawl has fewer pages here, and its world is smaller. */
static void try_readme(const char *desk, const char *command)
{
    struct ran r;

    command = with(command, "https://example.org/x", "https://example.org/reefs/p1.html");
    command = with(command, "--pages 5000 --hosts 80", "--pages 600 --hosts 20");
    r = typed(desk, with(command, "./run", "brood"));
    if (r.code != (strncmp(command, "./run stop", 10) == 0)) /* that crawl is over */
        fail_msg("%s: exit code %d\n%s%s", command, r.code, r.out, r.err);
    if (strstr(r.out, "nothing found") || strstr(r.out, "no pages"))
        fail_msg("%s finds nothing", command);
}

/* But for the demo, which has a test of its own. */
static void the_readme_works_as_it_is_printed(void **state)
{
    struct str rest = str_of(file_text(text("%s/README.md", root)));
    const char *desk = fresh("readme"), *command;
    size_t end = str_find(rest, STR("<!-- end of the demo -->"), 0), steps = 0;

    (void)state;
    assert_true(end < rest.len);
    rest = str_sub(rest, end, rest.len);
    assert_code(run("mkdir", desk), 0);
    while ((command = next_command(&rest)) != NULL) {
        if ((strncmp(command, "./run", 5) != 0 && strncmp(command, "printf", 6) != 0) ||
            is_endless(command))
            continue;
        try_readme(desk, command);
        steps++;
    }
    assert_true(steps >= 10);
}

/* ---- all pages ---------------------------------------------------------------- */

/* A command line of brood, without what the shell does behind it; NULL: it is none. */
static const char *command_of(struct str line)
{
    static const char *const ours[] = {"    ./run ", "    brood ", "    build/brood "};

    for (size_t i = 0; i < ARRAY_LEN(ours); i++) {
        size_t end = str_find(line, STR("  #"), 0), pipe = str_find(line, STR(" | "), 0);
        size_t begin = strlen(ours[i]);

        if (!str_starts(line, str_of(ours[i])))
            continue;
        if (pipe < end)
            end = pipe;
        line = str_trim(str_sub(line, begin, end < line.len ? end : line.len));
        while (line.len > 0 && (line.ptr[line.len - 1] == '&' || line.ptr[line.len - 1] == '\\'))
            line = str_trim(str_sub(line, 0, line.len - 1));
        return text("%.*s", STR_ARG(line));
    }
    return NULL;
}

/* Columns of explanations behind the command, and what stands for something. */
static bool is_prose(const char *command)
{
    return strstr(command, "   ") || strstr(command, "…") || strstr(command, "|") ||
           strstr(command, "[") || strstr(command, "ARGS") || strstr(command, " > ");
}

static size_t understood(const char *path)
{
    struct str rest = str_of(file_text(path)), line;
    size_t n = 0;

    while (str_cut(&rest, '\n', &line)) {
        const char *command = command_of(line);
        struct ran r;

        if (command == NULL || is_prose(command))
            continue;
        /* --help is answered when all the others were read */
        r = run("sh", "-c", text("exec %s %s --help", getenv("BROOD_BIN"), command));
        if (r.code != 0)
            fail_msg("%s: '%s' is not understood: %s", path, command, r.err);
        n++;
    }
    return n;
}

static void every_command_of_the_documentation_is_understood(void **state)
{
    static const char *const folders[] = {"", "docs", "docs/models"};
    size_t n = 0;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
        DIR *list = opendir(text("%s/%s", root, folders[i]));
        struct dirent *entry;

        assert_non_null(list);
        while ((entry = readdir(list)) != NULL)
            if (str_ends(str_of(entry->d_name), STR(".md")))
                n += understood(text("%s/%s/%s", root, folders[i], entry->d_name));
        (void)closedir(list);
    }
    assert_true(n > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_of_the_documentation_is_understood),
        cmocka_unit_test(every_recipe_works_as_it_is_printed),
        cmocka_unit_test(the_guide_works_as_it_is_printed),
        cmocka_unit_test(the_readme_works_as_it_is_printed),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
