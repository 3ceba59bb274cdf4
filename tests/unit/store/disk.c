/* disk.c - a disk that loses power: the list of changes. See disk.h.
 *
 * Changes are caught in disk_calls.c and put together to states in disk_state.c.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "disk_int.h"

#include "base/limits.h"
#include "base/mem.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

struct disk disk;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* over `disk` while it is on */

/* ---- recording ----------------------------------------------------------- */

/* The newest with this inode: numbers are used again. */
static bool find_inode(ino_t inode, uint32_t *ret)
{
    for (size_t i = disk.nnodes; i-- > 0;)
        if (disk.nodes[i].inode == inode) {
            *ret = (uint32_t)i;
            return true;
        }
    return false;
}

static uint32_t add_node(ino_t inode, bool is_dir)
{
    MEM_GROW(disk.nodes, disk.nnodes, &disk.nodes_cap);
    disk.nodes[disk.nnodes] = (struct node){inode, is_dir};
    return (uint32_t)disk.nnodes++;
}

static struct change *add_change(enum change_kind kind, uint32_t node)
{
    struct change *c;

    MEM_GROW(disk.changes, disk.count, &disk.cap);
    c = &disk.changes[disk.count++];
    *c = (struct change){.kind = kind, .node = node};
    return c;
}

static void add_name(enum change_kind kind, uint32_t dir, const char *name, const char *to,
                     uint32_t child)
{
    struct change *c = add_change(kind, dir);

    (void)snprintf(c->name, sizeof c->name, "%s", name);
    (void)snprintf(c->to, sizeof c->to, "%s", to);
    c->child = child;
}

static void add_write(uint32_t node, uint64_t at, const void *bytes, size_t len)
{
    struct change *c = add_change(WRITTEN, node);

    c->at = at;
    c->len = len;
    c->bytes = mem_alloc(len + 1);
    memcpy(c->bytes, bytes, len);
}

/* The node of the directory that `path` is in, and its last part. */
static bool find_parent(int at, const char *path, uint32_t *ret_dir, const char **ret_name)
{
    const char *slash = strrchr(path, '/');
    char parent[4096];
    struct stat info;

    *ret_name = slash ? slash + 1 : path;
    (void)snprintf(parent, sizeof parent, "%.*s", slash ? (int)(slash - path) : 1,
                   slash ? path : ".");
    return fstatat(at, parent, &info, 0) == 0 && find_inode(info.st_ino, ret_dir);
}

static bool begin(void)
{
    pthread_mutex_lock(&mutex);
    if (disk.on)
        return true;
    pthread_mutex_unlock(&mutex);
    return false;
}

static void end(void)
{
    pthread_mutex_unlock(&mutex);
}

void note_made(int at, const char *path, ino_t inode, bool is_dir)
{
    const char *name;
    uint32_t dir;

    if (begin()) {
        if (find_parent(at, path, &dir, &name))
            add_name(MADE, dir, name, "", add_node(inode, is_dir));
        end();
    }
}

void note_removed(int at, const char *path)
{
    const char *name;
    uint32_t dir;

    if (begin()) {
        if (find_parent(at, path, &dir, &name))
            add_name(REMOVED, dir, name, "", 0);
        end();
    }
}

void note_renamed(int at, const char *from, int to_at, const char *to)
{
    const char *old, *new;
    uint32_t dir, to_dir;

    if (begin()) {
        if (find_parent(at, from, &dir, &old) && find_parent(to_at, to, &to_dir, &new)) {
            assert_int_equal(dir, to_dir);
            add_name(RENAMED, dir, old, new, 0);
        }
        end();
    }
}

/* SYNCED of a file or directory, CUT of a file. */
void note_inode(enum change_kind kind, ino_t inode, uint64_t at)
{
    uint32_t node;

    if (begin()) {
        if (find_inode(inode, &node))
            add_change(kind, node)->at = at;
        end();
    }
}

void note_fd(enum change_kind kind, int fd, uint64_t at)
{
    struct stat info;

    if (fstat(fd, &info) == 0)
        note_inode(kind, info.st_ino, at);
}

void note_write(ino_t inode, uint64_t at, const void *bytes, size_t len)
{
    uint32_t node;

    if (begin()) {
        if (find_inode(inode, &node))
            add_write(node, at, bytes, len);
        end();
    }
}

bool disk_is_on(void)
{
    bool on = begin();

    if (on)
        end();
    return on;
}

/* ---- beginning and end --------------------------------------------------- */

static void add_there(const char *path, uint32_t dir)
{
    DIR *list = opendir(path);
    struct dirent *entry;
    char below[4096];
    struct stat info;

    assert_non_null(list);
    while ((entry = readdir(list)) != NULL) {
        uint32_t node;

        (void)snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            stat(below, &info) != 0)
            continue;
        node = add_node(info.st_ino, S_ISDIR(info.st_mode));
        add_name(MADE, dir, entry->d_name, "", node);
        if (S_ISDIR(info.st_mode)) {
            add_there(below, node);
        } else {
            struct buf bytes = BUF_INIT(MIB(64));

            test_read(below, &bytes);
            add_write(node, 0, bytes.data ? bytes.data : "", bytes.len);
            (void)add_change(SYNCED, node);
            buf_free(&bytes);
        }
    }
    (void)closedir(list);
    (void)add_change(SYNCED, dir);
}

static void forget_all(void)
{
    for (size_t i = 0; i < disk.count; i++)
        free(disk.changes[i].bytes);
    free(disk.changes);
    free(disk.nodes);
    disk.changes = NULL;
    disk.nodes = NULL;
    disk.count = disk.cap = disk.nnodes = disk.nodes_cap = 0;
}

void disk_watch(const char *root)
{
    static bool used;
    struct stat info;

    if (!used) {
        assert_true(shim_use(&disk_hooks));
        (void)atexit(forget_all);
    }
    used = true;
    forget_all();
    assert_int_equal(stat(root, &info), 0);
    (void)add_node(info.st_ino, true);
    add_there(root, 0);
    disk.first = disk.count;
    disk.on = true;
    shim_skip_syncs(false);
}

void disk_mark(uint64_t value)
{
    pthread_mutex_lock(&mutex);
    add_change(MARKED, 0)->at = value;
    pthread_mutex_unlock(&mutex);
}

void disk_stop(void)
{
    pthread_mutex_lock(&mutex);
    disk.on = false;
    pthread_mutex_unlock(&mutex);
    shim_skip_syncs(true);
}

size_t disk_first(void)
{
    return disk.first;
}

size_t disk_last(void)
{
    return disk.count;
}

static bool has_name(uint32_t node, const char *part)
{
    for (size_t i = 0; i < disk.count; i++)
        if (disk.changes[i].kind == MADE && disk.changes[i].child == node &&
            strstr(disk.changes[i].name, part))
            return true;
    return false;
}

size_t disk_count(const char *part_of_name)
{
    size_t n = 0;

    for (size_t i = disk.first; i < disk.count; i++)
        n += disk.changes[i].kind == WRITTEN && has_name(disk.changes[i].node, part_of_name);
    return n;
}
