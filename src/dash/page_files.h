/* page_files.h - the files of the page, as tools/embed built them in (empty: the program was
 * built without the page). */
#pragma once

#include <stddef.h>

extern const char ui_index_html[], ui_app_js[], ui_app_css[], ui_favicon_svg[];
extern const size_t ui_index_html_len, ui_app_js_len, ui_app_css_len, ui_favicon_svg_len;
