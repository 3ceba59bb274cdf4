/* address.c - an IP address in binary: from sockets, from text, to text.
 *
 * Text is read strictly (inet_pton): no octal or hexadecimal parts, no leading
 * zeros, no zone identifiers. Other spellings are host names to us; the URL
 * parser has already rewritten those that WHATWG takes for addresses.
 * SPDX-License-Identifier: MIT */
#include "fetch/guard.h"

#include <arpa/inet.h>
#include <netinet/in.h>

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
