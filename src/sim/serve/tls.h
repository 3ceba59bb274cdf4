/* tls.h - a test certificate authority, and a certificate for every host name.
 *
 * The authority is made when the server starts and forgotten when it ends: its
 * key is never written. Certificates are made when a client names a host (SNI)
 * and kept ready; a client that names none gets one for the address it
 * connected to. One thread.
 */
#pragma once

#include "base/status.h"

struct tls;
struct ssl_st;

/* Writes the authority's certificate to `ca_file` (PEM) unless that is NULL. */
enum status tls_new(const char *ca_file, struct tls **ret) MUST_USE;
void tls_free(struct tls *t);

/* Returns a server session on a connected non-blocking socket, to be freed with SSL_free(). NULL if
 * the library is out of memory. */
struct ssl_st *tls_accept(struct tls *t, int fd);
