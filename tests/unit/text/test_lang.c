/* test_lang.c - in which language is a text written? SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/mem.h"
#include "text/words/lang.h"

#include <stdlib.h>

static const struct {
    const char *code, *text;
} texts[] = {
    {"en", "The bees that live in this old tree have not been seen since the end of the summer."},
    {"de", "Die Bienen, die in diesem alten Baum leben, sind seit dem Ende des Sommers nicht mehr "
           "gesehen worden."},
    {"fr", "Les abeilles qui vivent dans ce vieil arbre n'ont pas été vues depuis la fin de l'été, "
           "mais elles sont encore là."},
    {"es", "Las abejas que viven en este viejo árbol no se han visto desde el final del verano, "
           "pero todavía están allí."},
    {"it", "Le api che vivono in questo vecchio albero non sono state viste dalla fine "
           "dell'estate, ma sono ancora lì."},
    {"pt", "As abelhas que vivem nesta velha árvore não foram vistas desde o fim do verão, mas "
           "ainda estão lá."},
    {"nl", "De bijen die in deze oude boom leven zijn sinds het einde van de zomer niet meer "
           "gezien, maar ze zijn er nog."},
    {"pl", "Pszczoły, które mieszkają w tym starym drzewie, nie były widziane od końca lata, ale "
           "są tam nadal."},
    {"cs", "Včely, které žijí v tomto starém stromě, nebyly od konce léta vidět, ale stále tam "
           "jsou a budou."},
    {"ru", "Пчёлы, которые живут в этом старом дереве, не были видны с конца лета, но они всё ещё "
           "там."},
    {"uk", "Бджоли, які живуть у цьому старому дереві, не були помічені з кінця літа, але вони "
           "все ще там є."},
    {"el", "Οι μέλισσες που ζουν σε αυτό το παλιό δέντρο"},
    {"ja", "この古い木に住んでいるミツバチは夏の終わりから見られていません。"},
    {"zh", "生活在这棵老树上的蜜蜂自夏末以来就没有被看见过。"},
    {"ko", "이 오래된 나무에 사는 벌들은 여름이 끝난 이후로 보이지 않았습니다."},
    {"th", "ผึ้งที่อาศัยอยู่ในต้นไม้เก่าแก่ต้นนี้ไม่มีใครเห็นมาตั้งแต่ปลายฤดูร้อน"},
};

static struct lang_found lang_of_text(struct str text)
{
    struct page page = {.text = text};

    return lang_found_in(&page);
}

static void sentences_are_of_their_language(void **state UNUSED)
{
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        assert_str(lang_of_text(str_of(texts[i].text)).code, texts[i].code);
}

static void what_says_nothing_is_of_no_language(void **state UNUSED)
{
    assert_str(lang_of_text(STR("")).code, "");
    assert_str(lang_of_text(STR("12:30, 4.5 % +++ 2026")).code, "");
    assert_str(lang_of_text(STR("x = y;")).code, "");
    assert_false(lang_of_text(STR("sail mast rudder harbour tide anchor keel deck rope voyage "
                                  "bread flour yeast oven crust dough rye wheat baker loaf"))
                     .sure);
}

static void words_of_another_script_inside_do_not_decide(void **state UNUSED)
{
    assert_str(
        lang_of_text(STR("使用 apt-get install 命令安装 libsqlite3-dev 软件包，然后运行 make "
                         "程序，它会编译所有的文件。"))
            .code,
        "zh");
}

static struct str of_page(const char *declared, const char *text, const struct passage *main,
                          uint32_t nmain)
{
    struct page page = {.text = str_of(text),
                        .lang = str_of(declared),
                        .main = (struct passage *)main,
                        .nmain = nmain};

    return lang_of_page(&page);
}

static void a_text_is_believed_more_than_what_a_page_declares(void **state UNUSED)
{
    assert_str(of_page("en", texts[1].text, NULL, 0), "de");
    assert_str(of_page("", texts[1].text, NULL, 0), "de");
    assert_str(of_page("de-at", texts[1].text, NULL, 0), "de-at");
    assert_str(of_page("ja", texts[1].text, NULL, 0), "de");
}

static void what_a_page_declares_stays_where_its_text_cannot_tell(void **state UNUSED)
{
    assert_str(of_page("de", "Karl Valentin", NULL, 0), "de");
    assert_str(of_page("gl", texts[5].text, NULL, 0), "gl"); /* near to Portuguese */
    assert_str(of_page("", "Karl Valentin", NULL, 0), "");
}

static void menus_and_code_do_not_decide(void **state UNUSED)
{
    struct buf text = BUF_INIT(10000);
    struct passage main[2];

    buf_add_z(&text, "About us Contact Sign in Help Terms of use and the privacy of our users\n");
    main[0] = (struct passage){(uint32_t)text.len, (uint32_t)strlen(texts[1].text), PASSAGE_TEXT};
    buf_add_z(&text, texts[1].text);
    buf_add_char(&text, '\n');
    main[1] = (struct passage){(uint32_t)text.len, (uint32_t)strlen(texts[0].text), PASSAGE_CODE};
    buf_add_z(&text, texts[0].text);
    assert_str(of_page("", text.data, main, 2), "de");
    buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_are_of_their_language),
        cmocka_unit_test(what_says_nothing_is_of_no_language),
        cmocka_unit_test(words_of_another_script_inside_do_not_decide),
        cmocka_unit_test(a_text_is_believed_more_than_what_a_page_declares),
        cmocka_unit_test(what_a_page_declares_stays_where_its_text_cannot_tell),
        cmocka_unit_test(menus_and_code_do_not_decide),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
