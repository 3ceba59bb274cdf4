/* poison.h - marks memory that must not be used: AddressSanitizer reports every access.
 *
 * An allocator that hands out parts of a larger block (arena.h) marks the rest here,
 * since the sanitizer sees only the block. In builds without the sanitizer nothing
 * happens.
 */
#pragma once

#if defined(__SANITIZE_ADDRESS__) /* gcc */
#define POISON_WORKS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) /* clang */
#define POISON_WORKS 1
#endif
#endif
#ifndef POISON_WORKS
#define POISON_WORKS 0
#endif

#if POISON_WORKS
#include <sanitizer/asan_interface.h>
#define poison(ptr, size)   ASAN_POISON_MEMORY_REGION(ptr, size)
#define unpoison(ptr, size) ASAN_UNPOISON_MEMORY_REGION(ptr, size)
#else
#define poison(ptr, size)   ((void)(ptr), (void)(size))
#define unpoison(ptr, size) ((void)(ptr), (void)(size))
#endif
