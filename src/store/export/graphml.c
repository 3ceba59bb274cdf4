/* graphml.c - pages and links as a graph. SPDX-License-Identifier: MIT */
#include "store/export/export_int.h"

static enum status graphml_page(void *ctx, const struct query_page *p)
{
    struct export_lines *s = ctx;

    buf_clear(&s->line);
    buf_addf(&s->line, "<node id=\"p%u\"><data key=\"url\">", p->id);
    export_xml_str(&s->line, p->url);
    buf_add_z(&s->line, "</data><data key=\"title\">");
    export_xml_str(&s->line, p->title);
    buf_addf(&s->line,
             "</data><data key=\"relevance\">%.6g</data><data key=\"depth\">%u</data></node>",
             p->relevance, p->depth);
    return export_line(s);
}

/* Edges lead to pages: a link to a URL that was not fetched is left out. */
#define EDGES_SQL                                                                           \
    "SELECT l.page, f.page, l.score, l.anchor FROM link_row l JOIN fate f ON f.url = l.url" \
    " JOIN page_row a ON a.id = l.page JOIN page_row b ON b.id = f.page"                    \
    " WHERE NOT a.hidden AND NOT b.hidden ORDER BY l.page, l.pos"

static enum status graphml_edges(struct export_lines *s)
{
    LOCAL_STMT *st = NULL;
    enum status status = db_prepare(s->q->db, EDGES_SQL, &st);

    while (status == ST_OK && db_row(s->q->db, st, &status)) {
        buf_clear(&s->line);
        buf_addf(&s->line, "<edge source=\"p%lld\" target=\"p%lld\">",
                 (long long)sqlite3_column_int64(st, 0), (long long)sqlite3_column_int64(st, 1));
        if (sqlite3_column_type(st, 2) != SQLITE_NULL)
            buf_addf(&s->line, "<data key=\"score\">%.6g</data>", sqlite3_column_double(st, 2));
        if (db_str(st, 3).len) {
            buf_add_z(&s->line, "<data key=\"anchor\">");
            export_xml_str(&s->line, db_str(st, 3));
            buf_add_z(&s->line, "</data>");
        }
        buf_add_z(&s->line, "</edge>");
        status = export_line(s);
    }
    return status;
}

static const char head[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
    "<key id=\"url\" for=\"node\" attr.name=\"url\" attr.type=\"string\"/>\n"
    "<key id=\"title\" for=\"node\" attr.name=\"title\" attr.type=\"string\"/>\n"
    "<key id=\"relevance\" for=\"node\" attr.name=\"relevance\" attr.type=\"double\"/>\n"
    "<key id=\"depth\" for=\"node\" attr.name=\"depth\" attr.type=\"int\"/>\n"
    "<key id=\"score\" for=\"edge\" attr.name=\"score\" attr.type=\"double\"/>\n"
    "<key id=\"anchor\" for=\"edge\" attr.name=\"anchor\" attr.type=\"string\"/>\n"
    "<graph edgedefault=\"directed\">\n";

enum status export_graphml(struct query *q, const struct export_to *to)
{
    struct export_lines s = EXPORT_LINES(q, to);
    enum status st = export_put(to->out, str_of(head));

    if (st == ST_OK)
        st = query_pages(q, graphml_page, &s);
    if (st == ST_OK)
        st = graphml_edges(&s);
    if (st == ST_OK)
        st = export_put(to->out, STR("</graph>\n</graphml>\n"));
    return export_end(&s, st);
}
