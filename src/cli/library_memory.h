/* library_memory.h - lets libraries that crash when memory runs out allocate through base/mem.h,
 * which ends the process with a message. OpenSSL would crash, and a C++ library would throw through
 * our C, which ends in abort(). fetch/web.c does the same for libcurl and others.
 */
#pragma once

/* To be called once, before anything else. */
void library_memory(void);
