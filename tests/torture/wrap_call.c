/* wrap_call.c - every system call that the program and its libraries make, and the
 * functions of libc that hide one.
 *
 * Left alone: what libuv calls to turn its loop (epoll_ctl, its pipe, reads and
 * writes of its eventfd), on whose failure it aborts by design; and what cannot fail where it is used
 * (clock_gettime, munmap). SPDX-License-Identifier: MIT */
#undef _FILE_OFFSET_BITS /* open and open64 are two functions here */
#include "inject.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef _IO_ERR_SEEN
#define _IO_ERR_SEEN 0x20 /* glibc's, for ferror() */
#endif

static const int of_open[] = {EMFILE, EIO, 0};
static const int of_read[] = {EIO, EINTR, SHORT, 0};
static const int of_write[] = {ENOSPC, EIO, EINTR, SHORT, 0};
static const int of_file[] = {EIO, 0};
static const int of_name[] = {EIO, ENOSPC, 0};
static const int of_lock[] = {ENOLCK, 0};
static const int of_map[] = {ENOMEM, 0};
static const int of_socket[] = {EMFILE, ENOBUFS, 0};
static const int of_connect[] = {ECONNREFUSED, ENETUNREACH, 0};
static const int of_send[] = {ECONNRESET, EINTR, 0};
static const int of_option[] = {ENOBUFS, 0};
static const int of_wait[] = {EINTR, 0};
static const int of_thread[] = {EAGAIN, 0};

/* One wrapper: result, failing value, name, parameters, arguments, errors. */
#define WRAP(type, bad, name, params, args, errors)           \
    type name params;                                         \
    type name params                                          \
    {                                                         \
        static type(*real) params;                            \
        int error = INJECT(KIND_CALL, #name, errors);         \
                                                              \
        if (error) {                                          \
            errno = error;                                    \
            return bad;                                       \
        }                                                     \
        if (real == NULL)                                     \
            real = (__typeof__(real))dlsym(RTLD_NEXT, #name); \
        return real args;                                     \
    }

/* The same for what moves bytes: it may move fewer. */
#define WRAP_BYTES(name, params, args, few, errors)                            \
    ssize_t name params;                                                       \
    ssize_t name params                                                        \
    {                                                                          \
        static ssize_t(*real) params;                                          \
        bool spared = inject_within("/libuv.so", __builtin_return_address(0)); \
        int error = spared ? 0 : INJECT(KIND_CALL, #name, errors);             \
                                                                               \
        if (real == NULL)                                                      \
            real = (__typeof__(real))dlsym(RTLD_NEXT, #name);                  \
        if (error == SHORT)                                                    \
            return real few;                                                   \
        if (error) {                                                           \
            errno = error;                                                     \
            return -1;                                                         \
        }                                                                      \
        return real args;                                                      \
    }

#define FEW(n) ((n) > 1 ? (n) / 2 : (n))

#define MODE_OF(flags, last)                 \
    mode_t mode = 0;                         \
    va_list more;                            \
                                             \
    if ((flags) & (O_CREAT | __O_TMPFILE)) { \
        va_start(more, last);                \
        mode = va_arg(more, mode_t);         \
        va_end(more);                        \
    }

#define WRAP_OPEN(name)                                       \
    int name(const char *path, int flags, ...);               \
    int name(const char *path, int flags, ...)                \
    {                                                         \
        static int (*real)(const char *, int, ...);           \
        int error = INJECT(KIND_CALL, #name, of_open);        \
        MODE_OF(flags, flags)                                 \
                                                              \
        if (error) {                                          \
            errno = error;                                    \
            return -1;                                        \
        }                                                     \
        if (real == NULL)                                     \
            real = (__typeof__(real))dlsym(RTLD_NEXT, #name); \
        return real(path, flags, mode);                       \
    }

#define WRAP_OPENAT(name)                                     \
    int name(int dir, const char *path, int flags, ...);      \
    int name(int dir, const char *path, int flags, ...)       \
    {                                                         \
        static int (*real)(int, const char *, int, ...);      \
        int error = INJECT(KIND_CALL, #name, of_open);        \
        MODE_OF(flags, flags)                                 \
                                                              \
        if (error) {                                          \
            errno = error;                                    \
            return -1;                                        \
        }                                                     \
        if (real == NULL)                                     \
            real = (__typeof__(real))dlsym(RTLD_NEXT, #name); \
        return real(dir, path, flags, mode);                  \
    }

WRAP_OPEN(open)
WRAP_OPEN(open64)
WRAP_OPENAT(openat)
WRAP_OPENAT(openat64)
WRAP(FILE *, NULL, fopen, (const char *path, const char *mode), (path, mode), of_open)
WRAP(FILE *, NULL, fopen64, (const char *path, const char *mode), (path, mode), of_open)
WRAP(FILE *, NULL, fdopen, (int fd, const char *mode), (fd, mode), of_open)
WRAP(DIR *, NULL, opendir, (const char *path), (path), of_open)
WRAP(DIR *, NULL, fdopendir, (int fd), (fd), of_open)

WRAP_BYTES(read, (int fd, void *to, size_t n), (fd, to, n), (fd, to, FEW(n)), of_read)
WRAP_BYTES(pread64, (int fd, void *to, size_t n, off64_t at), (fd, to, n, at), (fd, to, FEW(n), at),
           of_read)
WRAP_BYTES(write, (int fd, const void *from, size_t n), (fd, from, n), (fd, from, FEW(n)), of_write)
WRAP_BYTES(pwrite64, (int fd, const void *from, size_t n, off64_t at), (fd, from, n, at),
           (fd, from, FEW(n), at), of_write)
WRAP_BYTES(writev, (int fd, const struct iovec *from, int n), (fd, from, n), (fd, from, FEW(n)),
           of_write)
WRAP_BYTES(recv, (int fd, void *to, size_t n, int flags), (fd, to, n, flags),
           (fd, to, FEW(n), flags), of_send)
WRAP_BYTES(send, (int fd, const void *from, size_t n, int flags), (fd, from, n, flags),
           (fd, from, FEW(n), flags), of_send)

WRAP(int, -1, fsync, (int fd), (fd), of_file)
WRAP(int, -1, fdatasync, (int fd), (fd), of_file)
WRAP(int, -1, ftruncate64, (int fd, off64_t size), (fd, size), of_file)
WRAP(int, -1, truncate64, (const char *path, off64_t size), (path, size), of_file)
WRAP(off64_t, -1, lseek64, (int fd, off64_t at, int from), (fd, at, from), of_file)
WRAP(int, -1, fseeko64, (FILE * f, off64_t at, int from), (f, at, from), of_file)
WRAP(int, -1, rename, (const char *from, const char *to), (from, to), of_name)
WRAP(int, -1, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to), of_name)
WRAP(int, -1, link, (const char *from, const char *to), (from, to), of_name)
WRAP(int, -1, unlink, (const char *path), (path), of_file)
WRAP(int, -1, unlinkat, (int dir, const char *path, int flags), (dir, path, flags), of_file)
WRAP(int, -1, mkdir, (const char *path, mode_t mode), (path, mode), of_name)
WRAP(int, -1, mkdirat, (int dir, const char *path, mode_t mode), (dir, path, mode), of_name)
WRAP(int, -1, rmdir, (const char *path), (path), of_file)
WRAP(int, -1, fchmod, (int fd, mode_t mode), (fd, mode), of_file)
WRAP(int, -1, access, (const char *path, int mode), (path, mode), of_file)
WRAP(int, -1, stat64, (const char *path, struct stat64 *ret), (path, ret), of_file)
WRAP(int, -1, lstat64, (const char *path, struct stat64 *ret), (path, ret), of_file)
WRAP(int, -1, fstat64, (int fd, struct stat64 *ret), (fd, ret), of_file)
WRAP(int, -1, fstatat64, (int dir, const char *path, struct stat64 *ret, int flags),
     (dir, path, ret, flags), of_file)
WRAP(int, -1, statvfs64, (const char *path, struct statvfs64 *ret), (path, ret), of_file)
WRAP(int, -1, flock, (int fd, int how), (fd, how), of_lock)
WRAP(void *, MAP_FAILED, mmap64, (void *at, size_t n, int prot, int flags, int fd, off64_t from),
     (at, n, prot, flags, fd, from), of_map)
WRAP(ssize_t, -1, getrandom, (void *to, size_t n, unsigned flags), (to, n, flags), of_wait)
WRAP(ssize_t, -1, readlink, (const char *path, char *to, size_t n), (path, to, n), of_file)
WRAP(char *, NULL, getcwd, (char *to, size_t n), (to, n), of_file)

WRAP(int, -1, socket, (int family, int type, int protocol), (family, type, protocol), of_socket)
WRAP(int, -1, socketpair, (int family, int type, int protocol, int ret[2]),
     (family, type, protocol, ret), of_socket)
WRAP(int, -1, eventfd, (unsigned n, int flags), (n, flags), of_socket)
WRAP(int, -1, epoll_create1, (int flags), (flags), of_socket)
WRAP(int, -1, connect, (int fd, const struct sockaddr *to, socklen_t n), (fd, to, n), of_connect)
WRAP(int, -1, bind, (int fd, const struct sockaddr *to, socklen_t n), (fd, to, n), of_option)
WRAP(int, -1, listen, (int fd, int n), (fd, n), of_option)
WRAP(int, -1, accept4, (int fd, struct sockaddr *from, socklen_t *n, int flags),
     (fd, from, n, flags), of_socket)
WRAP(int, -1, getsockname, (int fd, struct sockaddr *ret, socklen_t *n), (fd, ret, n), of_option)
WRAP(int, -1, getpeername, (int fd, struct sockaddr *ret, socklen_t *n), (fd, ret, n), of_option)
WRAP(int, -1, getsockopt, (int fd, int level, int name, void *ret, socklen_t *n),
     (fd, level, name, ret, n), of_option)
WRAP(int, -1, setsockopt, (int fd, int level, int name, const void *value, socklen_t n),
     (fd, level, name, value, n), of_option)
WRAP(int, -1, poll, (struct pollfd * fds, nfds_t n, int ms), (fds, n, ms), of_wait)
WRAP(int, -1, epoll_wait, (int fd, struct epoll_event *ret, int n, int ms), (fd, ret, n, ms),
     of_wait)
WRAP(int, -1, epoll_pwait, (int fd, struct epoll_event *ret, int n, int ms, const sigset_t *set),
     (fd, ret, n, ms, set), of_wait)

#define WRAP_FCNTL(name)                                      \
    int name(int fd, int what, ...);                          \
    int name(int fd, int what, ...)                           \
    {                                                         \
        static int (*real)(int, int, ...);                    \
        int error = INJECT(KIND_CALL, #name, of_lock);        \
        va_list more;                                         \
        void *with;                                           \
                                                              \
        if (error) {                                          \
            errno = error;                                    \
            return -1;                                        \
        }                                                     \
        if (real == NULL)                                     \
            real = (__typeof__(real))dlsym(RTLD_NEXT, #name); \
        va_start(more, what);                                 \
        with = va_arg(more, void *);                          \
        va_end(more);                                         \
        return real(fd, what, with);                          \
    }

WRAP_FCNTL(fcntl)
WRAP_FCNTL(fcntl64)

/* These give their error back. */
int pthread_create(pthread_t *ret, const pthread_attr_t *how, void *(*run)(void *), void *ctx)
{
    static __typeof__(pthread_create) *real;
    int error = INJECT(KIND_CALL, "pthread_create", of_thread);

    if (real == NULL)
        real = (__typeof__(real))dlsym(RTLD_NEXT, "pthread_create");
    return error ? error : real(ret, how, run, ctx);
}

/* It loads a library, and says that it knows no such charset whatever goes wrong with that
 * (src/parse/charset.c has that as a limit): only its own want of memory can be told. */
iconv_t iconv_open(const char *to, const char *from)
{
    static __typeof__(iconv_open) *real;
    int error = INJECT(KIND_CALL, "iconv_open", of_map);
    bool before;
    iconv_t cd;

    if (real == NULL)
        real = (__typeof__(real))dlsym(RTLD_NEXT, "iconv_open");
    if (error) {
        errno = error;
        return (iconv_t)-1;
    }
    before = inject_pause(true);
    cd = real(to, from);
    (void)inject_pause(before);
    return cd;
}

int pipe2(int ret[2], int flags)
{
    static __typeof__(pipe2) *real;
    bool spared = inject_within("/libuv.so", __builtin_return_address(0));
    int error = spared ? 0 : INJECT(KIND_CALL, "pipe2", of_socket);

    if (real == NULL)
        real = (__typeof__(real))dlsym(RTLD_NEXT, "pipe2");
    if (error)
        errno = error;
    return error ? -1 : real(ret, flags);
}

/* A file is closed even where that fails. */
int fclose(FILE *f)
{
    static __typeof__(fclose) *real;
    int error = INJECT(KIND_CALL, "fclose", of_file), result;

    if (real == NULL)
        real = (__typeof__(real))dlsym(RTLD_NEXT, "fclose");
    result = real(f);
    if (error)
        errno = error;
    return error ? EOF : result;
}

size_t fread(void *to, size_t size, size_t n, FILE *f)
{
    static __typeof__(fread) *real;
    int error = INJECT(KIND_CALL, "fread", of_file);

    if (real == NULL)
        real = (__typeof__(real))dlsym(RTLD_NEXT, "fread");
    if (error == 0)
        return real(to, size, n, f);
    f->_flags |= _IO_ERR_SEEN;
    errno = error;
    return 0;
}

int close(int fd)
{
    static __typeof__(close) *real;
    int error = INJECT(KIND_CALL, "close", of_file), result;

    if (real == NULL)
        real = (__typeof__(real))dlsym(RTLD_NEXT, "close");
    result = real(fd);
    if (error)
        errno = error;
    return error ? -1 : result;
}
