/* part.c - the part of a page that an element's names stand for.
 *
 * In: a start tag, or a text. Out: bits. A name is cut at characters that are not
 * letters, and where a capital follows a small letter; a run of letters that is not in
 * the table is cut after the longest word that it begins with ("sidebar|left").
 *
 * Workload: 500 start tags a page, half of them with a class, most of which came before.
 * Source: names as they are on the web; the words are our own choice, the weights of the
 * parts are learnt (tools/maintext-eval). SPDX-License-Identifier: MIT
 */
#include "parse/main/part.h"

#include "base/hash.h"
#include "base/str.h"

#include <endian.h>

#define EACH(byte)  (UINT64_C(0x0101010101010101) * (byte))

#define NAMES_BYTES 256 /* examined of one attribute */
#define PREFIX_MIN  4   /* letters of a word that may begin a longer run */
#define WORD_MAX    18  /* letters of the longest words of parts */

/* clang-format off */
static const char *const part_words[PART_COUNT] = {
    [PART_ARTICLE] = "article artikel story hentry post entry newsarticle blogpost single beitrag"
                     " articulo articolo node noticia",
    [PART_CONTENT] = "content contents contenu inhalt contenido contenuto contentarea conteudo",
    [PART_MAIN] = "main maincontent primary",
    [PART_BODY] = "body bodytext text texte txt paragraph prose richtext fliesstext texto testo"
                  " copytext wysiwyg absatz parser rte editor",
    [PART_ARTICLE_BODY] = "articlebody articletext articlecontent storybody entrycontent"
                          " postcontent postbody bodycopy",
    [PART_LEAD] = "lead intro standfirst chapo summary abstract excerpt subtitle subline subhead"
                  " subheadline deck vorspann introtext einleitung chapeau",
    [PART_TITLE] = "title headline heading titre ueberschrift titel kicker dachzeile h1",
    [PART_BYLINE] = "byline author autor auteur writer bio authors autoren autore signature",
    [PART_DATE] = "date time datum published updated timestamp publish dateline pubdate fecha",
    [PART_META] = "meta metadata info infos details postmeta submitted",
    [PART_CAPTION] = "caption bildunterschrift credit credits legend figcaption copyright legende",
    [PART_MEDIA] = "image images img photo photos picture pictures gallery slider slideshow carousel"
                   " video videos player media figure thumbnail thumb embed swiper bild bilder audio"
                   " galerie",
    [PART_NAV] = "nav navi navigation navbar menu menus submenu topnav topbar mainnav hauptnavigation"
                 " navigator dropdown megamenu tabs tab flyout menue",
    [PART_CRUMBS] = "breadcrumb breadcrumbs crumb crumbs rootline pathway brotkrumen",
    [PART_HEADER] = "header masthead branding logo kopf top siteheader",
    [PART_FOOTER] = "footer foot colophon bottom fuss fusszeile footnav contentinfo sitefooter",
    [PART_SIDE] = "sidebar aside side right rightcolumn rightcol secondary tertiary marginal rail"
                  " marginalspalte seitenleiste leftcolumn complementary sidebars lateral column2",
    [PART_WIDGET] = "widget widgets module plugin textwidget box infobox block panel",
    [PART_RELATED] = "related similar recommended recommendation recommendations recommend more mehr"
                     " weitere verwandte suggest suggested suggestion suggestions popular trending"
                     " latest recent readmore outbrain taboola plista ligatus others voir also"
                     " aehnliche meistgelesen mostread most linked upnext relatedposts readalso",
    [PART_TEASER] = "teaser teasers promo card cards preview tile tiles cta teaserbox promobox",
    [PART_LIST] = "list listing items item grid feed archive entries posts articles stories news"
                  " results loop liste",
    [PART_SHARE] = "share sharing social shariff facebook twitter whatsapp pinterest linkedin xing"
                   " instagram addthis addtoany sharedaddy follow like likes bookmark sharethis"
                   " youtube telegram socials shares teilen fb sociallinks heateor ssba",
    [PART_COMMENT] = "comment comments commentlist reply respond disqus kommentar kommentare"
                     " commentaires commentaire discussion forum replies thread commentform"
                     " comentarios comentario livefyre isso commento reviews review",
    [PART_FORM] = "form input field button buttons btn submit search searchform label suche"
                  " recherche buscar searchbox formular",
    [PART_LETTER] = "newsletter subscribe subscription abo abonnement signup subscriber optin"
                    " mailchimp abonnieren mailing abonnez",
    [PART_LOGIN] = "login user account register signin profile member avatar logout anmelden"
                   " usermenu registration",
    [PART_COOKIE] = "cookie cookies consent gdpr privacy dsgvo cmp policy legal disclaimer onetrust"
                    " cookiebanner datenschutz cookiebar ccpa",
    [PART_POPUP] = "popup modal overlay dialog lightbox tooltip alert alertdialog message toast"
                   " offcanvas pushbar interstitial notification drawer",
    [PART_AD] = "ad ads advert advertisement anzeige anzeigen werbung sponsor sponsored sponsors"
                " adsbygoogle gpt promotion affiliate adslot publicite dfp partner partners banner"
                " adcontainer adbox adunit advertising skyscraper adv advertorial",
    [PART_TAGS] = "tag tags category categories cat taxonomy keywords keyword topics rubrik"
                  " kategorie kategorien topic thema themen tagcloud taglist etiquetas",
    [PART_PAGER] = "pager pagination prev next previous paging pagenav postnav pagelinks",
    [PART_HIDDEN] = "hidden hide invisible skip visuallyhidden noprint offscreen screenreader sr"
                    " skiplink collapsed hid",
    [PART_TOOLS] = "print tools toolbar actions action functions icons icon options rating ratings"
                   " toolbox drucken vote votes",
    [PART_QUOTE] = "quote blockquote pullquote zitat citation quotes zitate",
    [PART_CODE] = "code highlight syntax snippet codeblock sourcecode console",
    [PART_LANG] = "lang language languages sprache translation translations sprachen langs"
                  " interlanguage languageselector",
    [PART_CONTACT] = "contact kontakt address adresse phone tel email mail vcard location map"
                     " ansprechpartner contacts telefon contacto",
    [PART_SHOP] = "price cart product products shop basket warenkorb buy kaufen checkout produkt"
                  " wishlist",
    [PART_TOC] = "toc tableofcontents inhaltsverzeichnis sommaire jump anchors",
    [PART_REFS] = "reference references footnote footnotes source sources bibliography citations"
                  " literatur catlinks quellen notes navbox reflist externe",
    [PART_PAYWALL] = "paywall premium piano locked",
    [PART_CALENDAR] = "calendar event events kalender termine weather wetter ticker breaking",
    [PART_NOTE] = "note notice hint warning hinweis tip important admonition about",
};

static const char *const topic_words[TOPIC_COUNT] = {
    [TOPIC_COPYRIGHT] = "copyright © rights reserved rechte vorbehalten droits réservés derechos"
                        " reservados diritti riservati powered",
    [TOPIC_LEGAL] = "impressum datenschutz datenschutzerklärung agb privacy cookie cookies terms"
                    " policy disclaimer mentions légales confidentialité privacidad aviso legal"
                    " nutzungsbedingungen barrierefreiheit condizioni condiciones privatsphäre"
                    " haftungsausschluss cgu cgv accessibility",
    [TOPIC_SHARE] = "share teilen partager compartir condividi tweet facebook twitter whatsapp"
                    " pinterest linkedin xing instagram youtube telegram tweeten follow folgen"
                    " suivez merken pin google+ mastodon rss drucken print imprimer bookmark",
    [TOPIC_COMMENT] = "comment comments kommentar kommentare kommentieren commentaires commentaire"
                      " comentarios reply antworten répondre antwort comentar responder replies"
                      " commenter commenti trackback pingback diskussion leserkommentare"
                      " kommentarfunktion spam moderation",
    [TOPIC_LETTER] = "newsletter subscribe abonnieren abonnez abo abonnement abonnements abonnieren"
                     " subscription suscríbete iscriviti inbox bestellen abonnent spenden donate"
                     " unterstützen probeabo abonner",
    [TOPIC_LOGIN] = "login log sign anmelden registrieren register einloggen konto account connexion"
                    " connecter passwort password e-mail-adresse benutzername angemeldet logged"
                    " inscription anmeldung",
    [TOPIC_RELATED] = "related more mehr weitere weiterlesen lesen read lire also auch aussi recent"
                      " latest neueste aktuelle popular beliebte meistgelesen meistgelesene similar"
                      " ähnliche verwandte recommended empfohlen empfehlungen voir plus leggi artikel"
                      " articles stories beiträge dernières derniers interessieren dossier thema"
                      " themen próximo siguiente anterior vorheriger nächster previous next zurück"
                      " suivant précédent lee más altri article trending top posts beitrag"
                      " nachrichten links weiterführende passend continue",
    [TOPIC_AUTHOR] = "by von par por di autor author auteur redaktion editor geschrieben verfasst"
                     " written posted publié redaktionell autorin journalist über about",
    [TOPIC_DATE] = "january february march april may june july august september october november"
                   " december januar februar märz mai juni juli oktober dezember janvier février"
                   " mars avril juin juillet août septembre octobre novembre décembre enero febrero"
                   " marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre jan"
                   " feb apr aug sep sept oct nov dec okt dez uhr updated aktualisiert published"
                   " veröffentlicht stand mis ago montag dienstag mittwoch donnerstag freitag samstag"
                   " sonntag monday tuesday wednesday thursday friday saturday sunday minuten min",
    [TOPIC_PHOTO] = "foto photo bild photos fotos bildquelle crédit credit quelle image getty dpa"
                    " imago reuters afp shutterstock picture alliance fotolia istock abbildung"
                    " bildnachweis epa keystone fotostrecke video videos galerie gallery",
    [TOPIC_AD] = "anzeige werbung advertisement sponsored ad publicité publicidad gesponsert"
                 " affiliate partnerlinks provision anzeigen adblocker",
    [TOPIC_CONTACT] = "kontakt contact telefon tel phone fax e-mail email mail adresse address"
                      " straße str öffnungszeiten contacto contactez pressekontakt ansprechpartner"
                      " presse",
    [TOPIC_MENU] = "menu menü home startseite accueil inicio search suche recherche suchen buscar"
                   " rechercher sitemap navigation toggle skip zum springen inhalt close schließen"
                   " fermer login back top nach oben download herunterladen pdf service über uns"
                   " faq hilfe help shop warenkorb cart",
    [TOPIC_TAGS] = "tags tag schlagworte schlagwörter kategorie kategorien category categories"
                   " filed under labels catégories catégorie étiquettes etiquetas stichworte"
                   " keywords rubrik topics ressort",
    [TOPIC_SOURCE] = "source sources quellen références references literatur einzelnachweise"
                     " fußnoten notes footnotes weblinks via externe siehe",
    [TOPIC_SCRIPT] = "javascript browser enable aktivieren aktiviert cookies akzeptieren accept"
                     " accepter einwilligung zustimmen consent zustimmung captcha",
};
/* clang-format on */

static inline bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Words are identified by a 32-bit hash of their first and last eight letters, or of all if
 * they have fewer, in any case. */
static inline uint32_t mix(uint64_t head, uint64_t tail, size_t len)
{
    uint64_t key = (head | EACH(0x20)) ^ (tail | EACH(0x20)) * UINT64_C(0x9e3779b97f4a7c15);

    key = (key + len) * UINT64_C(0xd6e8feb86659fd93);
    return (uint32_t)(key >> 32) | 1;
}

static inline uint64_t load(const char *p, size_t len)
{
    uint64_t bytes = 0;

    memcpy(&bytes, p, len);
    return le64toh(bytes);
}

static uint32_t word_hash(const char *word, size_t len)
{
    if (len >= 8)
        return mix(load(word, 8), load(word + len - 8, 8), len);
    return mix(load(word, len), 0, len);
}

/* The same, for a word at which eight bytes can be read. */
static inline uint32_t word_hash_roomy(const char *word, size_t len)
{
    if (len >= 8)
        return mix(load(word, 8), load(word + len - 8, 8), len);
    return mix(load(word, 8) & ((UINT64_C(1) << 8 * len) - 1), 0, len);
}

static inline uint32_t slot_of(uint32_t hash)
{
    return hash >> 8 & (PART_SLOTS - 1);
}

/* A bit for every word: most words of a page are not in the table, and cost no more
 * than this test. */
static inline uint32_t known_at(uint32_t hash)
{
    return hash >> 6 & (PART_KNOWN - 1);
}

static inline uint64_t known_bit(uint32_t hash)
{
    return UINT64_C(1) << (hash >> 1 & 63);
}

/* Returns the slot of a word, or the free one where it would go. */
static inline uint32_t find(const struct main_parts *p, uint32_t hash)
{
    uint32_t slot = slot_of(hash);

    while (p->hashes[slot] && p->hashes[slot] != hash)
        slot = (slot + 1) & (PART_SLOTS - 1);
    return slot;
}

static inline bool is_known(const struct main_parts *p, uint32_t hash)
{
    return p->known[known_at(hash)] & known_bit(hash);
}

static void add_words(struct main_parts *p, const char *words, uint8_t *numbers, unsigned number)
{
    struct str rest = str_of(words), word;

    while (str_cut(&rest, ' ', &word)) {
        uint32_t hash = word_hash(word.ptr, word.len), slot = find(p, hash);

        p->hashes[slot] = hash;
        p->known[known_at(hash)] |= known_bit(hash);
        if (numbers[slot] == 0)
            numbers[slot] = (uint8_t)(number + 1);
    }
}

void main_parts_init(struct main_parts *p)
{
    memset(p, 0, sizeof *p);
    for (unsigned i = 0; i < PART_COUNT; i++)
        add_words(p, part_words[i], p->parts, i);
    for (unsigned i = 0; i < TOPIC_COUNT; i++)
        add_words(p, topic_words[i], p->topics, i);
}

/* Returns the part that the longest word at the start of a run names, as a bit. *ret_len is the
 * length of that word, or of the whole run if there is none. */
static uint64_t run_part(const struct main_parts *p, struct str run, size_t *ret_len)
{
    for (size_t len = run.len < WORD_MAX ? run.len : WORD_MAX; len > 0; len--) {
        uint32_t hash;
        unsigned part;

        if (len < PREFIX_MIN && len < run.len)
            break;
        hash = word_hash(run.ptr, len);
        if (!is_known(p, hash))
            continue;
        part = p->parts[find(p, hash)];
        if (part) {
            *ret_len = len;
            return UINT64_C(1) << (part - 1);
        }
    }
    *ret_len = run.len;
    return 0;
}

#define BIT(part) (UINT64_C(1) << (part))

/* Returns the parts of one name, such as "articleBody" or "entry-content". */
static uint64_t name_parts(const struct main_parts *p, struct str name)
{
    uint64_t parts = 0;
    size_t at = 0, len;

    while (at < name.len) {
        size_t from = at;

        while (at < name.len && ascii_is_alpha(name.ptr[at]) &&
               !(at > from && is_upper(name.ptr[at]) && !is_upper(name.ptr[at - 1])))
            at++;
        if (at == from) {
            at++;
            continue;
        }
        parts |= run_part(p, str_sub(name, from, at), &len);
        at = from + len;
    }
    if (parts & BIT(PART_ARTICLE) && parts & (BIT(PART_CONTENT) | BIT(PART_BODY)))
        parts |= BIT(PART_ARTICLE_BODY);
    return parts;
}

static __attribute__((noinline)) uint64_t new_parts(struct main_parts *p, struct str names)
{
    uint64_t parts = 0;
    struct str name;

    names = str_sub(names, 0, NAMES_BYTES);
    while (str_cut(&names, ' ', &name))
        parts |= name_parts(p, name);
    return parts;
}

static inline uint64_t names_parts(struct main_parts *p, struct str names, uint64_t hash)
{
    unsigned slot = hash & (PART_MEMORY - 1);

    if (p->seen[slot].hash != hash) {
        p->seen[slot].parts = new_parts(p, names);
        p->seen[slot].hash = hash;
    }
    return p->seen[slot].parts;
}

uint64_t main_parts_of(struct main_parts *p, const struct main_names *names, uint32_t *ret_like)
{
    uint64_t hash, parts = 0;

    *ret_like = 0;
    if ((names->class.len | names->id.len | names->other.len) == 0)
        return 0;
    if (names->class.len) {
        hash = hash_str(names->class);
        parts = names_parts(p, names->class, hash);
        *ret_like = (uint32_t)hash;
    }
    if (names->id.len)
        parts |= names_parts(p, names->id, hash_str(names->id));
    if (names->other.len)
        parts |= names_parts(p, names->other, hash_str(names->other));
    return parts;
}

uint32_t main_topics_of(const struct main_parts *p, struct str text, const struct word *words,
                        size_t count)
{
    uint32_t topics = 0;

    for (size_t i = 0; i < count; i++) {
        const char *word = text.ptr + words[i].off;
        size_t len = words[i].len;
        uint32_t hash =
            words[i].off + 8 <= text.len ? word_hash_roomy(word, len) : word_hash(word, len);
        unsigned topic;

        if (!is_known(p, hash))
            continue;
        topic = p->topics[find(p, hash)];
        if (topic)
            topics |= UINT32_C(1) << (topic - 1);
    }
    return topics;
}
