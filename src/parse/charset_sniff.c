/* charset_sniff.c - names of encodings, and what a document says about its own.
 *
 * In: the first bytes. Out: an encoding, or NULL. Two sources: a byte order
 * mark, and the standard's prescan of the first bytes for a meta element, and
 * after it the XML declaration. The prescan is not the tokenizer: it ignores
 * script and title elements, as the standard's test vectors require.
 *
 * Source: WHATWG HTML 13.2.3.2 "prescan a byte stream". We differ: a UTF-32
 * byte order mark is known. SPDX-License-Identifier: MIT
 */
#include "base/mem.h"
#include "parse/charset.h"

/* ---- names ----
 *
 * The table is the label list of the WHATWG Encoding standard, a row an
 * encoding; the rows without labels are known to the detector only. Names of
 * iconv are those of glibc, chosen so that its tables are the standard's (CP932
 * for Shift_JIS, UHC for EUC-KR, and so on). There is one look-up for each
 * page, nearly always for utf-8, the first row. */

#define LABEL_MAX 32 /* bytes; the longest is 19 */

/* clang-format off */
static const struct charset charsets[] = {
    {"UTF-8", "UTF-8", CHARSET_UTF8,
     "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8 "},
    {"windows-1252", "CP1252", CHARSET_SINGLE,
     "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 "
     "iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252 "},
    {"IBM866", "IBM866", CHARSET_SINGLE, "866 cp866 csibm866 ibm866 "},
    {"ISO-8859-2", "ISO-8859-2", CHARSET_SINGLE,
     "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 "
     "latin2 "},
    {"ISO-8859-3", "ISO-8859-3", CHARSET_SINGLE,
     "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 "
     "latin3 "},
    {"ISO-8859-4", "ISO-8859-4", CHARSET_SINGLE,
     "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 "
     "latin4 "},
    {"ISO-8859-5", "ISO-8859-5", CHARSET_SINGLE,
     "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 "
     "iso_8859-5:1988 "},
    {"ISO-8859-6", "ISO-8859-6", CHARSET_SINGLE,
     "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 "
     "iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987 "},
    {"ISO-8859-7", "ISO-8859-7", CHARSET_SINGLE,
     "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 "
     "iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek "},
    {"ISO-8859-8", "ISO-8859-8", CHARSET_SINGLE,
     "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 "
     "iso88598 iso_8859-8 iso_8859-8:1988 visual "},
    {"ISO-8859-8-I", "ISO-8859-8", CHARSET_SINGLE, "csiso88598i iso-8859-8-i logical "},
    {"ISO-8859-10", "ISO-8859-10", CHARSET_SINGLE,
     "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6 "},
    {"ISO-8859-13", "ISO-8859-13", CHARSET_SINGLE, "iso-8859-13 iso8859-13 iso885913 "},
    {"ISO-8859-14", "ISO-8859-14", CHARSET_SINGLE, "iso-8859-14 iso8859-14 iso885914 "},
    {"ISO-8859-15", "ISO-8859-15", CHARSET_SINGLE,
     "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9 "},
    {"ISO-8859-16", "ISO-8859-16", CHARSET_SINGLE, "iso-8859-16 "},
    {"KOI8-R", "KOI8-R", CHARSET_SINGLE, "cskoi8r koi koi8 koi8-r koi8_r "},
    {"KOI8-U", "KOI8-U", CHARSET_SINGLE, "koi8-ru koi8-u "},
    {"macintosh", "MACINTOSH", CHARSET_SINGLE, "csmacintosh mac macintosh x-mac-roman "},
    {"windows-874", "CP874", CHARSET_SINGLE,
     "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874 "},
    {"windows-1250", "CP1250", CHARSET_SINGLE, "cp1250 windows-1250 x-cp1250 "},
    {"windows-1251", "CP1251", CHARSET_SINGLE, "cp1251 windows-1251 x-cp1251 "},
    {"windows-1253", "CP1253", CHARSET_SINGLE, "cp1253 windows-1253 x-cp1253 "},
    {"windows-1254", "CP1254", CHARSET_SINGLE,
     "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 "
     "iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254 "},
    {"windows-1255", "CP1255", CHARSET_SINGLE, "cp1255 windows-1255 x-cp1255 "},
    {"windows-1256", "CP1256", CHARSET_SINGLE, "cp1256 windows-1256 x-cp1256 "},
    {"windows-1257", "CP1257", CHARSET_SINGLE, "cp1257 windows-1257 x-cp1257 "},
    {"windows-1258", "CP1258", CHARSET_SINGLE, "cp1258 windows-1258 x-cp1258 "},
    {"x-mac-cyrillic", "MAC-UK", CHARSET_SINGLE, "x-mac-cyrillic x-mac-ukrainian "},
    {"GBK", "GB18030", CHARSET_DOUBLE,
     "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk "},
    {"gb18030", "GB18030", CHARSET_DOUBLE, "gb18030 "},
    {"Big5", "BIG5-HKSCS", CHARSET_DOUBLE, "big5 big5-hkscs cn-big5 csbig5 x-x-big5 "},
    {"EUC-JP", "EUC-JP-MS", CHARSET_DOUBLE, "cseucpkdfmtjapanese euc-jp x-euc-jp "},
    {"ISO-2022-JP", "ISO-2022-JP", CHARSET_ESCAPES, "csiso2022jp iso-2022-jp "},
    {"Shift_JIS", "CP932", CHARSET_DOUBLE,
     "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis "},
    {"EUC-KR", "UHC", CHARSET_DOUBLE,
     "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 "
     "ksc_5601 windows-949 "},
    {"replacement", "", CHARSET_NOTHING,
     "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement "},
    {"UTF-16BE", "UTF-16BE", CHARSET_WIDE_16, "unicodefffe utf-16be "},
    {"UTF-16LE", "UTF-16LE", CHARSET_WIDE_16,
     "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le "},
    {"x-user-defined", "", CHARSET_USER, "x-user-defined "},
    {"UTF-32LE", "UTF-32LE", CHARSET_WIDE_32, ""},
    {"UTF-32BE", "UTF-32BE", CHARSET_WIDE_32, ""},
    {"EUC-TW", "EUC-TW", CHARSET_DOUBLE, ""},
    {"JOHAB", "JOHAB", CHARSET_DOUBLE, ""},
    {"ISO-2022-KR", "ISO-2022-KR", CHARSET_ESCAPES, ""},
    {"ISO-2022-CN", "ISO-2022-CN", CHARSET_ESCAPES, ""},
    {"IBM855", "IBM855", CHARSET_SINGLE, ""},
    {"IBM852", "IBM852", CHARSET_SINGLE, ""},
    {"IBM862", "IBM862", CHARSET_SINGLE, ""},
    {"IBM865", "IBM865", CHARSET_SINGLE, ""},
    {"MAC-CENTRALEUROPE", "MAC-CENTRALEUROPE", CHARSET_SINGLE, ""},
    {"MAC-CYRILLIC", "MAC-CYRILLIC", CHARSET_SINGLE, ""},
    {"VISCII", "VISCII", CHARSET_SINGLE, ""},
    {"GEORGIAN-PS", "GEORGIAN-PS", CHARSET_SINGLE, ""},
    {"GEORGIAN-ACADEMY", "GEORGIAN-ACADEMY", CHARSET_SINGLE, ""},
};
/* clang-format on */

/* `label` is lower case and ends in a space. */
static bool has_label(const char *labels, const char *label)
{
    for (const char *hit = labels; (hit = strstr(hit, label)) != NULL; hit++)
        if (hit == labels || hit[-1] == ' ')
            return true;
    return false;
}

const struct charset *charset_of_label(struct str label)
{
    char key[LABEL_MAX + 2];

    label = str_trim(label);
    if (label.len == 0 || label.len > LABEL_MAX || str_find_char(label, ' ', 0) != SIZE_MAX)
        return NULL;
    for (size_t i = 0; i < label.len; i++)
        key[i] = ascii_lower(label.ptr[i]);
    key[label.len] = ' ';
    key[label.len + 1] = '\0';
    if (memchr(key, '\0', label.len) != NULL)
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(charsets); i++)
        if (has_label(charsets[i].labels, key))
            return &charsets[i];
    return NULL;
}

const struct charset *charset_of_name(struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(charsets); i++)
        if (str_eq_i(name, str_of(charsets[i].name)) || str_eq_i(name, str_of(charsets[i].iconv)))
            return &charsets[i];
    return charset_of_label(name);
}

/* ---- byte order marks ---- */

const struct charset *charset_of_bom(struct str bytes, size_t *ret_len)
{
    static const struct {
        struct str mark;
        const char *name;
    } marks[] = {
        {{"\xef\xbb\xbf", 3}, "UTF-8"},    {{"\xff\xfe\0\0", 4}, "UTF-32LE"},
        {{"\0\0\xfe\xff", 4}, "UTF-32BE"}, {{"\xff\xfe", 2}, "UTF-16LE"},
        {{"\xfe\xff", 2}, "UTF-16BE"},
    };

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (str_starts(bytes, marks[i].mark)) {
            *ret_len = marks[i].mark.len;
            return charset_of_name(str_of(marks[i].name));
        }
    return NULL;
}

/* ---- the prescan ----------------------------------------------------------- */

struct scan {
    const char *at, *end;
};

struct attr {
    struct str name, value; /* as written */
};

static bool is_space_or(const char *p, char a, char b)
{
    return ascii_is_space(*p) || *p == a || *p == b;
}

static void skip_space(struct scan *s)
{
    while (s->at < s->end && ascii_is_space(*s->at))
        s->at++;
}

static struct str slice(const char *from, const char *to)
{
    return (struct str){from, (size_t)(to - from)};
}

static void attr_value(struct scan *s, struct str *ret)
{
    const char *from = s->at;

    if (from < s->end && (*from == '"' || *from == '\'')) {
        const char *to = memchr(from + 1, *from, (size_t)(s->end - from - 1));

        *ret = slice(from + 1, to ? to : s->end);
        s->at = to ? to + 1 : s->end;
        return;
    }
    while (s->at < s->end && !is_space_or(s->at, '>', '>'))
        s->at++;
    *ret = slice(from, s->at);
}

/* The standard's "get an attribute". Returns false at '>' or at the end. */
static bool attr_next(struct scan *s, struct attr *ret)
{
    while (s->at < s->end && is_space_or(s->at, '/', '/'))
        s->at++;
    if (s->at == s->end || *s->at == '>')
        return false;
    ret->name.ptr = s->at;
    ret->value = (struct str){s->at, 0};
    while (s->at < s->end && !is_space_or(s->at, '/', '>') &&
           (*s->at != '=' || s->at == ret->name.ptr))
        s->at++;
    ret->name.len = (size_t)(s->at - ret->name.ptr);
    skip_space(s);
    if (s->at < s->end && *s->at == '=') {
        s->at++;
        skip_space(s);
        attr_value(s, &ret->value);
    }
    return s->at < s->end;
}

/* "text/html; charset=x" -> x. */
static struct str charset_in_content(struct str content)
{
    struct str none = {NULL, 0};
    size_t at = 0;

    while ((at = str_find_i(content, STR("charset"), at)) != SIZE_MAX) {
        struct str rest = str_trim(str_sub(content, at += 7, content.len));
        size_t n = 0;

        if (rest.len == 0 || rest.ptr[0] != '=')
            continue;
        rest = str_trim(str_sub(rest, 1, rest.len));
        if (rest.len == 0)
            return none;
        if (rest.ptr[0] == '"' || rest.ptr[0] == '\'') {
            n = str_find_char(rest, rest.ptr[0], 1);
            return n == SIZE_MAX ? none : str_sub(rest, 1, n);
        }
        while (n < rest.len && !ascii_is_space(rest.ptr[n]) && rest.ptr[n] != ';')
            n++;
        return str_sub(rest, 0, n);
    }
    return none;
}

/* A declaration that can be read as ASCII cannot be true if it says UTF-16. */
static const struct charset *as_ascii(const struct charset *c)
{
    if (c != NULL && c->form == CHARSET_WIDE_16)
        return charset_of_label(STR("utf-8"));
    if (c != NULL && c->form == CHARSET_USER)
        return charset_of_label(STR("windows-1252"));
    return c;
}

/* Reads the attributes of a meta element; of two with the same name the first counts. */
static const struct charset *meta_charset(struct scan *s)
{
    struct str content = {NULL, 0}, declared = {NULL, 0};
    bool pragma = false, seen_equiv = false, seen_content = false, seen_charset = false;
    struct attr a;

    while (attr_next(s, &a)) {
        if (str_eq_i(a.name, STR("http-equiv")) && !seen_equiv) {
            seen_equiv = true;
            pragma = str_eq_i(a.value, STR("content-type"));
        } else if (str_eq_i(a.name, STR("content")) && !seen_content) {
            seen_content = true;
            content = a.value;
        } else if (str_eq_i(a.name, STR("charset")) && !seen_charset) {
            seen_charset = true;
            declared = a.value;
        }
    }
    if (s->at == s->end)
        return NULL; /* cut off in the middle: not believed */
    if (seen_charset)
        return as_ascii(charset_of_label(declared));
    return pragma ? as_ascii(charset_of_label(charset_in_content(content))) : NULL;
}

static void skip_past(struct scan *s, struct str mark)
{
    size_t n = str_find(slice(s->at, s->end), mark, 0);

    s->at = n == SIZE_MAX ? s->end : s->at + n + mark.len;
}

static void skip_tag(struct scan *s)
{
    struct attr a;

    while (s->at < s->end && !is_space_or(s->at, '>', '>'))
        s->at++;
    while (attr_next(s, &a))
        continue;
}

/* <?xml version="1.0" encoding="x"?> */
static const struct charset *xml_charset(struct str bytes)
{
    size_t end = str_find_char(bytes, '>', 0), at;
    struct str rest;

    if (!str_starts(bytes, STR("<?xml")) || end == SIZE_MAX)
        return NULL;
    at = str_find(str_sub(bytes, 0, end), STR("encoding"), 0);
    if (at == SIZE_MAX)
        return NULL;
    rest = str_trim(str_sub(bytes, at + 8, end));
    if (rest.len == 0 || rest.ptr[0] != '=')
        return NULL;
    rest = str_trim(str_sub(rest, 1, rest.len));
    if (rest.len == 0 || (rest.ptr[0] != '"' && rest.ptr[0] != '\''))
        return NULL;
    at = str_find_char(rest, rest.ptr[0], 1);
    return at == SIZE_MAX ? NULL : as_ascii(charset_of_label(str_sub(rest, 1, at)));
}

const struct charset *charset_prescan(struct str bytes, size_t limit)
{
    struct scan s;

    if (str_starts(bytes, (struct str){"<\0?\0x\0", 6}))
        return charset_of_label(STR("utf-16le"));
    if (str_starts(bytes, (struct str){"\0<\0?\0x", 6}))
        return charset_of_label(STR("utf-16be"));
    bytes = str_sub(bytes, 0, limit);
    s = (struct scan){bytes.ptr, bytes.ptr + bytes.len};
    while (bytes.len && (s.at = memchr(s.at, '<', (size_t)(s.end - s.at))) != NULL) {
        struct str rest = slice(s.at, s.end);

        if (str_starts(rest, STR("<!--"))) {
            s.at += 2; /* these two dashes may also belong to "-->" */
            skip_past(&s, STR("-->"));
        } else if (rest.len > 5 && str_starts_i(rest, STR("<meta")) &&
                   is_space_or(rest.ptr + 5, '/', '/')) {
            const struct charset *c;

            s.at += 5;
            c = meta_charset(&s);
            if (c != NULL)
                return c;
        } else if (rest.len > 2 && ascii_is_alpha(rest.ptr[rest.ptr[1] == '/' ? 2 : 1])) {
            skip_tag(&s);
        } else if (rest.len > 1 && strchr("!/?", rest.ptr[1]) && rest.ptr[1]) {
            skip_past(&s, STR(">"));
        } else {
            s.at++;
        }
        if (s.at == s.end)
            break;
    }
    return xml_charset(bytes);
}
