/* confine.c - see confine.h. Landlock is called directly: its headers are often older than
 * the kernel, so what we need of them is defined here. SPDX-License-Identifier: MIT */
#include "base/os/confine.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The sanitizers read their own process, and trace its threads. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define WITH_SANITIZER true
#elif defined __has_feature
#define WITH_SANITIZER (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define WITH_SANITIZER false
#endif

/* ---- Landlock ------------------------------------------------------------ */

enum {
    CREATE_RULESET = 444, /* the same on every architecture */
    ADD_RULE = 445,
    RESTRICT_SELF = 446,
    RULESET_VERSION = 1,
    PATH_BENEATH = 1,
};

#define EXECUTE      (1u << 0)
#define WRITE_FILE   (1u << 1)
#define READ_FILE    (1u << 2)
#define READ_DIR     (1u << 3)
#define REMOVE_DIR   (1u << 4)
#define REMOVE_FILE  (1u << 5)
#define MAKE_DIR     (1u << 7)
#define MAKE_REG     (1u << 8)
#define MAKE_SOCK    (1u << 9)
#define REFER        (1u << 13) /* ABI 2: rename from one directory to another */
#define TRUNCATE     (1u << 14) /* ABI 3 */
#define IOCTL_DEV    (1u << 15) /* ABI 5 */

#define FIRST_RIGHTS ((1u << 13) - 1) /* ABI 1: everything that changes, reads, creates and runs */
#define TO_READ      (READ_FILE | READ_DIR)
#define TO_WRITE                                                                                 \
    (TO_READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SOCK | REFER | \
     TRUNCATE)
#define OF_A_FILE     (READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV)

#define TCP_BIND      1u /* ABI 4 */
#define TCP_CONNECT   2u
#define ABSTRACT_UNIX 1u /* ABI 6: sockets of other processes … */
#define SIGNAL        2u /* … and signals to them */

struct ruleset { /* an older kernel accepts the longer struct if the rest is 0 */
    uint64_t files, net, scoped;
};

struct confine_rule {
    uint64_t allowed;
    int32_t fd;
} __attribute__((packed));

static uint64_t known_rights(int abi)
{
    return FIRST_RIGHTS | (abi >= 2 ? REFER : 0) | (abi >= 3 ? TRUNCATE : 0) |
           (abi >= 5 ? IOCTL_DEV : 0);
}

static void allow(struct confine *c, const char *path, uint64_t rights)
{
    struct confine_rule place = {.allowed = rights & known_rights(c->abi)};
    struct stat info;

    if (c->rules < 0 || path == NULL || (place.fd = open(path, O_PATH | O_CLOEXEC)) < 0)
        return;
    if (fstat(place.fd, &info) == 0 && !S_ISDIR(info.st_mode))
        place.allowed &= OF_A_FILE;
    (void)syscall(ADD_RULE, c->rules, PATH_BENEATH, &place, 0);
    (void)close(place.fd);
}

void confine_read(struct confine *c, const char *path)
{
    allow(c, path, TO_READ);
}

void confine_write(struct confine *c, const char *path)
{
    allow(c, path, TO_WRITE);
}

/* Where programs of the system are installed. */
static const char *const program_places[] = {"/usr", "/lib", "/lib64", "/nix/store"};

bool confine_may_run(const char *program)
{
    char *path = realpath(program, NULL), *place;
    bool may = false;

    for (size_t i = 0; i < ARRAY_LEN(program_places) && path && !may; i++) {
        place = realpath(program_places[i], NULL);
        may = place && strncmp(path, place, strlen(place)) == 0 && path[strlen(place)] == '/';
        free(place);
    }
    free(path);
    return may;
}

void confine_run(struct confine *c)
{
    c->runs = true;
    for (size_t i = 0; i < ARRAY_LEN(program_places); i++)
        allow(c, program_places[i], TO_READ | EXECUTE);
}

/* Files that the C library, TLS and SQLite read when they need them. Programs and their data
 * in /usr may be read as a whole. /etc has keys, so only these files are named. */
static void allow_system(struct confine *c)
{
    static const char *const places[] = {
        "/usr", "/lib", "/lib64", "/nix/store", "/dev/urandom", "/dev/random",
        /* names of hosts */
        "/etc/resolv.conf", "/run/systemd/resolve", "/etc/hosts", "/etc/host.conf",
        "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services", "/etc/protocols",
        /* certificate authorities, settings of TLS */
        "/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/openssl.cnf", "/etc/ca-certificates",
        "/etc/pki/ca-trust", "/etc/pki/tls/certs", "/etc/pki/tls/cert.pem",
        "/etc/pki/tls/openssl.cnf", "/etc/crypto-policies", "/var/lib/ca-certificates",
        /* time, libraries, processors */
        "/etc/localtime", "/etc/ld.so.cache", "/sys/devices/system/cpu"};
    static const char *const variables[] = {"SSL_CERT_FILE", "SSL_CERT_DIR", "OPENSSL_CONF",
                                            "GCONV_PATH",    "TZDIR",        "HOSTALIASES"};

    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        confine_read(c, places[i]);
    for (size_t i = 0; i < ARRAY_LEN(variables); i++)
        confine_read(c, getenv(variables[i]));
    allow(c, "/dev/null", READ_FILE | WRITE_FILE);
    if (WITH_SANITIZER) {
        char self[4096] = "";

        confine_read(c, "/proc");
        if (readlink("/proc/self/exe", self, sizeof self - 1) > 0)
            confine_read(c, self);
    }
}

void confine_init(struct confine *c, enum confine_net net)
{
    struct ruleset all = {0};
    long abi = syscall(CREATE_RULESET, NULL, 0, RULESET_VERSION);

    *c = (struct confine){.net = net, .abi = abi > 0 ? (int)abi : 0, .rules = -1};
    (void)snprintf(c->seccomp, sizeof c->seccomp, "no seccomp");
    all.files = known_rights(c->abi);
    if (c->abi >= 4)
        all.net = net == CONFINE_NO_NET    ? TCP_BIND | TCP_CONNECT
                  : net == CONFINE_CONNECT ? TCP_BIND
                                           : 0;
    if (c->abi >= 6)
        all.scoped = ABSTRACT_UNIX | SIGNAL;
    if (c->abi > 0)
        c->rules = (int)syscall(CREATE_RULESET, &all, sizeof all, 0);
    if (c->rules < 0)
        (void)snprintf(c->landlock, sizeof c->landlock, "no landlock (%s)", strerror(errno));
    else
        allow_system(c);
}

void confine_clear(struct confine *c)
{
    if (c->rules >= 0)
        (void)close(c->rules);
    c->rules = -1;
}

void confine_files(struct confine *c)
{
    if (c->rules < 0)
        return;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(RESTRICT_SELF, c->rules, 0) == 0)
        (void)snprintf(c->landlock, sizeof c->landlock, "landlock %d", c->abi);
    else
        (void)snprintf(c->landlock, sizeof c->landlock, "no landlock (%s)", strerror(errno));
    confine_clear(c);
}

/* ---- seccomp ------------------------------------------------------------- */

#ifdef BROOD_SECCOMP
#include <linux/sched.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>

#define REFUSED SCMP_ACT_ERRNO(EPERM)

/* System calls that neither brood nor its libraries make in a crawl. */
static const int never[] = {
    /* to run a program, to signal another process or look into it */
    SCMP_SYS(execveat), SCMP_SYS(kill), SCMP_SYS(tkill), SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(pidfd_send_signal), SCMP_SYS(pidfd_getfd), SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev), SCMP_SYS(kcmp),
    /* to change its namespaces, mounts, root or user */
    SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(chroot), SCMP_SYS(pivot_root), SCMP_SYS(mount),
    SCMP_SYS(umount2), SCMP_SYS(move_mount), SCMP_SYS(open_tree), SCMP_SYS(fsopen),
    SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(fspick), SCMP_SYS(mount_setattr),
    SCMP_SYS(setuid), SCMP_SYS(setgid), SCMP_SYS(setreuid), SCMP_SYS(setregid), SCMP_SYS(setresuid),
    SCMP_SYS(setresgid), SCMP_SYS(setfsuid), SCMP_SYS(setfsgid), SCMP_SYS(setgroups),
    SCMP_SYS(capset), SCMP_SYS(personality),
    /* ways round the names of files, and round this filter */
    SCMP_SYS(open_by_handle_at), SCMP_SYS(fanotify_init), SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register),
    /* the kernel and the machine */
    SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(keyctl),
    SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(init_module), SCMP_SYS(finit_module),
    SCMP_SYS(delete_module), SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(reboot),
    SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(acct), SCMP_SYS(quotactl), SCMP_SYS(syslog),
    SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(adjtimex), SCMP_SYS(clock_adjtime),
    SCMP_SYS(sethostname), SCMP_SYS(setdomainname), SCMP_SYS(iopl), SCMP_SYS(ioperm),
    SCMP_SYS(modify_ldt)};

/* New namespaces. A filter cannot see the flags of clone3(). Where clone3() is refused, the C
 * library makes threads with clone(). */
static int refuse_namespaces(scmp_filter_ctx f)
{
    static const scmp_datum_t flags[] = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
                                         CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};
    int rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);

    for (size_t i = 0; i < ARRAY_LEN(flags) && rc == 0; i++)
        rc = seccomp_rule_add(f, REFUSED, SCMP_SYS(clone), 1,
                              SCMP_A0(SCMP_CMP_MASKED_EQ, flags[i], flags[i]));
    return rc;
}

/* The leak detector traces its own threads: in such a build these calls are allowed. */
static int refuse_ptrace(scmp_filter_ctx f)
{
    static const scmp_datum_t rest[] = {PTRACE_TRACEME, PTRACE_SEIZE, PTRACE_POKETEXT,
                                        PTRACE_POKEDATA, PTRACE_SETREGS};
    int rc = 0;

    if (!WITH_SANITIZER)
        return seccomp_rule_add(f, REFUSED, SCMP_SYS(ptrace), 0);
    for (size_t i = 0; i < ARRAY_LEN(rest) && rc == 0; i++)
        rc = seccomp_rule_add(f, REFUSED, SCMP_SYS(ptrace), 1, SCMP_A0(SCMP_CMP_EQ, rest[i]));
    return rc;
}

/* Terminal requests that push input into the terminal. */
static int refuse_typing(scmp_filter_ctx f)
{
    return seccomp_rule_add(f, REFUSED, SCMP_SYS(ioctl), 1,
                            SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, TIOCSTI));
}

/* A crawl needs IP, and the resolver needs netlink; other families are refused. */
static int refuse_sockets(scmp_filter_ctx f, enum confine_net net)
{
    int rc;

    if (net == CONFINE_NO_NET)
        return seccomp_rule_add(f, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(socket), 0);
    rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(socket), 1,
                          SCMP_A0(SCMP_CMP_GT, AF_NETLINK));
    if (rc == 0 && net == CONFINE_CONNECT)
        rc = seccomp_rule_add(f, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(socket), 1,
                              SCMP_A0(SCMP_CMP_EQ, AF_UNIX));
    return rc;
}

void confine_calls(struct confine *c)
{
    scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);
    int rc = f ? seccomp_attr_set(f, SCMP_FLTATR_CTL_TSYNC, 1) : -ENOMEM;

    for (size_t i = 0; i < ARRAY_LEN(never) && rc == 0; i++)
        rc = seccomp_rule_add(f, REFUSED, never[i], 0);
    if (rc == 0 && !c->runs)
        rc = seccomp_rule_add(f, REFUSED, SCMP_SYS(execve), 0);
    if (rc == 0)
        rc = refuse_namespaces(f);
    if (rc == 0)
        rc = refuse_ptrace(f);
    if (rc == 0)
        rc = refuse_typing(f);
    if (rc == 0)
        rc = refuse_sockets(f, c->net);
    if (rc == 0)
        rc = seccomp_load(f); /* this also sets no_new_privs */
    if (rc == 0)
        (void)snprintf(c->seccomp, sizeof c->seccomp, "seccomp");
    else
        (void)snprintf(c->seccomp, sizeof c->seccomp, "no seccomp (%s)", strerror(-rc));
    seccomp_release(f);
}
#else
void confine_calls(struct confine *c)
{
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    (void)snprintf(c->seccomp, sizeof c->seccomp, "no seccomp (built without libseccomp)");
}
#endif

const char *confine_said(const struct confine *c, char *ret)
{
    (void)snprintf(ret, CONFINE_TEXT, "%s, %s", c->landlock, c->seccomp);
    return ret;
}
