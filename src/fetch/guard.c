/* guard.c - which addresses we may connect to: a table of prefixes.
 *
 * In: an address in binary, out: NULL or the reason. IPv4 is public unless a
 * prefix of the IANA special-purpose registry covers it. IPv6 is the other way
 * round: only 2000::/3 is public, less its special parts; outside of it only
 * the well-known NAT64 prefix and the mapped form lead anywhere, namely to the
 * IPv4 address they carry. The first prefix that covers an address decides.
 *
 * Two addresses stand for cloud metadata services inside public or shared
 * space (168.63.129.16 of Azure, 100.100.100.200 of Alibaba).
 *
 * Source: RFC 6890, 8190, 4291, 6052, 3056, 4380 and the IANA registries. We
 * differ: a few anycast addresses which they call global (192.88.99.0/24 and
 * parts of 2001::/23) are refused, since there are no web servers there. Limit:
 * NAT64 under a network's own prefix cannot be recognised.
 * SPDX-License-Identifier: MIT */
#include "fetch/guard.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <netinet/in.h>

/* ---- addresses: from sockets, from text, to text ----
 *
 * Text is read strictly (inet_pton): no octal or hexadecimal parts, no leading
 * zeros, no zone identifiers. Other spellings are host names to us; the URL
 * parser has already rewritten those that WHATWG takes for addresses. */

struct address address_of_sockaddr(const struct sockaddr *sa)
{
    struct address a = {0};

    if (sa->sa_family == AF_INET) {
        a.family = 4;
        memcpy(a.bytes, &((const struct sockaddr_in *)(const void *)sa)->sin_addr, 4);
    } else if (sa->sa_family == AF_INET6) {
        a.family = 6;
        memcpy(a.bytes, &((const struct sockaddr_in6 *)(const void *)sa)->sin6_addr, 16);
    }
    return a;
}

const char *address_show(const struct address *a, char ret[46])
{
    ret[0] = '\0';
    if (a->family != 0)
        (void)inet_ntop(a->family == 4 ? AF_INET : AF_INET6, a->bytes, ret, 46);
    return ret;
}

bool address_parse(struct str text, struct address *ret)
{
    struct address a = {0};
    char z[46];

    if (text.len == 0 || text.len >= sizeof z || memchr(text.ptr, '\0', text.len) != NULL)
        return false;
    memcpy(z, text.ptr, text.len);
    z[text.len] = '\0';
    a.family = strchr(z, ':') != NULL ? 6 : 4;
    if (inet_pton(a.family == 4 ? AF_INET : AF_INET6, z, a.bytes) != 1)
        return false;
    *ret = a;
    return true;
}

/* ---- the guard ---- */

struct prefix {
    uint8_t bytes[16]; /* the address, network order */
    uint8_t bits;      /* how many of them count */
    uint8_t carries;   /* offset of an IPv4 address that decides, or 0 */
    const char *why;   /* NULL with `carries` 0: public */
};

#define V4(a, b, c, d) \
    {                  \
        a, b, c, d     \
    }
/* The first eight and the last eight bytes, as groups. */
#define V6(a, b, c, d)                                                     \
    {                                                                      \
        a >> 8, a & 255, b >> 8, b & 255, c >> 8, c & 255, d >> 8, d & 255 \
    }

static const struct prefix v4[] = {
    {V4(169, 254, 169, 254), 32, 0, "metadata"},
    {V4(169, 254, 170, 2), 32, 0, "metadata"},
    {V4(100, 100, 100, 200), 32, 0, "metadata"},
    {V4(168, 63, 129, 16), 32, 0, "metadata"},
    {V4(192, 0, 0, 192), 32, 0, "metadata"},
    {V4(0, 0, 0, 0), 8, 0, "unspecified"},
    {V4(10, 0, 0, 0), 8, 0, "private"},
    {V4(100, 64, 0, 0), 10, 0, "cgnat"},
    {V4(127, 0, 0, 0), 8, 0, "loopback"},
    {V4(169, 254, 0, 0), 16, 0, "link-local"},
    {V4(172, 16, 0, 0), 12, 0, "private"},
    {V4(192, 0, 0, 0), 24, 0, "reserved"},
    {V4(192, 0, 2, 0), 24, 0, "documentation"},
    {V4(192, 88, 99, 0), 24, 0, "reserved"},
    {V4(192, 168, 0, 0), 16, 0, "private"},
    {V4(198, 18, 0, 0), 15, 0, "benchmark"},
    {V4(198, 51, 100, 0), 24, 0, "documentation"},
    {V4(203, 0, 113, 0), 24, 0, "documentation"},
    {V4(224, 0, 0, 0), 4, 0, "multicast"},
    {V4(255, 255, 255, 255), 32, 0, "broadcast"},
    {V4(240, 0, 0, 0), 4, 0, "reserved"},
};

static const struct prefix v6[] = {
    {{[15] = 1}, 128, 0, "loopback"},
    {{0}, 128, 0, "unspecified"},
    {{[10] = 0xff, [11] = 0xff}, 96, 12, NULL}, /* ::ffff:a.b.c.d, mapped */
    {{[8] = 0xff, [9] = 0xff}, 96, 12, NULL},   /* ::ffff:0:a.b.c.d, translated */
    {V6(0x64, 0xff9b, 0, 0), 96, 12, NULL},     /* NAT64 */
    {V6(0x2002, 0, 0, 0), 16, 2, NULL},         /* 6to4 */
    {V6(0x2001, 0, 0, 0), 32, 4, NULL},         /* Teredo: its server; client below */
    {V6(0x2001, 0, 0, 0), 23, 0, "reserved"},   /* protocol assignments */
    {V6(0x2001, 0xdb8, 0, 0), 32, 0, "documentation"},
    {V6(0x3fff, 0, 0, 0), 20, 0, "documentation"},
    {V6(0xfd00, 0xec2, 0, 0), 32, 0, "metadata"},
    {V6(0xfc00, 0, 0, 0), 7, 0, "private"},
    {V6(0xfe80, 0, 0, 0), 10, 0, "link-local"},
    {V6(0xfec0, 0, 0, 0), 10, 0, "private"}, /* site-local, withdrawn */
    {V6(0xff00, 0, 0, 0), 8, 0, "multicast"},
    {V6(0x2000, 0, 0, 0), 3, 0, NULL}, /* global unicast */
    {{0}, 0, 0, "reserved"},           /* everything else */
};

static bool prefix_covers(const struct prefix *p, const uint8_t *bytes)
{
    unsigned whole = p->bits / 8, rest = p->bits % 8;

    if (memcmp(p->bytes, bytes, whole) != 0)
        return false;
    return rest == 0 || ((p->bytes[whole] ^ bytes[whole]) >> (8 - rest)) == 0;
}

static const char *v4_refuses(const uint8_t *bytes)
{
    for (size_t i = 0; i < ARRAY_LEN(v4); i++)
        if (prefix_covers(&v4[i], bytes))
            return v4[i].why;
    return NULL;
}

/* A Teredo address also names its client, inverted, in the last four bytes. */
static const char *teredo_client_refuses(const uint8_t *bytes)
{
    uint8_t client[4];

    for (size_t i = 0; i < 4; i++)
        client[i] = (uint8_t)~bytes[12 + i];
    return v4_refuses(client);
}

static const char *v6_refuses(const uint8_t *bytes)
{
    const struct prefix *p = v6;
    const char *why;

    while (!prefix_covers(p, bytes)) /* the last entry covers everything */
        p++;
    if (p->carries == 0)
        return p->why;
    why = v4_refuses(bytes + p->carries);
    if (why == NULL && p->carries == 4)
        why = teredo_client_refuses(bytes);
    return why;
}

const char *guard_refuses(const struct address *a)
{
    if (a->family == 4)
        return v4_refuses(a->bytes);
    return a->family == 6 ? v6_refuses(a->bytes) : "no address";
}

const char *guard_judge(const struct address *a, bool allow_private, bool private_only)
{
    const char *why = guard_refuses(a);

    if (why != NULL)
        return allow_private ? NULL : why;
    return private_only ? "public, and no --contact was given" : NULL;
}

/* Names that public DNS does not answer for (RFC 6761, 6762, 8375, ICANN's .internal), and names
 * that Linux systems and routers give themselves; also their subdomains. */
static const struct {
    const char *name, *why;
} private_names[] = {
    {"localhost", "loopback"},     {"localdomain", "loopback"},  {"localdomain6", "loopback"},
    {"ip6-localhost", "loopback"}, {"ip6-loopback", "loopback"}, {"local", "private"},
    {"internal", "private"},       {"home.arpa", "private"},     {"lan", "private"},
};

static const char *name_refuses(struct str host)
{
    while (host.len > 0 && host.ptr[host.len - 1] == '.')
        host.len--;
    for (size_t i = 0; i < ARRAY_LEN(private_names); i++) {
        struct str name = str_of(private_names[i].name);
        size_t before = host.len - name.len;

        if (host.len >= name.len && str_eq_i(str_sub(host, before, host.len), name) &&
            (before == 0 || host.ptr[before - 1] == '.'))
            return private_names[i].why;
    }
    /* "redis", "metadata": public names have more than one label, but a network's own search
     * list may resolve such names. */
    return str_find_char(host, '.', 0) == SIZE_MAX ? "private" : NULL;
}

const char *guard_judge_host(struct str host, bool allow_private, bool private_only)
{
    struct address a;
    const char *why;

    if (host.len > 2 && host.ptr[0] == '[')
        host = str_sub(host, 1, host.len - 1);
    if (address_parse(host, &a))
        return guard_judge(&a, allow_private, private_only);
    why = name_refuses(host);
    if (why != NULL)
        return allow_private ? NULL : why;
    return private_only ? "perhaps public, and no --contact was given" : NULL;
}
