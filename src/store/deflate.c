/* deflate.c - deflate by ISA-L if it is built in, else by libdeflate. See deflate.h.
 * SPDX-License-Identifier: MIT */
#include "store/deflate.h"

#include "base/mem.h"

#include <libdeflate.h>
#include <stdlib.h>
#ifdef BROOD_ISAL
#include <isa-l/igzip_lib.h>
#endif

struct deflater {
    struct libdeflate_compressor *compressor;
#ifdef BROOD_ISAL
    struct isal_zstream stream;
    uint8_t *tables; /* NULL: libdeflate does it */
#endif
};

struct deflater *deflater_new(int level)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
    struct deflater *d;

    if (compressor == NULL)
        return NULL;
    d = MEM_NEW(struct deflater);
    d->compressor = compressor;
#ifdef BROOD_ISAL
    if (level == 1)
        d->tables = mem_alloc(ISAL_DEF_LVL1_DEFAULT);
#endif
    return d;
}

void deflater_free(struct deflater *d)
{
    if (d == NULL)
        return;
    libdeflate_free_compressor(d->compressor);
#ifdef BROOD_ISAL
    free(d->tables);
#endif
    free(d);
}

size_t deflater_bound(const struct deflater *d, size_t len)
{
    return libdeflate_deflate_compress_bound(d->compressor, len);
}

#ifdef BROOD_ISAL
static size_t run_isal(struct deflater *d, struct str text, char *out, size_t room)
{
    struct isal_zstream *s = &d->stream;

    if (text.len > UINT32_MAX || room > UINT32_MAX)
        return 0;
    isal_deflate_stateless_init(s);
    s->level = 1;
    s->level_buf = d->tables;
    s->level_buf_size = ISAL_DEF_LVL1_DEFAULT;
    s->end_of_stream = 1;
    s->next_in = (uint8_t *)text.ptr;
    s->avail_in = (uint32_t)text.len;
    s->next_out = (uint8_t *)out;
    s->avail_out = (uint32_t)room;
    return isal_deflate_stateless(s) == COMP_OK ? s->total_out : 0;
}
#endif

/* Random bytes grow when they are compressed; if ISA-L has no room for that, libdeflate is used. */
size_t deflater_run(struct deflater *d, struct str text, char *out, size_t room)
{
    size_t n = 0;

#ifdef BROOD_ISAL
    if (d->tables)
        n = run_isal(d, text, out, room);
#endif
    return n ? n : libdeflate_deflate_compress(d->compressor, text.ptr, text.len, out, room);
}
