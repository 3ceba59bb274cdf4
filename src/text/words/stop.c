/* stop.c - stop words by language.
 *
 * Function words: articles, pronouns, prepositions, conjunctions, auxiliaries
 * and the commonest adverbs; no nouns, no verbs with a meaning of their own.
 * Read once a thread and language into a set (stem.c), so a plain string will do.
 * SPDX-License-Identifier: MIT */
#include "text/words/stem.h"

#include "base/mem.h"

static const struct {
    const char *lang;
    const char *words;
} lists[] = {
    {"en",
     "a about above after again against all also although am an and another any anybody anyone "
     "anything are aren't as at be because been before being below between both but by can can't "
     "cannot could couldn't did didn't do does doesn't doing don't down during each either else "
     "ever every few for from further had hadn't has hasn't have haven't having he he'd he'll he's "
     "her here here's hers herself him himself his how how's however i i'd i'll i'm i've if in "
     "into "
     "is isn't it it's its itself just let's may me might more most must mustn't my myself neither "
     "no nor not of off on once one only or other others ought our ours ourselves out over own per "
     "rather same shall shan't she she'd she'll she's should shouldn't since so some such than "
     "that "
     "that's the their theirs them themselves then there there's therefore these they they'd "
     "they'll "
     "they're they've this those though through thus to too under until up upon us very via was "
     "wasn't we we'd we'll we're we've were weren't what what's when when's where where's whether "
     "which while who who's whom whose why why's will with within without won't would wouldn't yet "
     "you you'd you'll you're you've your yours yourself yourselves"},
    {"de",
     "ab aber alle allem allen aller alles als also am an ander andere anderem anderen anderer "
     "anderes auch auf aus bei beim bin bis bist bzw da dabei dadurch dafür dagegen daher damit "
     "danach dann daran darauf daraus darf darin darum darüber das dass daß davon dazu dein deine "
     "deinem deinen deiner dem den denen denn der deren des deshalb dessen dich die dies diese "
     "diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines einige "
     "einigen einiger er es etwa etwas euch euer eure für gegen hab habe haben hat hatte hatten "
     "hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede "
     "jedem "
     "jeden jeder jedes jedoch jene jenem jenen jener jenes jetzt kann kannst kein keine keinem "
     "keinen keiner können könnte man mein meine meinem meinen meiner mich mir mit muss muß müssen "
     "nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit selbst "
     "sich sie sind so solche solchem solchen solcher soll sollen sollte sondern sonst sowie über "
     "um "
     "und uns unser unsere unserem unseren unter viel vom von vor war waren wäre warum was wegen "
     "weil welche welchem welchen welcher welches wenn wer werde werden wie wieder will wir wird "
     "wirst wo wollen worden wurde wurden würde würden zu zum zur zwar zwischen"},
    {"fr",
     "à afin ai ainsi alors après as au aucun aucune aujourd'hui auquel aura auront aussi autre "
     "autres aux avaient avais avait avant avec avez avoir avons ayant bien c car ce ceci cela "
     "celle "
     "celles celui cependant ces cet cette ceux chaque chez ci comme comment contre d dans de "
     "depuis "
     "des donc dont du elle elles en encore entre es est et étaient étais était étant été êtes "
     "être "
     "eu eux fait fut grâce il ils j je jusque l la là laquelle le lequel les lesquelles lesquels "
     "leur "
     "leurs lors lorsque lui m ma mais malgré me même mêmes mes moi moins mon n ne ni non nos "
     "notre "
     "nous on ont ou où par parce pas pendant peu peut peuvent plus plusieurs pour pourquoi puis "
     "puisque qu quand que quel quelle quelles quels qui quoi s sa sans se selon sera seront ses "
     "si "
     "soi soient sois soit sommes son sont sous suis sur t ta tandis te tes toi ton tous tout "
     "toute "
     "toutes très trop tu un une vers voici voilà vos votre vous y"},
    {"es",
     "a al algo alguna algunas alguno algunos ante antes aquel aquella aquellas aquellos aquí así "
     "aun "
     "aún aunque bajo bien cada casi como cómo con contra cual cuál cuales cualquier cuando cuándo "
     "de "
     "del desde después donde dónde dos durante e el él ella ellas ello ellos en entre era eran "
     "eres "
     "es esa esas ese eso esos esta está estaba estaban están estar estas este esto estos fue "
     "fueron "
     "ha había habían haber hace hacia han hasta hay he incluso la las le les lo los luego más me "
     "mediante menos mi mí mientras mis mismo misma mucho muy nada ni no nos nosotros nuestra "
     "nuestras "
     "nuestro nuestros o os otra otras otro otros para pero poco por porque pues que qué quien "
     "quién "
     "quienes se sea según ser si sí sido siempre sin sino sobre sólo son soy su sus también "
     "tampoco "
     "tan tanto te tiene tienen toda todas todo todos tu tú tus un una unas uno unos usted ustedes "
     "va "
     "vez vosotros y ya yo"},
    {"it",
     "a ad agli ai al alcune alcuni all alla alle allo altra altre altri altro anche ancora avere "
     "aveva avevano c che chi ci ciò coi col come con contro cosa così cui d da dagli dai dal dall "
     "dalla "
     "dalle dallo degli dei del dell della delle dello dentro di dopo dove e è ed era erano essere "
     "fa "
     "fino fra fu gli ha hai hanno ho i il in infatti invece io l la le lei li lo loro lui ma me "
     "meno mentre "
     "mi mia mie miei mio molto ne né negli nei nel nell nella nelle nello no noi non nostra "
     "nostre nostri "
     "nostro o ogni oltre per perché però più poi presso prima può qual quale quali qualche quando "
     "quanto quella quelle quelli quello questa queste questi questo qui quindi sarà se sei sempre "
     "senza si sia siamo siano sono sopra sotto sta stata state stati stato su sua sue sugli sui "
     "sul "
     "sull sulla sulle sullo suo suoi tra tu tua tue tuo tuoi tutta tutte tutti tutto un una uno "
     "vi voi "
     "vostra vostre vostri vostro"},
    {"pt", "a à ainda além algum alguma algumas alguns ante antes ao aos apenas após aquela "
           "aquelas aquele "
           "aqueles aquilo as às assim até bem cada com como contra da das de dela delas dele "
           "deles depois "
           "desde dessa desse desta deste do dos durante e é ela elas ele eles em enquanto entre "
           "era eram "
           "essa essas esse esses esta está estão estas estava este estes eu foi foram há isso "
           "isto já la "
           "lhe lhes lo mais mas me mesma mesmo meu meus minha minhas muito na não nas nem nessa "
           "nesse nesta "
           "neste no nos nós nossa nossas nosso nossos num numa o onde os ou outra outras outro "
           "outros para "
           "pela pelas pelo pelos per pode podem pois por porque portanto quais qual quando que "
           "quem se seja "
           "sem sempre ser será seu seus si sido só sob sobre sua suas também tão tem têm ter teu "
           "teus todo "
           "toda todas todos tu tua tuas tudo um uma umas uns você vocês vos"},
    {"nl", "aan af al alle alleen als altijd ander andere ben bij daar daarom dan dat de der deze "
           "die dit "
           "doch doen door dus een eens elk elke en enkele er ge geen had hadden heb hebben heeft "
           "hem het "
           "hier hij hoe hun iemand iets ik in is ja je jij jou jouw jullie kan kon kunnen maar me "
           "meer men "
           "met mij mijn moet moeten na naar niet niets nog nu of om omdat ons onder onze ook op "
           "over reeds "
           "sinds te tegen toch toen tot u uit uw van vanaf veel voor waar waarom wanneer want "
           "waren was wat "
           "we wel welke werd werden wezen wie wij wil word worden wordt zal ze zei zelf zich zij "
           "zijn zo "
           "zoals zonder zou zouden zullen"},
    {"sv",
     "all alla allt att av bara bland blev bli blir blivit både de dem den denna deras dess dessa "
     "det "
     "detta dig din dina ditt du där därför då efter eller en er era ert ett från för före genom "
     "ha "
     "hade han hans har hela hon honom hur här i icke in inför ingen inom inte jag ju kan kunde "
     "man "
     "med medan mellan men mer mest mig min mina mitt mot mycket måste ned ni nu när någon något "
     "några och också om oss på samma samt sedan ska skall skulle som så sådan sådana sådant sig "
     "sin "
     "sina sitt själv till under upp ur ut utan vad var vara varför varit varje vars vart vem vi "
     "vid "
     "vilka vilkas vilken vilket vår våra vårt än ännu är åt över"},
    {"da",
     "ad af aldrig alle alt anden andet andre at blev blive bliver bliver da de dem den denne der "
     "deres det dette dig din dine disse dog du efter eller en end er et for fordi fra før gennem "
     "ham "
     "han hans har havde have hendes her hos hun hvad hvem hver hvilken hvilket hvis hvor hvordan "
     "hvorfor i ikke ind ingen intet jeg jer jo kan kun kunne man mange med meget mellem men mere "
     "mig "
     "min mine mit mod må ned noget nogle nogen nu når og også om op os over på samme selv sig sin "
     "sine sit skal skulle som sådan så thi til ud under uden var ved vi vil ville vor været være"},
    {"no",
     "alle alt andre at av bare ble blei bli blir både da de deg dem den denne der dere deres det "
     "dette "
     "di din disse ditt du eg ein eit eller en enn er et ett etter for fordi fra før gjennom ha "
     "hadde "
     "han hans har henne hennes her hos hun hva hvem hver hvilken hvis hvor hvordan hvorfor i ikke "
     "ikkje ingen inn jeg kan kun kunne man mange med meg meget mellom men mer min mine mitt mot "
     "mye må "
     "ned noe noen nok nå når og også om opp oss over på samme seg selv si sia sidan siden sin "
     "sine "
     "sitt sjøl skal skulle slik som så til under uten ut var ved vi vil ville vår være vært"},
    {"fi",
     "ei eivät eli emme en enemmän ennen et ette että hän häneen hänelle hänen hänet heidän heille "
     "heitä he itse ja jo joita joka joko jolla jolle jonka jos joka jossa josta jota jotka jotta "
     "kaikki kanssa kautta keskellä koska kuin kuinka kuitenkin kun kunnes me meidän meille meitä "
     "mikä mikäli miksi minkä minun minä missä mistä mitä mitkä mukaan mutta myös ne niiden niin "
     "niitä "
     "nämä nyt näiden näin näitä ole oleva oli olivat olla ollut on ovat pitkin saakka se sekä sen "
     "siellä siihen siinä siitä sillä sinun sinä sitten sitä tai te teidän tuo tuossa tähän tällä "
     "tämä tämän tässä tästä tätä vaan vai vaikka vain varten voi yli ym"},
    {"ru", "а без более бы был была были было быть в вам вами вас весь во вот все всего всей всем "
           "всех всю вся "
           "вы где да даже для до его ее её ей ему если есть еще ещё ж же за здесь и из или им ими "
           "их к как какая "
           "какие какой когда которая которого которой которые который которых кто ли либо между "
           "меня мне много "
           "может можно мой моя мы на над надо нам нами нас наш наша наше наши не него нее неё ней "
           "нет ни них но ну о "
           "об однако он она они оно от очень перед по под после потому почти при про с сам себе "
           "себя собой свой "
           "своего своей своих свои со так также такая такие такой там те тебе тебя тем то тобой "
           "того тоже той "
           "только том тот ту ты у уже хотя чего чей чем через что чтобы чье эта эти этих это "
           "этого этой этом этот "
           "эту я"},
    {"pl", "a aby ale ani aż bardzo bez bo by być był była było były będą będzie ci co czy czyli "
           "dla do gdy gdzie "
           "go i ich im in innych inne iż ja jak jaka jakie jako je jego jej jest jeszcze jeśli "
           "już każdy kiedy "
           "kto która które którego której który których którzy lub ma mają między mi mnie może "
           "można mu na nad "
           "nam nas nasz nie niej nich nim niż o od oraz po pod ponieważ poza przed przez przy są "
           "się skąd swoje "
           "ta tak także tam te tego tej ten też to tu tych tylko tym u w we więc wszystkie "
           "wszystko z za ze że"},
};

struct str stop_words(struct str lang)
{
    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        if (str_eq(lang, str_of(lists[i].lang)))
            return str_of(lists[i].words);
    return (struct str){0};
}
