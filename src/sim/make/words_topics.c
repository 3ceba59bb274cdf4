/* words_topics.c - the vocabularies of the themed topics: data only.
 *
 * In: nothing. Out: one table row a topic, read by words.c. A row holds a name,
 * the few words a person would type to find it, and four lists by the place a
 * word can take in a sentence: things (they have a plural), stuff (they have
 * none), deeds (verbs in the past tense that take an object) and kinds
 * (adjectives). Order matters: words at the front of a list are drawn more
 * often (words.c), as in real text. Lists of neighbouring subjects overlap on
 * purpose (harbour, oven, ridge), so that words alone never decide quite.
 *
 * SPDX-License-Identifier: MIT
 */
#include "sim/make/words_int.h"

const struct words_source words_sources[WORDS_THEMES] = {
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
