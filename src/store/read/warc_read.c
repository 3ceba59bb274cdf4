/* warc_read.c - reads WARC files of any origin, one record at a time.
 *
 *   FILE --> bytes --(gzip: inflate, member after member)--> stream --> record
 *
 * The stream is pulled in pieces of PIECE bytes; a record's header is read line by line and its
 * block by count, and then the empty lines after it are skipped. When a gzip member ends, `member`
 * is the offset of the next one, so a record that begins there knows its place.
 *
 * Workload: one record at a known offset (show, serve, check), or a whole file
 * from its beginning. After ISO 28500; we are more tolerant: LF for CRLF, any version "WARC/…",
 * missing fields, and up to 64 bytes of white space between records are accepted.
 * SPDX-License-Identifier: MIT */
#include "store/read/warc_read.h"

#include "base/limits.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define PIECE   KIB(32)
#define GAP_MAX 64 /* bytes of white space accepted before a record */

struct warc_reader {
    FILE *file;
    uint8_t *in; /* bytes of the file */
    size_t in_at, in_len;
    uint64_t in_offset; /* of in[0] in the file */
    uint8_t *out;       /* of the stream */
    size_t out_at, out_len;
    z_stream zip;
    bool zip_ready;  /* zip is initialised */
    bool gzip;       /* the record being read is compressed */
    bool zipped;     /* a member was seen: records are only looked for in members */
    bool in_member;  /* inflate has not seen the end of the member */
    bool broken;     /* inflate or read failed: the stream ends here */
    int error;       /* errno of a read that failed */
    uint64_t member; /* offset of the member that is, or comes, next */
    uint64_t plain;  /* plain files: offset of out[0] */
    uint64_t tried;  /* where the last record begins */
};

enum status warc_open_file(FILE *f, struct warc_reader **ret)
{
    struct warc_reader *r = MEM_NEW(struct warc_reader);

    r->file = f;
    r->in = mem_alloc(PIECE);
    r->out = mem_alloc(PIECE);
    *ret = r;
    return ST_OK;
}

enum status warc_open_fd(int fd, struct warc_reader **ret)
{
    FILE *f = fdopen(fd, "rb");

    if (f)
        return warc_open_file(f, ret);
    (void)close(fd);
    return status_fail(ST_IO, "a WARC file cannot be read: %s", strerror(errno));
}

enum status warc_open(const char *path, struct warc_reader **ret)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* opening a pipe would block */
    struct stat st;

    if (fd < 0)
        return status_fail(errno == ENOENT ? ST_MISSING : ST_IO, "%s: %s", path, strerror(errno));
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        return warc_open_fd(fd, ret);
    (void)close(fd);
    return status_fail(ST_USAGE, "%s is not a file", path);
}

void warc_close(struct warc_reader *r)
{
    if (r == NULL)
        return;
    if (r->zip_ready)
        (void)inflateEnd(&r->zip);
    (void)fclose(r->file);
    free(r->in);
    free(r->out);
    free(r);
}

void warc_record_free(struct warc_record *rec)
{
    buf_free(&rec->header);
    buf_free(&rec->block);
}

/* ---- bytes of the file --------------------------------------------------- */

static uint64_t in_position(const struct warc_reader *r)
{
    return r->in_offset + r->in_at;
}

/* Reads at least `want` bytes at in[in_at], if the file has them. */
static size_t in_fill(struct warc_reader *r, size_t want)
{
    size_t have = r->in_len - r->in_at;

    if (have >= want)
        return have;
    memmove(r->in, r->in + r->in_at, have);
    r->in_offset += r->in_at;
    r->in_at = 0;
    r->in_len = have + fread(r->in + have, 1, PIECE - have, r->file);
    if (ferror(r->file))
        r->error = errno;
    return r->in_len;
}

static bool in_seek(struct warc_reader *r, uint64_t offset)
{
    r->in_at = r->in_len = r->out_at = r->out_len = 0;
    r->in_offset = r->plain = offset;
    r->in_member = r->broken = false;
    r->member = offset;
    return offset <= INT64_MAX && fseeko(r->file, (off_t)offset, SEEK_SET) == 0;
}

static bool at_gzip(struct warc_reader *r)
{
    return in_fill(r, 3) >= 3 && r->in[r->in_at] == 0x1f && r->in[r->in_at + 1] == 0x8b &&
           r->in[r->in_at + 2] == 8;
}

/* ---- the stream ---------------------------------------------------------- */

static void begin_member(struct warc_reader *r)
{
    int rc;

    if (!r->zip_ready)
        rc = inflateInit2(&r->zip, 15 + 16);
    else
        rc = inflateReset2(&r->zip, 15 + 16);
    if (rc != Z_OK)
        mem_out();
    r->zip_ready = r->in_member = r->zipped = true;
    r->member = in_position(r);
}

/* Inflates a piece of the member under way; 0: the member ended or broke. */
static size_t inflate_piece(struct warc_reader *r)
{
    int rc = Z_OK;

    r->zip.next_out = r->out;
    r->zip.avail_out = (unsigned)PIECE;
    while (rc == Z_OK && r->zip.avail_out > 0) {
        if (in_fill(r, 1) == 0) {
            r->broken = true; /* the file ends inside a member */
            break;
        }
        r->zip.next_in = r->in + r->in_at;
        r->zip.avail_in = (unsigned)(r->in_len - r->in_at);
        rc = inflate(&r->zip, Z_NO_FLUSH);
        if (rc == Z_MEM_ERROR)
            mem_out();
        r->in_at = r->in_len - r->zip.avail_in;
    }
    if (rc == Z_STREAM_END) {
        r->in_member = false;
        r->member = in_position(r);
    } else if (rc != Z_OK) {
        r->broken = true;
    }
    return PIECE - r->zip.avail_out;
}

/* Fills out[] from scratch; 0 at the end of the stream. */
static size_t refill(struct warc_reader *r)
{
    r->plain += r->out_len;
    r->out_at = r->out_len = 0;
    if (r->broken)
        return 0;
    if (!r->gzip) {
        r->out_len = in_fill(r, 1);
        memcpy(r->out, r->in + r->in_at, r->out_len);
        r->in_at += r->out_len;
        return r->out_len;
    }
    do {
        if (!r->in_member) {
            if (!at_gzip(r))
                return 0;
            begin_member(r);
        }
        r->out_len = inflate_piece(r);
    } while (r->out_len == 0 && !r->broken);
    return r->out_len;
}

static int take_byte(struct warc_reader *r)
{
    if (r->out_at == r->out_len && refill(r) == 0)
        return -1;
    return r->out[r->out_at++];
}

/* ---- a record ------------------------------------------------------------ */

/* Skips white space up to the first byte of a record; returns false at the end. Checks again
 * whether the file is compressed where a member could begin. */
static bool find_start(struct warc_reader *r, uint64_t *ret_offset, bool *ret_own)
{
    for (int gap = 0; gap <= GAP_MAX; gap++) {
        if (r->out_at == r->out_len && !r->in_member && !r->broken) {
            r->plain += r->out_len;
            r->out_at = r->out_len = 0;
            r->gzip = at_gzip(r);
            if (!r->gzip)
                r->plain = in_position(r);
        }
        if (!r->gzip || (r->out_at == r->out_len && !r->in_member)) {
            *ret_own = true;
            *ret_offset = r->gzip ? in_position(r) : r->plain + r->out_at;
        }
        if (r->out_at == r->out_len && refill(r) == 0)
            return false;
        if (!ascii_is_space((char)r->out[r->out_at]))
            return true;
        r->out_at++;
    }
    return true;
}

/* The header block up to its empty line. */
static enum status read_header(struct warc_reader *r, struct buf *header)
{
    size_t line = 0; /* bytes of the present line, its end not counted */
    int c;

    while ((c = take_byte(r)) >= 0) {
        buf_add_char(header, (char)c);
        if (header->full)
            return status_fail(ST_CORRUPT, "the header of the record at %llu has no end",
                               (unsigned long long)r->tried);
        if (c == '\n' && line == 0)
            return ST_OK;
        line = c == '\n' ? 0 : c == '\r' ? line : line + 1;
        if (header->len == 5 && memcmp(header->data, "WARC/", 5) != 0)
            break;
    }
    return status_fail(ST_CORRUPT, "there is no WARC record at %llu", (unsigned long long)r->tried);
}

static struct str without_brackets(struct str s)
{
    return s.len >= 2 && s.ptr[0] == '<' && s.ptr[s.len - 1] == '>' ? str_sub(s, 1, s.len - 1) : s;
}

struct str warc_field(const struct warc_record *rec, struct str name)
{
    struct str rest = buf_str(&rec->header), line;

    while (str_cut(&rest, '\n', &line))
        if (line.len > name.len && line.ptr[name.len] == ':' &&
            str_eq_i(str_sub(line, 0, name.len), name))
            return str_trim(str_sub(line, name.len + 1, line.len));
    return (struct str){"", 0};
}

static enum status read_fields(struct warc_record *rec)
{
    struct str header = buf_str(&rec->header);

    rec->version = str_trim(str_sub(header, 0, str_find_char(header, '\n', 0)));
    rec->type = warc_field(rec, STR("WARC-Type"));
    rec->target = without_brackets(warc_field(rec, STR("WARC-Target-URI")));
    rec->date = warc_field(rec, STR("WARC-Date"));
    rec->id = without_brackets(warc_field(rec, STR("WARC-Record-ID")));
    rec->content_type = warc_field(rec, STR("Content-Type"));
    rec->payload_digest = warc_field(rec, STR("WARC-Payload-Digest"));
    rec->block_digest = warc_field(rec, STR("WARC-Block-Digest"));
    if (!str_to_u64(warc_field(rec, STR("Content-Length")), &rec->content_length))
        return status_fail(ST_CORRUPT, "the record at %llu has no Content-Length",
                           (unsigned long long)rec->offset);
    return ST_OK;
}

/* Keeps as much as LIMIT_WARC_RECORD allows, and skips the rest. */
static enum status read_block(struct warc_reader *r, struct warc_record *rec)
{
    uint64_t left = rec->content_length;

    if (left > LIMIT_WARC_SKIP)
        return status_fail(ST_LIMIT, "the record at %llu claims %llu bytes",
                           (unsigned long long)rec->offset, (unsigned long long)left);
    while (left > 0) {
        size_t have = r->out_len - r->out_at, n;

        if (have == 0 && (have = refill(r)) == 0)
            break;
        n = have < left ? have : (size_t)left;
        if (!rec->cut)
            buf_add(&rec->block, r->out + r->out_at, n);
        if (!rec->cut && rec->block.full) {
            size_t fits = rec->block.max - rec->block.len;

            rec->block.full = false;
            buf_add(&rec->block, r->out + r->out_at, fits);
            rec->cut = true;
        }
        r->out_at += n;
        left -= n;
    }
    if (left > 0)
        return status_fail(ST_CORRUPT, "the record at %llu ends %llu bytes too early",
                           (unsigned long long)rec->offset, (unsigned long long)left);
    return ST_OK;
}

/* Is a byte left that does not belong to another gzip member? */
static bool has_byte(struct warc_reader *r)
{
    if (r->out_at < r->out_len)
        return true;
    return (!r->gzip || r->in_member) && refill(r) > 0;
}

/* Reads the two empty lines after a record, so that the end of a member is seen and the length of
 * the record is known. */
static void read_trailer(struct warc_reader *r)
{
    for (int i = 0; i < 4 && has_byte(r); i++) {
        if (r->out[r->out_at] != '\r' && r->out[r->out_at] != '\n')
            return;
        r->out_at++;
    }
    while (r->gzip && r->in_member && r->out_at == r->out_len && refill(r) > 0)
        ;
}

static enum status read_record(struct warc_reader *r, struct warc_record *rec)
{
    bool own = false;

    rec->offset = r->member;
    if (!find_start(r, &rec->offset, &own)) {
        r->tried = rec->offset;
        if (r->broken)
            return status_fail(ST_CORRUPT, "the gzip member at %llu is damaged",
                               (unsigned long long)r->tried);
        if (in_fill(r, 1) == 0)
            return status_fail(ST_MISSING, "there is no further record");
        return status_fail(ST_CORRUPT, "there is no WARC record at %llu",
                           (unsigned long long)r->tried);
    }
    r->tried = rec->offset;
    rec->gzip = r->gzip;
    TRY(read_header(r, &rec->header));
    TRY(read_fields(rec));
    TRY(read_block(r, rec));
    read_trailer(r);
    if (r->broken && r->out_at == r->out_len) /* at least its checksum is wrong */
        return status_fail(ST_CORRUPT, "the gzip member at %llu is damaged",
                           (unsigned long long)r->tried);
    if (rec->gzip && own && !r->in_member && r->out_at == r->out_len)
        rec->length = r->member - rec->offset;
    else if (!rec->gzip)
        rec->length = r->plain + r->out_at - rec->offset;
    return ST_OK;
}

enum status warc_next(struct warc_reader *r, struct warc_record *ret)
{
    struct warc_record rec = {.header = BUF_INIT(LIMIT_WARC_HEADER),
                              .block = BUF_INIT(LIMIT_WARC_RECORD)};
    enum status st = read_record(r, &rec);

    if (st != ST_OK && r->error) /* the file is not damaged: reading it failed */
        st = status_fail(ST_IO, "the archive cannot be read: %s", strerror(r->error));
    if (st == ST_OK)
        *ret = rec;
    else
        warc_record_free(&rec);
    return st;
}

enum status warc_at(struct warc_reader *r, uint64_t offset, struct warc_record *ret)
{
    enum status st;

    if (!in_seek(r, offset))
        return status_fail(ST_CORRUPT, "the file has no offset %llu", (unsigned long long)offset);
    st = warc_next(r, ret);
    if (st == ST_OK && ret->offset != offset) {
        warc_record_free(ret);
        return status_fail(ST_CORRUPT, "no record begins at %llu", (unsigned long long)offset);
    }
    return st == ST_MISSING
               ? status_fail(ST_CORRUPT, "the file ends before %llu", (unsigned long long)offset)
               : st;
}

enum status warc_resync(struct warc_reader *r)
{
    if (r->error || !in_seek(r, r->tried + 1))
        return status_fail(ST_IO, "the archive cannot be read");
    for (; in_fill(r, 5) >= 5; r->in_at++)
        if (at_gzip(r) || (!r->zipped && memcmp(r->in + r->in_at, "WARC/", 5) == 0)) {
            r->member = r->plain = r->tried = in_position(r);
            return ST_OK;
        }
    return status_fail(ST_MISSING, "there is no further record");
}

/* ---- the HTTP message inside --------------------------------------------- */

bool warc_http(const struct warc_record *rec, int *ret_status, struct str *ret_head,
               struct str *ret_payload)
{
    struct str block = buf_str(&rec->block), status;
    size_t end = str_find(block, STR("\r\n\r\n"), 0), bare = str_find(block, STR("\n\n"), 0);
    size_t space = str_find_char(str_sub(block, 0, 16), ' ', 0);
    uint64_t code;

    if (!str_starts_i(block, STR("HTTP/")) || space == SIZE_MAX)
        return false;
    status = str_trim(str_sub(block, space + 1, space + 4));
    if (status.len != 3 || !str_to_u64(status, &code))
        return false;
    end = end != SIZE_MAX && end < bare ? end + 4 : bare != SIZE_MAX ? bare + 2 : block.len;
    *ret_status = (int)code;
    *ret_head = str_sub(block, 0, end);
    *ret_payload = str_sub(block, end, block.len);
    return true;
}
