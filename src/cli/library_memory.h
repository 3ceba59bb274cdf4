/* library_memory.h - libraries that cannot bear to be without memory get theirs from
 * base/mem.h, which ends the process with a sentence: OpenSSL crashes, and a C++ library
 * throws through our C, which ends in abort(). libcurl's and others' are told in
 * fetch/web.c.
 */
#ifndef CLI_LIBRARY_MEMORY_H
#define CLI_LIBRARY_MEMORY_H

/* Once, before anything else. */
void library_memory(void);

#endif
