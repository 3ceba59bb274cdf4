/* resolve_rules.c - --resolve: reading the rules, finding the one that fits.
 *
 * In: the user's texts, once; then a host and port a lookup. Out: an address.
 * Workload: a handful of rules, one lookup a host; a list is enough.
 * SPDX-License-Identifier: MIT */
#include "fetch/resolve_rules.h"

#include "base/hash.h"
#include "base/mem.h"
#include "fetch/guard.h"

#include <stdlib.h>

struct resolve_rule {
    struct str host;        /* lower case, owned; "*" for every host */
    uint16_t port;          /* of the URL */
    struct address address; /* prefix or whole address */
    unsigned bits;          /* fixed ones of the address */
    uint16_t connect_port;  /* where to connect */
};

struct resolve_rules {
    struct resolve_rule *rules;
    size_t count, cap;
};

static bool port_parse(struct str text, uint16_t *ret)
{
    uint64_t n;

    if (!str_to_u64(text, &n) || n == 0 || n > 65535)
        return false;
    *ret = (uint16_t)n;
    return true;
}

/* Cuts "[...]" or what comes before any of the `stops` off the front. */
static bool part_cut(struct str *rest, const char *stops, struct str *ret)
{
    size_t n = 0;

    if (rest->len > 0 && rest->ptr[0] == '[') {
        n = str_find_char(*rest, ']', 0);
        if (n == SIZE_MAX)
            return false;
        *ret = str_sub(*rest, 1, n);
        *rest = str_sub(*rest, n + 1, rest->len);
        return true;
    }
    while (n < rest->len && strchr(stops, rest->ptr[n]) == NULL)
        n++;
    *ret = str_sub(*rest, 0, n);
    *rest = str_sub(*rest, n, rest->len);
    return true;
}

static bool char_cut(struct str *rest, char c)
{
    if (rest->len == 0 || rest->ptr[0] != c)
        return false;
    *rest = str_sub(*rest, 1, rest->len);
    return true;
}

/* HOST:PORT:ADDR[/BITS][:PORT]; the host is borrowed from the text. */
static bool rule_parse(struct str rest, struct resolve_rule *ret)
{
    struct str port, address, bits;
    unsigned all;
    uint64_t n;

    if (!part_cut(&rest, ":", &ret->host) || ret->host.len == 0 || !char_cut(&rest, ':') ||
        !part_cut(&rest, ":", &port) || !port_parse(port, &ret->port) || !char_cut(&rest, ':') ||
        !part_cut(&rest, "/:", &address) || !address_parse(address, &ret->address))
        return false;
    all = ret->address.family == 4 ? 32 : 128;
    ret->bits = all;
    ret->connect_port = ret->port;
    if (char_cut(&rest, '/')) {
        if (!part_cut(&rest, ":", &bits) || !str_to_u64(bits, &n) || n > all)
            return false;
        ret->bits = (unsigned)n;
    }
    if (char_cut(&rest, ':'))
        return port_parse(rest, &ret->connect_port);
    return rest.len == 0;
}

static struct str host_copy(struct str host)
{
    char *copy = str_dup(host);

    for (size_t i = 0; i < host.len; i++)
        copy[i] = ascii_lower(copy[i]);
    return (struct str){copy, host.len};
}

enum status resolve_rules_new(const char *const *texts, struct resolve_rules **ret)
{
    struct resolve_rules *rules = MEM_NEW(struct resolve_rules);
    struct resolve_rule rule;

    for (; texts != NULL && *texts != NULL; texts++) {
        if (!rule_parse(str_of(*texts), &rule)) {
            resolve_rules_free(rules);
            return status_fail(ST_USAGE, "--resolve '%s' is not HOST:PORT:ADDR[/BITS][:PORT]",
                               *texts);
        }
        rule.host = host_copy(rule.host);
        MEM_GROW(rules->rules, rules->count, &rules->cap);
        rules->rules[rules->count++] = rule;
    }
    *ret = rules;
    return ST_OK;
}

void resolve_rules_free(struct resolve_rules *rules)
{
    if (rules == NULL)
        return;
    for (size_t i = 0; i < rules->count; i++)
        free((char *)rules->rules[i].host.ptr);
    free(rules->rules);
    free(rules);
}

static uint64_t host_hash(struct str host)
{
    char lower[256];
    size_t n = host.len < sizeof lower ? host.len : sizeof lower;

    for (size_t i = 0; i < n; i++)
        lower[i] = ascii_lower(host.ptr[i]);
    return hash_bytes(lower, n);
}

/* Fills the bits behind the prefix from the host's name. The first and the
 * last address of a prefix (the net and its broadcast) are given to nobody. */
static struct address address_spread(const struct resolve_rule *rule, struct str host)
{
    struct address a = rule->address;
    unsigned all = a.family == 4 ? 32 : 128, free_bits = all - rule->bits;
    uint64_t h = host_hash(host), part;
    uint64_t room = free_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << free_bits) - 1;

    if (free_bits == 0)
        return a;
    part = room > 2 ? h % (room - 1) + 1 : h & room;
    for (unsigned bit = 0; bit < free_bits; bit++) {
        unsigned at = all - 1 - bit;
        uint8_t mask = (uint8_t)(1u << (7 - at % 8));

        if (bit == 64)
            part = hash_u64(h);
        a.bytes[at / 8] = (uint8_t)((a.bytes[at / 8] & ~mask) | (part >> bit % 64 & 1 ? mask : 0));
    }
    return a;
}

bool resolve_rules_find(const struct resolve_rules *rules, struct str host, uint16_t port,
                        struct address *ret_address, uint16_t *ret_port)
{
    for (size_t i = 0; i < rules->count; i++) {
        const struct resolve_rule *rule = &rules->rules[i];

        if (rule->port != port)
            continue;
        if (!str_eq(rule->host, STR("*")) && !str_eq_i(rule->host, host))
            continue;
        *ret_address = address_spread(rule, host);
        *ret_port = rule->connect_port;
        return true;
    }
    return false;
}
