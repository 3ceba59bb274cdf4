/* library_memory.h - libraries that crash without memory allocate through base/mem.h, which
 * ends the process with a sentence. OpenSSL would crash, and a C++ library would throw
 * through our C, which ends in abort(). fetch/web.c does the same for libcurl and others.
 */
#pragma once

/* Once, before anything else. */
void library_memory(void);
