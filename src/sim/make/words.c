/* words.c - vocabularies: splits the written ones, invents the others.
 *
 * Out: arrays of words by topic and class. A rank is drawn as n * u^1.5, a gentle slope: the first word
 * of a list of 40 comes about ten times as often as the last.
 *
 * Workload: made once a world, then some hundred draws a page.
 * SPDX-License-Identifier: MIT
 */
#include "sim/make/words.h"

#include "base/arena.h"
#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- subjects ------------------------------------------------------------ */

/* A vocabulary as written down: words separated by spaces, _ stands for a
 * space inside one. */
struct words_source {
    const char *name;   /* for people: "bread baking" */
    const char *keys;   /* what a crawler is given besides the name */
    const char *things; /* nouns with a plural */
    const char *stuff;  /* nouns without one */
    const char *deeds;  /* verbs, past tense, with an object */
    const char *kinds;  /* adjectives */
};

static const struct words_source words_sources[] = {
    {"astronomy", "telescope star galaxy planet",
     "telescope star galaxy planet nebula comet orbit asteroid observatory moon eclipse crater "
     "supernova pulsar quasar constellation satellite mirror lens spectrum meteor horizon dwarf "
     "cluster eyepiece mount photon detector survey magnitude transit parallax filter dome "
     "astronomer chart",
     "starlight hydrogen gravity helium radiation dust darkness redshift vacuum plasma",
     "observed discovered measured orbited eclipsed photographed catalogued tracked resolved "
     "illuminated calibrated mapped",
     "stellar lunar solar galactic distant faint celestial interstellar bright orbital spiral "
     "binary infrared"},
    {"beekeeping", "hive honey bee colony",
     "hive bee colony queen drone swarm comb frame brood smoker beekeeper apiary worker larva "
     "mite super foundation veil extractor sting nectary cluster pupa excluder feeder blossom "
     "meadow nucleus stand entrance inspection queenright cell split harvest jar wing forager "
     "guard bloom",
     "honey wax pollen nectar propolis clover syrup smoke heather venom",
     "smoked inspected harvested requeened fed extracted overwintered pollinated capped swarmed "
     "treated merged",
     "capped raw gentle swarming varroa floral queenless strong wintering sticky golden busy "
     "foraging"},
    {"sailing", "sail boat mast harbour",
     "sail boat mast harbour keel rudder sailor yacht jib tiller anchor mooring spinnaker deck "
     "hull crew skipper regatta buoy boom winch halyard sheet knot dinghy cleat berth chart "
     "compass genoa hatch cockpit squall port bow stern race lighthouse catamaran ketch passage "
     "bay",
     "wind rope canvas ballast rigging spray current leeway varnish weather",
     "sailed tacked moored anchored hoisted reefed steered trimmed rigged launched navigated "
     "capsized",
     "nautical windward leeward offshore seaworthy coastal brisk upwind rigged tidal maritime "
     "choppy salty"},
    {"volcanoes", "volcano eruption lava magma",
     "volcano eruption crater caldera vent cone summit fissure tremor dome plume flow geyser "
     "chamber ridge plate bomb flank slope hotspot lahar volcanologist seismometer island rift "
     "conduit earthquake arc column fumarole deposit layer rim evacuation warning basin sample "
     "swarm fault",
     "lava magma ash basalt pumice sulphur steam gas obsidian tephra",
     "erupted buried monitored melted ejected shook evacuated sampled cooled covered triggered "
     "scorched",
     "volcanic molten explosive dormant active seismic basaltic pyroclastic extinct fiery "
     "geothermal viscous ashen"},
    {"bread baking", "dough flour sourdough loaf",
     "loaf oven crust starter baker bakery baguette crumb tin proof kneading bun roll "
     "banneton scraper peel recipe levain ferment bowl slice bagel brioche ciabatta focaccia "
     "batch grain mill score slash shape fold rise stone thermometer scale apron counter "
     "breakfast",
     "dough flour sourdough yeast salt gluten rye wheat butter spelt semolina steam",
     "kneaded baked proofed shaped scored folded sliced sifted fermented toasted mixed rested",
     "crusty wholegrain leavened sour warm floury golden airy toasted rustic baked sticky "
     "overnight"},
    {"chess", "chess pawn bishop opening",
     "pawn bishop knight rook queen king opening endgame checkmate board piece gambit castle "
     "tournament grandmaster square clock move tactic sacrifice defence fork pin file rank "
     "stalemate draw diagonal blunder variation puzzle rating match opponent player combination "
     "attack position exchange study",
     "chess notation theory initiative tempo zugzwang time strategy material pressure",
     "captured castled sacrificed attacked defended pinned promoted checkmated blundered "
     "developed exchanged resigned",
     "positional tactical sharp passed isolated defensive blitz drawn winning closed sicilian "
     "doubled strategic"},
    {"railways", "railway train locomotive station",
     "railway train locomotive station track carriage signal platform timetable tunnel viaduct "
     "driver conductor engine rail sleeper junction depot wagon boiler switch bridge gauge line "
     "ticket freight passenger coupling signalman terminus buffer siding tram gradient piston "
     "whistle guard cutting turntable shunter",
     "steam coal diesel ballast electricity steel traffic freight traction grease",
     "hauled shunted coupled departed electrified laid derailed signalled timetabled restored "
     "stoked braked",
     "narrow electric heritage suburban scenic regional high-speed abandoned rural steel "
     "punctual crowded articulated"},
    {"coral reefs", "coral reef polyp lagoon",
     "reef coral polyp lagoon atoll anemone clownfish diver sponge turtle parrotfish urchin "
     "starfish colony snorkel algae fish shark seahorse octopus clam shrimp bleaching spawning "
     "shoal tide island current channel grouper nudibranch wrasse eel larva skeleton nursery "
     "transect outcrop predator",
     "plankton limestone seagrass sand saltwater calcium sunlight oxygen mucus warmth",
     "bleached snorkelled grazed surveyed colonised sheltered dived spawned cleaned restored "
     "protected transplanted",
     "tropical marine shallow bleached colourful branching reef-building underwater warm "
     "symbiotic fragile turquoise salty"},
    {"mushrooms", "mushroom fungus spore forest",
     "mushroom fungus spore cap gill forest stem toadstool chanterelle bolete truffle basket "
     "forager log stump mycologist ring puffball morel bracket oyster cluster knife species "
     "tree birch oak beech patch field_guide season print veil pore substrate cellar specimen "
     "hunter poisoning autumn",
     "mycelium moss compost leaf_litter soil rot damp humus sawdust dew",
     "picked foraged identified dried sauteed cultivated inoculated sliced sporulated collected "
     "pickled decomposed",
     "edible poisonous wild earthy fungal damp spongy slimy woodland deadly fleshy rare "
     "mouldy"},
    {"weaving", "loom weaving yarn thread",
     "loom thread weaver shuttle warp weft pattern tapestry spindle spool heddle textile blanket "
     "cloth scarf fibre knot treadle shed bobbin rug selvedge twill sheep stripe fringe dyer "
     "spinner skein motif reed workshop border swatch batt distaff beam draft stitch seam",
     "yarn wool linen cotton silk dye flax hemp indigo weaving",
     "wove spun dyed threaded warped carded knotted stitched unravelled wound felted brushed",
     "woven handmade woollen striped soft coarse dyed plain patterned silken tight natural "
     "embroidered"},
    {"glaciers", "glacier ice moraine crevasse",
     "glacier crevasse moraine icefall iceberg valley ridge summit fjord core sheet tongue "
     "snowfield cirque climber rope axe lake crampon serac terminus boulder expedition cave "
     "station drill slope avalanche stream bergschrund nunatak stake sample ice_age polar_bear "
     "hut peak sledge",
     "ice snow meltwater frost till sediment firn cold permafrost debris",
     "melted retreated calved carved drilled crossed froze advanced surged surveyed eroded "
     "roped",
     "icy frozen glacial polar alpine arctic retreating crevassed snowy blue antarctic steep "
     "subglacial"},
    {"lighthouses", "lighthouse lamp keeper beacon",
     "lighthouse lamp keeper beacon lens tower lantern rock cliff ship shipwreck foghorn harbour "
     "headland reef gallery staircase signal coast islet causeway storm buoy pilot channel "
     "lightship bulb logbook shoal sailor mirror skerry wick window foundation boat watch "
     "bracket cottage",
     "light fog oil paraffin sea_spray granite mist paint brass darkness",
     "lit guarded guided automated wrecked rotated flashed polished warned painted rescued kept",
     "flashing coastal rocky foggy automated stormy tall lonely seaward striped guiding "
     "fresnel offshore"},
    {"origami", "origami paper crease fold",
     "crease fold crane square model flap corner diagram folder sheet pleat base valley mountain "
     "boat frog dragon tessellation module unit pattern edge pocket petal sink box star lantern "
     "butterfly designer dart rabbit_ear sequence layer vertex angle instruction wing point "
     "exhibition",
     "paper origami washi foil geometry symmetry glue cardboard precision patience",
     "folded creased pleated unfolded collapsed tucked pinched flattened diagrammed twisted "
     "assembled wet-folded",
     "folded modular square crisp flat symmetrical angular japanese delicate paper pleated "
     "geometric thin"},
    {"cheese making", "cheese curd rennet milk",
     "cheese curd rind wheel cow goat dairy cellar vat mould press creamery cheddar brie gouda "
     "camembert cheesemaker culture cloth knife ladle batch cave shelf blue_vein ewe paddle "
     "farmstead hoop slab crumble pasture thermometer tasting slice bacteria wedge grater herd "
     "farmer",
     "milk rennet whey brine cream salt butter lactose mould acidity",
     "curdled pressed aged ripened brined salted drained cultured milked turned waxed tasted",
     "creamy ripe aged mouldy soft hard pungent salty crumbly fresh tangy smoked buttery"},
    {"bird watching", "bird binoculars feather nest",
     "bird nest feather warbler owl hawk finch sparrow heron binocular egg wing chick flock hide "
     "birder marsh migration woodpecker kingfisher eagle swallow thrush robin perch beak song "
     "call fledgling ringing feeder wetland plover gull crane spotting_scope reserve sighting "
     "checklist tern",
     "plumage birdsong seed reed dawn habitat down marshland flight camouflage",
     "spotted ringed nested migrated fledged perched sang identified counted hatched roosted "
     "photographed",
     "migratory feathered rare juvenile nocturnal wading crested shy singing speckled winged "
     "common breeding"},
    {"pottery", "clay kiln glaze wheel",
     "kiln glaze wheel pot vase bowl potter studio mug bisque handle lid spout shelf cone firing "
     "teapot plate tile rim foot bat sponge slab coil jug pinch_pot workshop crack apprentice "
     "ash_glaze burner brush trimming oven shard amphora throwing crock ornament",
     "clay slip porcelain stoneware earthenware terracotta cobalt silica celadon raku",
     "threw glazed fired trimmed wedged centred coiled burnished carved moulded decorated "
     "cracked",
     "ceramic glazed hand-thrown earthen matt fired glossy unfired wheel-thrown fragile "
     "decorative porous smooth"},
    {"cycling", "bicycle wheel pedal cyclist",
     "bicycle wheel pedal cyclist chain saddle frame gear tyre helmet race brake spoke handlebar "
     "peloton climb derailleur puncture pump tour rider sprint crank cassette bottle tube lane "
     "route trail hub fork rim team jersey commute pannier bell velodrome pass descent",
     "cycling rubber asphalt cadence gravel grease sweat carbon traffic drafting",
     "pedalled cycled raced climbed sprinted punctured braked coasted overtook lubricated "
     "commuted trued",
     "steep paved uphill fast off-road aerodynamic fixed-gear downhill muddy lightweight urban "
     "touring spoked"},
    {"caves", "cave stalactite cavern caver",
     "cave stalactite stalagmite cavern caver passage shaft chamber bat sinkhole rope torch "
     "helmet lamp tunnel sump pit entrance column crawl ladder ledge pool map expedition squeeze "
     "grotto survey karst dripstone boulder bedding_plane flowstone cricket spring painting "
     "fissure salamander siphon explorer",
     "limestone darkness calcite mud guano dripping_water silence gypsum flint moisture",
     "explored descended abseiled mapped flooded squeezed crawled surveyed dripped dissolved "
     "excavated lit",
     "underground dark narrow flooded vertical cavernous damp echoing calcite subterranean "
     "muddy deep unexplored"},
    {"tea", "tea leaf teapot brew",
     "tea leaf teapot cup brew plantation kettle infusion garden oolong blend taster ceremony "
     "bush whisk bud picker teahouse strainer caddy saucer estate flush steep gaiwan terrace bowl "
     "auction tin merchant bag sip aroma terroir tray spoon samovar harvest shade",
     "tea matcha water caffeine tannin jasmine sencha darjeeling bergamot steam milk",
     "brewed steeped plucked withered rolled oxidised poured sipped whisked tasted infused "
     "blended",
     "green black fragrant fermented floral bitter loose hot oxidised malty astringent smoky "
     "ceremonial"},
    {"violins", "violin string bow luthier",
     "violin string bow luthier fiddle bridge peg orchestra concerto scroll soloist fingerboard "
     "chinrest soundpost cello viola workshop quartet sonata belly neck violinist tailpiece note "
     "scale melody concert plate purfling case rehearsal score trill shoulder_rest octave "
     "recital teacher arpeggio duet hall",
     "rosin maple spruce varnish music horsehair vibrato tone ebony harmony",
     "bowed tuned carved varnished played plucked performed practised strung restored rehearsed "
     "composed",
     "musical baroque resonant wooden bowed stringed melodic antique solo sweet-toned "
     "varnished lyrical virtuoso"},
    {"deserts", "desert dune sand oasis",
     "desert dune oasis camel caravan cactus nomad well wadi mirage scorpion lizard sandstorm "
     "tent plateau canyon palm gully gazelle salt_flat ridge tribe trail expedition basin viper "
     "rock shrub fox guide waterhole plain mesa beetle market hill gorge date_palm valley "
     "explorer",
     "sand heat drought sandstone dust shade thirst dew gravel wind",
     "crossed parched drifted wandered baked dug scorched irrigated migrated survived sheltered "
     "travelled",
     "arid sandy dry nomadic scorching barren windswept rocky desolate thirsty stony saharan "
     "sun-baked"},
    {"clocks", "clock pendulum escapement gear",
     "clock pendulum escapement gear watch spring dial hand watchmaker hour minute chime "
     "mainspring pivot balance wheel bell cuckoo movement jewel weight tower train ratchet "
     "pinion case repair crown chronometer sundial calibre second alarm mechanism pocket_watch "
     "hairspring strike arbor winding collector",
     "time brass accuracy oil friction quartz steel enamel timekeeping wear",
     "wound ticked regulated repaired oiled chimed dismantled adjusted struck polished timed "
     "restored",
     "mechanical accurate antique ticking brass precise wound slow horological jewelled "
     "astronomical broken daily"},
    {"vineyards", "vineyard grape wine vine",
     "vineyard grape vine harvest barrel bottle cellar winemaker winery cork vintage tasting "
     "press trellis cluster slope merlot riesling terroir rootstock sommelier glass cask row "
     "bunch estate appellation label stake decanter blend berry leaf pruner region tank village "
     "frost nose tannin",
     "wine must sugar oak yeast acidity chalk sediment juice alcohol",
     "pruned harvested fermented bottled aged crushed tasted grafted blended decanted pressed "
     "uncorked",
     "ripe dry oaky fruity red white sweet vintage full-bodied sunny chalky tannic sparkling"},
    {"kites", "kite string wind flyer",
     "kite string flyer tail spar reel bridle festival wing box_kite delta sail frame line bow "
     "meadow knot beach workshop handle loop stunt ribbon diamond dragon gust spool contest "
     "child sparrow_kite cross_spar toggle swivel parafoil dive launch hill thermal stick "
     "design",
     "wind lift bamboo ripstop drag tissue breeze silk turbulence nylon",
     "flew launched looped tethered soared crashed steered stitched unwound hovered swooped "
     "tangled",
     "airborne flying colourful steerable windy tethered light soaring paper gusty tailless "
     "acrobatic handmade"},
};

/* ---- words of no topic --------------------------------------------------- */

static const struct words_source words_general = {
    "notes",
    "",
    "day year place story question idea visitor friend neighbour afternoon morning street "
    "house letter book page member meeting group photograph list plan answer reason corner road "
    "town city museum library school teacher guide family journey detail example problem method "
    "result change choice habit tool table window garden kitchen room door shop market price "
    "office report note diary map picture lesson course event visit moment week month summer "
    "winter evening weekend hour conversation history tradition community village region country "
    "project team part piece group kind line side end beginning point subject difference",
    "time work help advice money space news weather trouble luck paper water light air noise "
    "care practice patience attention experience knowledge evidence",
    "found made kept saw described remembered visited asked showed compared explained carried "
    "brought wrote read took left moved opened changed collected discussed noticed followed "
    "prepared chose used shared watched repeated checked",
    "small large old new quiet early late good long short simple careful local common different "
    "favourite busy useful strange familiar modern recent ordinary open cheap popular public "
    "private easy difficult important"};

#define ARENA_MAX ((size_t)64 << 20) /* 1000 invented vocabularies take 4 MB */

struct word_list {
    struct str *items;
    size_t count;
};

struct vocabulary {
    struct str name, query;
    struct word_list lists[WORDS_CLASSES];
};

struct words {
    struct arena memory;
    uint32_t topics;
    struct vocabulary general;
    struct vocabulary *of; /* `topics` of them */
};

static struct word_list split(struct arena *a, struct str text)
{
    struct word_list l = {arena_array(a, text.len / 2 + 1, sizeof(struct str)), 0};
    struct str part;

    while (str_cut(&text, ' ', &part)) {
        struct str word = arena_str(a, part);

        for (char *c = (char *)word.ptr; *c; c++)
            *c = *c == '_' ? ' ' : *c;
        if (word.len)
            l.items[l.count++] = word;
    }
    return l;
}

static struct str join(struct arena *a, struct str x, struct str y)
{
    char text[512];
    int len = snprintf(text, sizeof text, "%.*s%s%.*s", STR_ARG(x), y.len ? " " : "", STR_ARG(y));

    return arena_str(a, (struct str){text, (size_t)len});
}

static void load(struct vocabulary *v, struct arena *a, const struct words_source *from)
{
    const char *const texts[WORDS_CLASSES] = {
        [WORDS_THING] = from->things,
        [WORDS_STUFF] = from->stuff,
        [WORDS_DEED] = from->deeds,
        [WORDS_KIND] = from->kinds,
    };

    v->name = str_of(from->name);
    v->query = join(a, v->name, str_of(from->keys));
    for (int c = 0; c < WORDS_CLASSES; c++)
        v->lists[c] = split(a, str_of(texts[c]));
}

/* ---- invented ones ------------------------------------------------------- */

static const char *const onsets[] = {"b",  "d",  "f",  "g",  "k",  "l",  "m",  "n",  "p",
                                     "r",  "s",  "t",  "v",  "z",  "br", "dr", "fl", "gr",
                                     "kl", "pl", "sk", "st", "tr", "sh", "th"};
static const char *const vowels[] = {"a", "e", "i", "o", "u", "ai", "ea", "ou"};
static const char *const codas[] = {"", "", "l", "n", "r", "s", "m", "k", "nd", "rt"};
/* What makes an invented word look like its class. */
static const char *const endings[WORDS_CLASSES] = {"", "ium", "ed", "ic"};

#define PICK(array, r) ((array)[rng_below((r), ARRAY_LEN(array))])

static struct str invent(struct arena *a, struct rng *r, size_t syllables, const char *ending)
{
    char text[64];
    size_t len = 0;

    for (size_t i = 0; i < syllables; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s%s", PICK(onsets, r),
                                PICK(vowels, r), i + 1 < syllables ? "" : PICK(codas, r));
    len += (size_t)snprintf(text + len, sizeof text - len, "%s", ending);
    return arena_str(a, (struct str){text, len});
}

static void invent_all(struct vocabulary *v, struct arena *a, struct rng *r)
{
    static const size_t counts[WORDS_CLASSES] = {40, 10, 12, 13};

    for (int c = 0; c < WORDS_CLASSES; c++) {
        v->lists[c] = (struct word_list){arena_array(a, counts[c], sizeof(struct str)), counts[c]};
        for (size_t i = 0; i < counts[c]; i++)
            v->lists[c].items[i] = invent(a, r, 2 + rng_below(r, 2), endings[c]);
    }
    v->name = invent(a, r, 3, "ology");
    v->query = v->name;
    for (size_t i = 0; i < 4; i++)
        v->query = join(a, v->query, v->lists[WORDS_THING].items[i]);
}

/* ---- public -------------------------------------------------------------- */

struct words *words_new(uint32_t topics, uint64_t seed)
{
    struct words *w = MEM_NEW(struct words);
    struct rng root;

    rng_init(&root, seed);
    arena_init(&w->memory, ARENA_MAX);
    w->topics = topics < WORDS_MAX_TOPICS ? topics : WORDS_MAX_TOPICS;
    w->of = mem_zero(w->topics + 1, sizeof *w->of);
    load(&w->general, &w->memory, &words_general);
    for (uint32_t t = 0; t < w->topics; t++) {
        struct rng own = rng_fork(&root, t);

        if (t < ARRAY_LEN(words_sources))
            load(&w->of[t], &w->memory, &words_sources[t]);
        else
            invent_all(&w->of[t], &w->memory, &own);
    }
    return w;
}

void words_free(struct words *w)
{
    if (w == NULL)
        return;
    arena_free(&w->memory);
    free(w->of);
    free(w);
}

static const struct vocabulary *of(const struct words *w, uint32_t topic)
{
    return topic < w->topics ? &w->of[topic] : &w->general;
}

uint32_t words_topics(const struct words *w)
{
    return w->topics;
}

struct str words_name(const struct words *w, uint32_t topic)
{
    return of(w, topic)->name;
}

struct str words_query(const struct words *w, uint32_t topic)
{
    return of(w, topic)->query;
}

struct str words_draw(const struct words *w, uint32_t topic, enum words_class c, struct rng *r)
{
    const struct word_list *l = &of(w, topic)->lists[c];
    double u = rng_unit(r);

    return l->items[(size_t)((double)l->count * u * sqrt(u))];
}

struct str words_at(const struct words *w, uint32_t topic, enum words_class c, size_t i)
{
    const struct word_list *l = &of(w, topic)->lists[c];

    return l->items[i % l->count];
}
