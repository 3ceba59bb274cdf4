/* entities_table.h - made by tools/make-entities; do not edit.
 * SPDX-License-Identifier: MIT */
/* clang-format off */
#define ENTITY_SLOTS 4096
#define ENTITY_NAME_MAX 31
#define ENTITY_BARE_MAX 6

static const char entity_names[] =
    "AEligAMPAacuteAbreveAcircAcyAfrAgraveAlphaAmacrAndAogonAopfApplyFunctionAringAscrAssignA"
    "tildeAumlBackslashBarvBarwedBcyBecauseBernoullisBetaBfrBopfBreveBscrBumpeqCHcyCOPYCacute"
    "CapCapitalDifferentialDCayleysCcaronCcedilCcircCconintCdotCedillaCenterDotCfrChiCircleDo"
    "tCircleMinusCirclePlusCircleTimesClockwiseContourIntegralCloseCurlyDoubleQuoteCloseCurly"
    "QuoteColonColoneCongruentConintContourIntegralCopfCoproductCounterClockwiseContourIntegr"
    "alCrossCscrCupCupCapDDDDotrahdDJcyDScyDZcyDaggerDarrDashvDcaronDcyDelDeltaDfrDiacritical"
    "AcuteDiacriticalDotDiacriticalDoubleAcuteDiacriticalGraveDiacriticalTildeDiamondDifferen"
    "tialDDopfDotDotDotDotEqualDoubleContourIntegralDoubleDotDoubleDownArrowDoubleLeftArrowDo"
    "ubleLeftRightArrowDoubleLeftTeeDoubleLongLeftArrowDoubleLongLeftRightArrowDoubleLongRigh"
    "tArrowDoubleRightArrowDoubleRightTeeDoubleUpArrowDoubleUpDownArrowDoubleVerticalBarDownA"
    "rrowDownArrowBarDownArrowUpArrowDownBreveDownLeftRightVectorDownLeftTeeVectorDownLeftVec"
    "torDownLeftVectorBarDownRightTeeVectorDownRightVectorDownRightVectorBarDownTeeDownTeeArr"
    "owDownarrowDscrDstrokENGETHEacuteEcaronEcircEcyEdotEfrEgraveElementEmacrEmptySmallSquare"
    "EmptyVerySmallSquareEogonEopfEpsilonEqualEqualTildeEquilibriumEscrEsimEtaEumlExistsExpon"
    "entialEFcyFfrFilledSmallSquareFilledVerySmallSquareFopfForAllFouriertrfFscrGJcyGTGammaGa"
    "mmadGbreveGcedilGcircGcyGdotGfrGgGopfGreaterEqualGreaterEqualLessGreaterFullEqualGreater"
    "GreaterGreaterLessGreaterSlantEqualGreaterTildeGscrGtHARDcyHacekHatHcircHfrHilbertSpaceH"
    "opfHorizontalLineHscrHstrokHumpDownHumpHumpEqualIEcyIJligIOcyIacuteIcircIcyIdotIfrIgrave"
    "ImImacrImaginaryIImpliesIntIntegralIntersectionInvisibleCommaInvisibleTimesIogonIopfIota"
    "IscrItildeIukcyIumlJcircJcyJfrJopfJscrJsercyJukcyKHcyKJcyKappaKcedilKcyKfrKopfKscrLJcyLT"
    "LacuteLambdaLangLaplacetrfLarrLcaronLcedilLcyLeftAngleBracketLeftArrowLeftArrowBarLeftAr"
    "rowRightArrowLeftCeilingLeftDoubleBracketLeftDownTeeVectorLeftDownVectorLeftDownVectorBa"
    "rLeftFloorLeftRightArrowLeftRightVectorLeftTeeLeftTeeArrowLeftTeeVectorLeftTriangleLeftT"
    "riangleBarLeftTriangleEqualLeftUpDownVectorLeftUpTeeVectorLeftUpVectorLeftUpVectorBarLef"
    "tVectorLeftVectorBarLeftarrowLeftrightarrowLessEqualGreaterLessFullEqualLessGreaterLessL"
    "essLessSlantEqualLessTildeLfrLlLleftarrowLmidotLongLeftArrowLongLeftRightArrowLongRightA"
    "rrowLongleftarrowLongleftrightarrowLongrightarrowLopfLowerLeftArrowLowerRightArrowLscrLs"
    "hLstrokLtMapMcyMediumSpaceMellintrfMfrMinusPlusMopfMscrMuNJcyNacuteNcaronNcedilNcyNegati"
    "veMediumSpaceNegativeThickSpaceNegativeThinSpaceNegativeVeryThinSpaceNestedGreaterGreate"
    "rNestedLessLessNewLineNfrNoBreakNonBreakingSpaceNopfNotNotCongruentNotCupCapNotDoubleVer"
    "ticalBarNotElementNotEqualNotEqualTildeNotExistsNotGreaterNotGreaterEqualNotGreaterFullE"
    "qualNotGreaterGreaterNotGreaterLessNotGreaterSlantEqualNotGreaterTildeNotHumpDownHumpNot"
    "HumpEqualNotLeftTriangleNotLeftTriangleBarNotLeftTriangleEqualNotLessNotLessEqualNotLess"
    "GreaterNotLessLessNotLessSlantEqualNotLessTildeNotNestedGreaterGreaterNotNestedLessLessN"
    "otPrecedesNotPrecedesEqualNotPrecedesSlantEqualNotReverseElementNotRightTriangleNotRight"
    "TriangleBarNotRightTriangleEqualNotSquareSubsetNotSquareSubsetEqualNotSquareSupersetNotS"
    "quareSupersetEqualNotSubsetNotSubsetEqualNotSucceedsNotSucceedsEqualNotSucceedsSlantEqua"
    "lNotSucceedsTildeNotSupersetNotSupersetEqualNotTildeNotTildeEqualNotTildeFullEqualNotTil"
    "deTildeNotVerticalBarNscrNtildeNuOEligOacuteOcircOcyOdblacOfrOgraveOmacrOmegaOmicronOopf"
    "OpenCurlyDoubleQuoteOpenCurlyQuoteOrOscrOslashOtildeOtimesOumlOverBarOverBraceOverBracke"
    "tOverParenthesisPartialDPcyPfrPhiPiPlusMinusPoincareplanePopfPrPrecedesPrecedesEqualPrec"
    "edesSlantEqualPrecedesTildePrimeProductProportionProportionalPscrPsiQUOTQfrQopfQscrRBarr"
    "REGRacuteRangRarrRarrtlRcaronRcedilRcyReReverseElementReverseEquilibriumReverseUpEquilib"
    "riumRfrRhoRightAngleBracketRightArrowRightArrowBarRightArrowLeftArrowRightCeilingRightDo"
    "ubleBracketRightDownTeeVectorRightDownVectorRightDownVectorBarRightFloorRightTeeRightTee"
    "ArrowRightTeeVectorRightTriangleRightTriangleBarRightTriangleEqualRightUpDownVectorRight"
    "UpTeeVectorRightUpVectorRightUpVectorBarRightVectorRightVectorBarRightarrowRopfRoundImpl"
    "iesRrightarrowRscrRshRuleDelayedSHCHcySHcySOFTcySacuteScScaronScedilScircScySfrShortDown"
    "ArrowShortLeftArrowShortRightArrowShortUpArrowSigmaSmallCircleSopfSqrtSquareSquareInters"
    "ectionSquareSubsetSquareSubsetEqualSquareSupersetSquareSupersetEqualSquareUnionSscrStarS"
    "ubSubsetSubsetEqualSucceedsSucceedsEqualSucceedsSlantEqualSucceedsTildeSuchThatSumSupSup"
    "ersetSupersetEqualSupsetTHORNTRADETSHcyTScyTabTauTcaronTcedilTcyTfrThereforeThetaThickSp"
    "aceThinSpaceTildeTildeEqualTildeFullEqualTildeTildeTopfTripleDotTscrTstrokUacuteUarrUarr"
    "ocirUbrcyUbreveUcircUcyUdblacUfrUgraveUmacrUnderBarUnderBraceUnderBracketUnderParenthesi"
    "sUnionUnionPlusUogonUopfUpArrowUpArrowBarUpArrowDownArrowUpDownArrowUpEquilibriumUpTeeUp"
    "TeeArrowUparrowUpdownarrowUpperLeftArrowUpperRightArrowUpsiUpsilonUringUscrUtildeUumlVDa"
    "shVbarVcyVdashVdashlVeeVerbarVertVerticalBarVerticalLineVerticalSeparatorVerticalTildeVe"
    "ryThinSpaceVfrVopfVscrVvdashWcircWedgeWfrWopfWscrXfrXiXopfXscrYAcyYIcyYUcyYacuteYcircYcy"
    "YfrYopfYscrYumlZHcyZacuteZcaronZcyZdotZeroWidthSpaceZetaZfrZopfZscraacuteabreveacacEacda"
    "circacuteacyaeligafafragravealefsymalephalphaamacramalgampandandandanddandslopeandvangan"
    "geangleangmsdangmsdaaangmsdabangmsdacangmsdadangmsdaeangmsdafangmsdagangmsdahangrtangrtv"
    "bangrtvbdangsphangstangzarraogonaopfapapEapacirapeapidaposapproxapproxeqaringascrastasym"
    "pasympeqatildeaumlawconintawintbNotbackcongbackepsilonbackprimebacksimbacksimeqbarveebar"
    "wedbarwedgebbrkbbrktbrkbcongbcybdquobecausbecausebemptyvbepsibernoubetabethbetweenbfrbig"
    "capbigcircbigcupbigodotbigoplusbigotimesbigsqcupbigstarbigtriangledownbigtriangleupbigup"
    "lusbigveebigwedgebkarowblacklozengeblacksquareblacktriangleblacktriangledownblacktriangl"
    "eleftblacktrianglerightblankblk12blk14blk34blockbnebnequivbnotbopfbotbottombowtieboxDLbo"
    "xDRboxDlboxDrboxHboxHDboxHUboxHdboxHuboxULboxURboxUlboxUrboxVboxVHboxVLboxVRboxVhboxVlbo"
    "xVrboxboxboxdLboxdRboxdlboxdrboxhboxhDboxhUboxhdboxhuboxminusboxplusboxtimesboxuLboxuRbo"
    "xulboxurboxvboxvHboxvLboxvRboxvhboxvlboxvrbprimebrevebrvbarbscrbsemibsimbsimebsolbsolbbs"
    "olhsubbullbulletbumpbumpEbumpebumpeqcacutecapcapandcapbrcupcapcapcapcupcapdotcapscaretca"
    "ronccapsccaronccedilccircccupsccupssmcdotcedilcemptyvcentcenterdotcfrchcycheckcheckmarkc"
    "hicircirEcirccirceqcirclearrowleftcirclearrowrightcircledRcircledScircledastcircledcircc"
    "ircleddashcirecirfnintcirmidcirscirclubsclubsuitcoloncolonecoloneqcommacommatcompcompfnc"
    "omplementcomplexescongcongdotconintcopfcoprodcopycopysrcrarrcrosscscrcsubcsubecsupcsupec"
    "tdotcudarrlcudarrrcueprcuesccularrcularrpcupcupbrcapcupcapcupcupcupdotcuporcupscurarrcur"
    "arrmcurlyeqpreccurlyeqsucccurlyveecurlywedgecurrencurvearrowleftcurvearrowrightcuveecuwe"
    "dcwconintcwintcylctydArrdHardaggerdalethdarrdashdashvdbkarowdblacdcarondcyddddaggerddarr"
    "ddotseqdegdeltademptyvdfishtdfrdharldharrdiamdiamonddiamondsuitdiamsdiedigammadisindivdi"
    "videdivideontimesdivonxdjcydlcorndlcropdollardopfdotdoteqdoteqdotdotminusdotplusdotsquar"
    "edoublebarwedgedownarrowdowndownarrowsdownharpoonleftdownharpoonrightdrbkarowdrcorndrcro"
    "pdscrdscydsoldstrokdtdotdtridtrifduarrduhardwangledzcydzigrarreDDoteDoteacuteeasterecaro"
    "necirecircecolonecyedoteeefDotefregegraveegsegsdotelelintersellelselsdotemacremptyemptys"
    "etemptyvemspemsp13emsp14engenspeogoneopfepareparsleplusepsiepsilonepsiveqcirceqcoloneqsi"
    "meqslantgtreqslantlessequalsequestequivequivDDeqvparslerDoterarrescresdotesimetaetheumle"
    "uroexclexistexpectationexponentialefallingdotseqfcyfemaleffiligffligfflligffrfiligfjligf"
    "latflligfltnsfnoffopfforallforkforkvfpartintfrac12frac13frac14frac15frac16frac18frac23fr"
    "ac25frac34frac35frac38frac45frac56frac58frac78fraslfrownfscrgEgElgacutegammagammadgapgbr"
    "evegcircgcygdotgegelgeqgeqqgeqslantgesgesccgesdotgesdotogesdotolgeslgeslesgfrggggggimelg"
    "jcyglglEglagljgnEgnapgnapproxgnegneqgneqqgnsimgopfgravegscrgsimgsimegsimlgtgtccgtcirgtdo"
    "tgtlPargtquestgtrapproxgtrarrgtrdotgtreqlessgtreqqlessgtrlessgtrsimgvertneqqgvnEhArrhair"
    "sphalfhamilthardcyharrharrcirharrwhbarhcircheartsheartsuithellipherconhfrhksearowhkswaro"
    "whoarrhomththookleftarrowhookrightarrowhopfhorbarhscrhslashhstrokhybullhypheniacuteicici"
    "rcicyiecyiexcliffifrigraveiiiiiintiiintiinfiniiotaijligimacrimageimaglineimagpartimathim"
    "ofimpedinincareinfininfintieinodotintintcalintegersintercalintlarhkintprodiocyiogoniopfi"
    "otaiprodiquestiscrisinisinEisindotisinsisinsvisinvititildeiukcyiumljcircjcyjfrjmathjopfj"
    "scrjsercyjukcykappakappavkcedilkcykfrkgreenkhcykjcykopfkscrlAarrlArrlAtaillBarrlElEglHar"
    "lacutelaemptyvlagranlambdalanglangdlanglelaplaquolarrlarrblarrbfslarrfslarrhklarrlplarrp"
    "llarrsimlarrtllatlataillatelateslbarrlbbrklbracelbracklbrkelbrksldlbrkslulcaronlcedillce"
    "illcublcyldcaldquoldquorldrdharldrusharldshleleftarrowleftarrowtailleftharpoondownleftha"
    "rpoonupleftleftarrowsleftrightarrowleftrightarrowsleftrightharpoonsleftrightsquigarrowle"
    "ftthreetimeslegleqleqqleqslantleslescclesdotlesdotolesdotorlesglesgeslessapproxlessdotle"
    "sseqgtrlesseqqgtrlessgtrlesssimlfishtlfloorlfrlglgElhardlharulharullhblkljcyllllarrllcor"
    "nerllhardlltrilmidotlmoustlmoustachelnElnaplnapproxlnelneqlneqqlnsimloangloarrlobrklongl"
    "eftarrowlongleftrightarrowlongmapstolongrightarrowlooparrowleftlooparrowrightloparlopflo"
    "pluslotimeslowastlowbarlozlozengelozflparlparltlrarrlrcornerlrharlrhardlrmlrtrilsaquolsc"
    "rlshlsimlsimelsimglsqblsquolsquorlstrokltltccltcirltdotlthreeltimesltlarrltquestltrParlt"
    "riltrieltriflurdsharluruharlvertneqqlvnEmDDotmacrmalemaltmaltesemapmapstomapstodownmapst"
    "oleftmapstoupmarkermcommamcymdashmeasuredanglemfrmhomicromidmidastmidcirmiddotminusminus"
    "bminusdminusdumlcpmldrmnplusmodelsmopfmpmscrmstposmumultimapmumapnGgnGtnGtvnLeftarrownLe"
    "ftrightarrownLlnLtnLtvnRightarrownVDashnVdashnablanacutenangnapnapEnapidnaposnapproxnatu"
    "rnaturalnaturalsnbspnbumpnbumpencapncaronncedilncongncongdotncupncyndashneneArrnearhknea"
    "rrnearrownedotnequivnesearnesimnexistnexistsnfrngEngengeqngeqqngeqslantngesngsimngtngtrn"
    "hArrnharrnhparninisnisdnivnjcynlArrnlEnlarrnldrnlenleftarrownleftrightarrownleqnleqqnleq"
    "slantnlesnlessnlsimnltnltrinltrienmidnopfnotnotinnotinEnotindotnotinvanotinvbnotinvcnotn"
    "inotnivanotnivbnotnivcnparnparallelnparslnpartnpolintnprnprcuenprenprecnpreceqnrArrnrarr"
    "nrarrcnrarrwnrightarrownrtrinrtrienscnsccuenscenscrnshortmidnshortparallelnsimnsimensime"
    "qnsmidnsparnsqsubensqsupensubnsubEnsubensubsetnsubseteqnsubseteqqnsuccnsucceqnsupnsupEns"
    "upensupsetnsupseteqnsupseteqqntglntildentlgntriangleleftntrianglelefteqntrianglerightntr"
    "ianglerighteqnunumnumeronumspnvDashnvHarrnvapnvdashnvgenvgtnvinfinnvlArrnvlenvltnvltrien"
    "vrArrnvrtrienvsimnwArrnwarhknwarrnwarrownwnearoSoacuteoastocirocircocyodashodblacodivodo"
    "todsoldoeligofcirofrogonograveogtohbarohmointolarrolcirolcrossolineoltomacromegaomicrono"
    "midominusoopfoparoperpoplusororarrordorderorderofordfordmorigoforororslopeorvoscroslasho"
    "solotildeotimesotimesasoumlovbarparparaparallelparsimparslpartpcypercntperiodpermilperpp"
    "ertenkpfrphiphivphmmatphonepipitchforkpivplanckplanckhplankvplusplusacirplusbpluscirplus"
    "doplusdupluseplusmnplussimplustwopmpointintpopfpoundprprEprapprcuepreprecprecapproxprecc"
    "urlyeqpreceqprecnapproxprecneqqprecnsimprecsimprimeprimesprnEprnapprnsimprodprofalarprof"
    "lineprofsurfpropproptoprsimprurelpscrpsipuncspqfrqintqopfqprimeqscrquaternionsquatintque"
    "stquesteqquotrAarrrArrrAtailrBarrrHarraceracuteradicraemptyvrangrangdrangerangleraquorar"
    "rrarraprarrbrarrbfsrarrcrarrfsrarrhkrarrlprarrplrarrsimrarrtlrarrwratailratiorationalsrb"
    "arrrbbrkrbracerbrackrbrkerbrksldrbrkslurcaronrcedilrceilrcubrcyrdcardldharrdquordquorrds"
    "hrealrealinerealpartrealsrectregrfishtrfloorrfrrhardrharurharulrhorhovrightarrowrightarr"
    "owtailrightharpoondownrightharpoonuprightleftarrowsrightleftharpoonsrightrightarrowsrigh"
    "tsquigarrowrightthreetimesringrisingdotseqrlarrrlharrlmrmoustrmoustachernmidroangroarrro"
    "brkroparropfroplusrotimesrparrpargtrppolintrrarrrsaquorscrrshrsqbrsquorsquorrthreertimes"
    "rtrirtriertrifrtriltriruluharrxsacutesbquoscscEscapscaronsccuescescedilscircscnEscnapscn"
    "simscpolintscsimscysdotsdotbsdoteseArrsearhksearrsearrowsectsemiseswarsetminussetmnsexts"
    "frsfrownsharpshchcyshcyshortmidshortparallelshysigmasigmafsigmavsimsimdotsimesimeqsimgsi"
    "mgEsimlsimlEsimnesimplussimrarrslarrsmallsetminussmashpsmeparslsmidsmilesmtsmtesmtessoft"
    "cysolsolbsolbarsopfspadesspadesuitsparsqcapsqcapssqcupsqcupssqsubsqsubesqsubsetsqsubsete"
    "qsqsupsqsupesqsupsetsqsupseteqsqusquaresquarfsqufsrarrsscrssetmnssmilesstarfstarstarfstr"
    "aightepsilonstraightphistrnssubsubEsubdotsubesubedotsubmultsubnEsubnesubplussubrarrsubse"
    "tsubseteqsubseteqqsubsetneqsubsetneqqsubsimsubsubsubsupsuccsuccapproxsucccurlyeqsucceqsu"
    "ccnapproxsuccneqqsuccnsimsuccsimsumsungsupsup1sup2sup3supEsupdotsupdsubsupesupedotsuphso"
    "lsuphsubsuplarrsupmultsupnEsupnesupplussupsetsupseteqsupseteqqsupsetneqsupsetneqqsupsims"
    "upsubsupsupswArrswarhkswarrswarrowswnwarszligtargettautbrktcarontcediltcytdottelrectfrth"
    "ere4thereforethetathetasymthetavthickapproxthicksimthinspthkapthksimthorntildetimestimes"
    "btimesbartimesdtinttoeatoptopbottopcirtopftopforktosatprimetradetriangletriangledowntria"
    "nglelefttrianglelefteqtriangleqtrianglerighttrianglerighteqtridottrietriminustriplustris"
    "btritimetrpeziumtscrtscytshcytstroktwixttwoheadleftarrowtwoheadrightarrowuArruHaruacuteu"
    "arrubrcyubreveucircucyudarrudblacudharufishtufrugraveuharluharruhblkulcornulcornerulcrop"
    "ultriumacrumluogonuopfuparrowupdownarrowupharpoonleftupharpoonrightuplusupsiupsihupsilon"
    "upuparrowsurcornurcornerurcropuringurtriuscrutdotutildeutriutrifuuarruumluwanglevArrvBar"
    "vBarvvDashvangrtvarepsilonvarkappavarnothingvarphivarpivarproptovarrvarrhovarsigmavarsub"
    "setneqvarsubsetneqqvarsupsetneqvarsupsetneqqvarthetavartriangleleftvartrianglerightvcyvd"
    "ashveeveebarveeeqvellipverbarvertvfrvltrivnsubvnsupvopfvpropvrtrivscrvsubnEvsubnevsupnEv"
    "supnevzigzagwcircwedbarwedgewedgeqweierpwfrwopfwpwrwreathwscrxcapxcircxcupxdtrixfrxhArrx"
    "harrxixlArrxlarrxmapxnisxodotxopfxoplusxotimexrArrxrarrxscrxsqcupxuplusxutrixveexwedgeya"
    "cuteyacyycircycyyenyfryicyyopfyscryucyyumlzacutezcaronzcyzdotzeetrfzetazfrzhcyzigrarrzop"
    "fzscrzwjzwnj"
    ;

static const char entity_values[] =
    "\303\206&\303\201\304\202\303\202\320\220\360\235\224\204\303\200\316\221\304\200\342\251\223\304\204\360\235\224\270\342\201\241\303\205\360\235\222\234\342\211\224\303\203\303\204\342\210\226\342\253\247\342\214\206\320\221\342\210\265\342\204\254\316\222\360\235\224\205\360\235\224\271\313\230\342\211\216\320\247\302\251\304\206\342\213\222\342"
    "\205\205\342\204\255\304\214\303\207\304\210\342\210\260\304\212\302\270\302\267\316\247\342\212\231\342\212\226\342\212\225\342\212\227\342\210\262\342\200\235\342\200\231\342\210\267\342\251\264\342\211\241\342\210\257\342\210\256\342\204\202\342\210\220\342\210\263\342\250\257\360\235\222\236\342\213\223\342\211\215\342\244\221\320\202\320\205\320"
    "\217\342\200\241\342\206\241\342\253\244\304\216\320\224\342\210\207\316\224\360\235\224\207\302\264\313\231\313\235`\313\234\342\213\204\342\205\206\360\235\224\273\302\250\342\203\234\342\211\220\342\207\223\342\207\220\342\207\224\342\237\270\342\237\272\342\237\271\342\207\222\342\212\250\342\207\221\342\207\225\342\210\245\342\206\223\342\244"
    "\223\342\207\265\314\221\342\245\220\342\245\236\342\206\275\342\245\226\342\245\237\342\207\201\342\245\227\342\212\244\342\206\247\360\235\222\237\304\220\305\212\303\220\303\211\304\232\303\212\320\255\304\226\360\235\224\210\303\210\342\210\210\304\222\342\227\273\342\226\253\304\230\360\235\224\274\316\225\342\251\265\342\211\202\342\207\214\342"
    "\204\260\342\251\263\316\227\303\213\342\210\203\342\205\207\320\244\360\235\224\211\342\227\274\342\226\252\360\235\224\275\342\210\200\342\204\261\320\203>\316\223\317\234\304\236\304\242\304\234\320\223\304\240\360\235\224\212\342\213\231\360\235\224\276\342\211\245\342\213\233\342\211\247\342\252\242\342\211\267\342\251\276\342\211\263\360\235"
    "\222\242\342\211\253\320\252\313\207^\304\244\342\204\214\342\204\213\342\204\215\342\224\200\304\246\342\211\217\320\225\304\262\320\201\303\215\303\216\320\230\304\260\342\204\221\303\214\304\252\342\205\210\342\210\254\342\210\253\342\213\202\342\201\243\342\201\242\304\256\360\235\225\200\316\231\342\204\220\304\250\320\206\303\217\304\264\320"
    "\231\360\235\224\215\360\235\225\201\360\235\222\245\320\210\320\204\320\245\320\214\316\232\304\266\320\232\360\235\224\216\360\235\225\202\360\235\222\246\320\211<\304\271\316\233\342\237\252\342\204\222\342\206\236\304\275\304\273\320\233\342\237\250\342\206\220\342\207\244\342\207\206\342\214\210\342\237\246\342\245\241\342\207\203\342\245\231"
    "\342\214\212\342\206\224\342\245\216\342\212\243\342\206\244\342\245\232\342\212\262\342\247\217\342\212\264\342\245\221\342\245\240\342\206\277\342\245\230\342\206\274\342\245\222\342\213\232\342\211\246\342\211\266\342\252\241\342\251\275\342\211\262\360\235\224\217\342\213\230\342\207\232\304\277\342\237\265\342\237\267\342\237\266\360\235\225\203"
    "\342\206\231\342\206\230\342\206\260\305\201\342\211\252\342\244\205\320\234\342\201\237\342\204\263\360\235\224\220\342\210\223\360\235\225\204\316\234\320\212\305\203\305\207\305\205\320\235\342\200\213\012\360\235\224\221\342\201\240\302\240\342\204\225\342\253\254\342\211\242\342\211\255\342\210\246\342\210\211\342\211\240\342\211\202\314\270\342"
    "\210\204\342\211\257\342\211\261\342\211\247\314\270\342\211\253\314\270\342\211\271\342\251\276\314\270\342\211\265\342\211\216\314\270\342\211\217\314\270\342\213\252\342\247\217\314\270\342\213\254\342\211\256\342\211\260\342\211\270\342\211\252\314\270\342\251\275\314\270\342\211\264\342\252\242\314\270\342\252\241\314\270\342\212\200\342\252\257"
    "\314\270\342\213\240\342\210\214\342\213\253\342\247\220\314\270\342\213\255\342\212\217\314\270\342\213\242\342\212\220\314\270\342\213\243\342\212\202\342\203\222\342\212\210\342\212\201\342\252\260\314\270\342\213\241\342\211\277\314\270\342\212\203\342\203\222\342\212\211\342\211\201\342\211\204\342\211\207\342\211\211\342\210\244\360\235\222\251"
    "\303\221\316\235\305\222\303\223\303\224\320\236\305\220\360\235\224\222\303\222\305\214\316\251\316\237\360\235\225\206\342\200\234\342\200\230\342\251\224\360\235\222\252\303\230\303\225\342\250\267\303\226\342\200\276\342\217\236\342\216\264\342\217\234\342\210\202\320\237\360\235\224\223\316\246\316\240\302\261\342\204\231\342\252\273\342\211\272"
    "\342\211\274\342\211\276\342\200\263\342\210\217\342\210\235\360\235\222\253\316\250\042\360\235\224\224\342\204\232\360\235\222\254\342\244\220\302\256\305\224\342\237\253\342\206\240\342\244\226\305\230\305\226\320\240\342\204\234\342\210\213\342\207\213\342\245\257\316\241\342\237\251\342\206\222\342\207\245\342\207\204\342\214\211\342\237\247\342"
    "\245\235\342\207\202\342\245\225\342\214\213\342\212\242\342\206\246\342\245\233\342\212\263\342\212\265\342\245\217\342\245\234\342\206\276\342\245\224\342\207\200\342\245\223\342\204\235\342\245\260\342\207\233\342\204\233\342\206\261\342\247\264\320\251\320\250\320\254\305\232\342\252\274\305\240\305\236\305\234\320\241\360\235\224\226\342\206\221"
    "\316\243\342\210\230\360\235\225\212\342\210\232\342\226\241\342\212\223\342\212\221\342\212\222\342\212\224\360\235\222\256\342\213\206\342\213\220\342\212\206\342\211\273\342\211\275\342\210\221\342\213\221\342\212\207\303\236\342\204\242\320\213\320\246\011\316\244\305\244\305\242\320\242\360\235\224\227\342\210\264\316\230\342\201\237\342\200\212"
    "\342\200\211\342\210\274\342\211\203\342\211\205\342\211\210\360\235\225\213\342\203\233\360\235\222\257\305\246\303\232\342\206\237\342\245\211\320\216\305\254\303\233\320\243\305\260\360\235\224\230\303\231\305\252_\342\217\237\342\216\265\342\217\235\342\213\203\342\212\216\305\262\360\235\225\214\342\244\222\342\207\205\342\206\225\342\245\256"
    "\342\212\245\342\206\245\342\206\226\342\206\227\317\222\316\245\305\256\360\235\222\260\305\250\303\234\342\212\253\342\253\253\320\222\342\212\251\342\253\246\342\213\201\342\200\226\342\210\243|\342\235\230\342\211\200\360\235\224\231\360\235\225\215\360\235\222\261\342\212\252\305\264\342\213\200\360\235\224\232\360\235\225\216\360\235\222\262"
    "\360\235\224\233\316\236\360\235\225\217\360\235\222\263\320\257\320\207\320\256\303\235\305\266\320\253\360\235\224\234\360\235\225\220\360\235\222\264\305\270\320\226\305\271\305\275\320\227\305\273\316\226\342\204\250\342\204\244\360\235\222\265\303\241\304\203\342\210\276\342\210\276\314\263\342\210\277\303\242\320\260\303\246\360\235\224\236\303"
    "\240\342\204\265\316\261\304\201\342\250\277\342\210\247\342\251\225\342\251\234\342\251\230\342\251\232\342\210\240\342\246\244\342\210\241\342\246\250\342\246\251\342\246\252\342\246\253\342\246\254\342\246\255\342\246\256\342\246\257\342\210\237\342\212\276\342\246\235\342\210\242\342\215\274\304\205\360\235\225\222\342\251\260\342\251\257\342\211"
    "\212\342\211\213'\303\245\360\235\222\266*\303\243\303\244\342\250\221\342\253\255\342\211\214\317\266\342\200\265\342\210\275\342\213\215\342\212\275\342\214\205\342\216\266\320\261\342\200\236\342\246\260\316\262\342\204\266\342\211\254\360\235\224\237\342\227\257\342\250\200\342\250\201\342\250\202\342\250\206\342\230\205\342\226\275\342\226"
    "\263\342\250\204\342\244\215\342\247\253\342\226\264\342\226\276\342\227\202\342\226\270\342\220\243\342\226\222\342\226\221\342\226\223\342\226\210=\342\203\245\342\211\241\342\203\245\342\214\220\360\235\225\223\342\213\210\342\225\227\342\225\224\342\225\226\342\225\223\342\225\220\342\225\246\342\225\251\342\225\244\342\225\247\342\225\235\342"
    "\225\232\342\225\234\342\225\231\342\225\221\342\225\254\342\225\243\342\225\240\342\225\253\342\225\242\342\225\237\342\247\211\342\225\225\342\225\222\342\224\220\342\224\214\342\225\245\342\225\250\342\224\254\342\224\264\342\212\237\342\212\236\342\212\240\342\225\233\342\225\230\342\224\230\342\224\224\342\224\202\342\225\252\342\225\241\342\225"
    "\236\342\224\274\342\224\244\342\224\234\302\246\360\235\222\267\342\201\217\134\342\247\205\342\237\210\342\200\242\342\252\256\304\207\342\210\251\342\251\204\342\251\211\342\251\213\342\251\207\342\251\200\342\210\251\357\270\200\342\201\201\342\251\215\304\215\303\247\304\211\342\251\214\342\251\220\304\213\342\246\262\302\242\360\235\224\240\321"
    "\207\342\234\223\317\207\342\227\213\342\247\203\313\206\342\211\227\342\206\272\342\206\273\342\223\210\342\212\233\342\212\232\342\212\235\342\250\220\342\253\257\342\247\202\342\231\243:,@\342\210\201\342\251\255\360\235\225\224\342\204\227\342\206\265\342\234\227\360\235\222\270\342\253\217\342\253\221\342\253\220\342\253\222\342\213\257"
    "\342\244\270\342\244\265\342\213\236\342\213\237\342\206\266\342\244\275\342\210\252\342\251\210\342\251\206\342\251\212\342\212\215\342\251\205\342\210\252\357\270\200\342\206\267\342\244\274\342\213\216\342\213\217\302\244\342\210\261\342\214\255\342\245\245\342\200\240\342\204\270\342\200\220\342\244\217\304\217\320\264\342\207\212\342\251\267\302"
    "\260\316\264\342\246\261\342\245\277\360\235\224\241\342\231\246\317\235\342\213\262\303\267\342\213\207\321\222\342\214\236\342\214\215$\360\235\225\225\342\211\221\342\210\270\342\210\224\342\212\241\342\214\237\342\214\214\360\235\222\271\321\225\342\247\266\304\221\342\213\261\342\226\277\342\246\246\321\237\342\237\277\303\251\342\251\256\304"
    "\233\342\211\226\303\252\342\211\225\321\215\304\227\342\211\222\360\235\224\242\342\252\232\303\250\342\252\226\342\252\230\342\252\231\342\217\247\342\204\223\342\252\225\342\252\227\304\223\342\210\205\342\200\203\342\200\204\342\200\205\305\213\342\200\202\304\231\360\235\225\226\342\213\225\342\247\243\342\251\261\316\265\317\265\342\211\237\342"
    "\251\270\342\247\245\342\211\223\342\245\261\342\204\257\316\267\303\260\303\253\342\202\254!\321\204\342\231\200\357\254\203\357\254\200\357\254\204\360\235\224\243\357\254\201fj\342\231\255\357\254\202\342\226\261\306\222\360\235\225\227\342\213\224\342\253\231\342\250\215\302\275\342\205\223\302\274\342\205\225\342\205\231\342\205\233\342"
    "\205\224\342\205\226\302\276\342\205\227\342\205\234\342\205\230\342\205\232\342\205\235\342\205\236\342\201\204\342\214\242\360\235\222\273\342\252\214\307\265\316\263\342\252\206\304\237\304\235\320\263\304\241\342\252\251\342\252\200\342\252\202\342\252\204\342\213\233\357\270\200\342\252\224\360\235\224\244\342\204\267\321\223\342\252\222\342\252"
    "\245\342\252\244\342\211\251\342\252\212\342\252\210\342\213\247\360\235\225\230\342\204\212\342\252\216\342\252\220\342\252\247\342\251\272\342\213\227\342\246\225\342\251\274\342\245\270\342\211\251\357\270\200\321\212\342\245\210\342\206\255\342\204\217\304\245\342\231\245\342\200\246\342\212\271\360\235\224\245\342\244\245\342\244\246\342\207\277"
    "\342\210\273\342\206\251\342\206\252\360\235\225\231\342\200\225\360\235\222\275\304\247\342\201\203\303\255\303\256\320\270\320\265\302\241\360\235\224\246\303\254\342\250\214\342\210\255\342\247\234\342\204\251\304\263\304\253\304\261\342\212\267\306\265\342\204\205\342\210\236\342\247\235\342\212\272\342\250\227\342\250\274\321\221\304\257\360\235"
    "\225\232\316\271\302\277\360\235\222\276\342\213\271\342\213\265\342\213\264\342\213\263\304\251\321\226\303\257\304\265\320\271\360\235\224\247\310\267\360\235\225\233\360\235\222\277\321\230\321\224\316\272\317\260\304\267\320\272\360\235\224\250\304\270\321\205\321\234\360\235\225\234\360\235\223\200\342\244\233\342\244\216\342\252\213\342\245\242"
    "\304\272\342\246\264\316\273\342\246\221\342\252\205\302\253\342\244\237\342\244\235\342\206\253\342\244\271\342\245\263\342\206\242\342\252\253\342\244\231\342\252\255\342\252\255\357\270\200\342\244\214\342\235\262{[\342\246\213\342\246\217\342\246\215\304\276\304\274\320\273\342\244\266\342\245\247\342\245\213\342\206\262\342\211\244\342\207"
    "\207\342\213\213\342\252\250\342\251\277\342\252\201\342\252\203\342\213\232\357\270\200\342\252\223\342\213\226\342\245\274\360\235\224\251\342\252\221\342\245\252\342\226\204\321\231\342\245\253\342\227\272\305\200\342\216\260\342\211\250\342\252\211\342\252\207\342\213\246\342\237\254\342\207\275\342\237\274\342\206\254\342\246\205\360\235\225\235"
    "\342\250\255\342\250\264\342\210\227\342\227\212(\342\246\223\342\245\255\342\200\216\342\212\277\342\200\271\360\235\223\201\342\252\215\342\252\217\342\200\232\305\202\342\252\246\342\251\271\342\213\211\342\245\266\342\251\273\342\246\226\342\227\203\342\245\212\342\245\246\342\211\250\357\270\200\342\210\272\302\257\342\231\202\342\234\240\342"
    "\226\256\342\250\251\320\274\342\200\224\360\235\224\252\342\204\247\302\265\342\253\260\342\210\222\342\250\252\342\253\233\342\212\247\360\235\225\236\360\235\223\202\316\274\342\212\270\342\213\231\314\270\342\211\253\342\203\222\342\207\215\342\207\216\342\213\230\314\270\342\211\252\342\203\222\342\207\217\342\212\257\342\212\256\305\204\342\210"
    "\240\342\203\222\342\251\260\314\270\342\211\213\314\270\305\211\342\231\256\342\251\203\305\210\305\206\342\251\255\314\270\342\251\202\320\275\342\200\223\342\207\227\342\244\244\342\211\220\314\270\342\244\250\360\235\224\253\342\206\256\342\253\262\342\213\274\342\213\272\321\232\342\211\246\314\270\342\206\232\342\200\245\360\235\225\237\302\254"
    "\342\213\271\314\270\342\213\265\314\270\342\213\267\342\213\266\342\213\276\342\213\275\342\253\275\342\203\245\342\210\202\314\270\342\250\224\342\206\233\342\244\263\314\270\342\206\235\314\270\360\235\223\203\342\212\204\342\253\205\314\270\342\212\205\342\253\206\314\270\303\261\316\275#\342\204\226\342\200\207\342\212\255\342\244\204\342\211"
    "\215\342\203\222\342\212\254\342\211\245\342\203\222>\342\203\222\342\247\236\342\244\202\342\211\244\342\203\222<\342\203\222\342\212\264\342\203\222\342\244\203\342\212\265\342\203\222\342\210\274\342\203\222\342\207\226\342\244\243\342\244\247\303\263\303\264\320\276\305\221\342\250\270\342\246\274\305\223\342\246\277\360\235\224\254\313\233"
    "\303\262\342\247\201\342\246\265\342\246\276\342\246\273\342\247\200\305\215\317\211\316\277\342\246\266\360\235\225\240\342\246\267\342\246\271\342\210\250\342\251\235\342\204\264\302\252\302\272\342\212\266\342\251\226\342\251\227\342\251\233\303\270\342\212\230\303\265\342\250\266\303\266\342\214\275\302\266\342\253\263\320\277%.\342\200\260"
    "\342\200\261\360\235\224\255\317\206\317\225\342\230\216\317\200\317\226\342\204\216+\342\250\243\342\250\242\342\250\245\342\251\262\342\250\246\342\250\247\342\250\225\360\235\225\241\302\243\342\252\263\342\252\267\342\252\271\342\252\265\342\213\250\342\200\262\342\214\256\342\214\222\342\214\223\342\212\260\360\235\223\205\317\210\342\200\210"
    "\360\235\224\256\360\235\225\242\342\201\227\360\235\223\206\342\250\226\077\342\244\234\342\245\244\342\210\275\314\261\305\225\342\246\263\342\246\222\342\246\245\302\273\342\245\265\342\244\240\342\244\236\342\245\205\342\245\264\342\206\243\342\244\232\342\210\266\342\235\263}]\342\246\214\342\246\216\342\246\220\305\231\305\227\321\200\342"
    "\244\267\342\245\251\342\206\263\342\226\255\342\245\275\360\235\224\257\342\245\254\317\201\317\261\342\207\211\342\213\214\313\232\342\200\217\342\216\261\342\253\256\342\237\255\342\207\276\342\246\206\360\235\225\243\342\250\256\342\250\265)\342\246\224\342\250\222\342\200\272\360\235\223\207\342\213\212\342\226\271\342\247\216\342\245\250\342"
    "\204\236\305\233\342\252\264\342\252\270\305\241\305\237\305\235\342\252\266\342\252\272\342\213\251\342\250\223\321\201\342\213\205\342\251\246\342\207\230\302\247;\342\244\251\342\234\266\360\235\224\260\342\231\257\321\211\321\210\302\255\317\203\317\202\342\251\252\342\252\236\342\252\240\342\252\235\342\252\237\342\211\206\342\250\244\342\245"
    "\262\342\250\263\342\247\244\342\214\243\342\252\252\342\252\254\342\252\254\357\270\200\321\214/\342\247\204\342\214\277\360\235\225\244\342\231\240\342\212\223\357\270\200\342\212\224\357\270\200\360\235\223\210\342\230\206\342\252\275\342\253\203\342\253\201\342\253\213\342\212\212\342\252\277\342\245\271\342\253\207\342\253\225\342\253\223\342"
    "\231\252\302\271\302\262\302\263\342\252\276\342\253\230\342\253\204\342\237\211\342\253\227\342\245\273\342\253\202\342\253\214\342\212\213\342\253\200\342\253\210\342\253\224\342\253\226\342\207\231\342\244\252\303\237\342\214\226\317\204\305\245\305\243\321\202\342\214\225\360\235\224\261\316\270\317\221\303\276\303\227\342\250\261\342\250\260\342"
    "\214\266\342\253\261\360\235\225\245\342\253\232\342\200\264\342\226\265\342\211\234\342\227\254\342\250\272\342\250\271\342\247\215\342\250\273\342\217\242\360\235\223\211\321\206\321\233\305\247\342\245\243\303\272\321\236\305\255\303\273\321\203\305\261\342\245\276\360\235\224\262\303\271\342\226\200\342\214\234\342\214\217\342\227\270\305\253\305"
    "\263\360\235\225\246\317\205\342\207\210\342\214\235\342\214\216\305\257\342\227\271\360\235\223\212\342\213\260\305\251\303\274\342\246\247\342\253\250\342\253\251\342\246\234\342\212\212\357\270\200\342\253\213\357\270\200\342\212\213\357\270\200\342\253\214\357\270\200\320\262\342\212\273\342\211\232\342\213\256\360\235\224\263\360\235\225\247\360"
    "\235\223\213\342\246\232\305\265\342\251\237\342\211\231\342\204\230\360\235\224\264\360\235\225\250\360\235\223\214\360\235\224\265\316\276\342\213\273\360\235\225\251\360\235\223\215\303\275\321\217\305\267\321\213\302\245\360\235\224\266\321\227\360\235\225\252\360\235\223\216\321\216\303\277\305\272\305\276\320\267\305\274\316\266\360\235\224\267"
    "\320\266\342\207\235\360\235\225\253\360\235\223\217\342\200\215\342\200\214"
    ;

static const struct entity entities[] = {
    {0,0,5,2,1}, {5,2,3,1,1}, {8,3,6,2,1}, {14,5,6,2,0}, {20,7,5,2,1}, {25,9,3,2,0},
    {28,11,3,4,0}, {31,15,6,2,1}, {37,17,5,2,0}, {42,19,5,2,0}, {47,21,3,3,0}, {50,24,5,2,0},
    {55,26,4,4,0}, {59,30,13,3,0}, {72,33,5,2,1}, {77,35,4,4,0}, {81,39,6,3,0}, {87,42,6,2,1},
    {93,44,4,2,1}, {97,46,9,3,0}, {106,49,4,3,0}, {110,52,6,3,0}, {116,55,3,2,0}, {119,57,7,3,0},
    {126,60,10,3,0}, {136,63,4,2,0}, {140,65,3,4,0}, {143,69,4,4,0}, {147,73,5,2,0}, {152,60,4,3,0},
    {156,75,6,3,0}, {162,78,4,2,0}, {166,80,4,2,1}, {170,82,6,2,0}, {176,84,3,3,0}, {179,87,20,3,0},
    {199,90,7,3,0}, {206,93,6,2,0}, {212,95,6,2,1}, {218,97,5,2,0}, {223,99,7,3,0}, {230,102,4,2,0},
    {234,104,7,2,0}, {241,106,9,2,0}, {250,90,3,3,0}, {253,108,3,2,0}, {256,110,9,3,0}, {265,113,11,3,0},
    {276,116,10,3,0}, {286,119,11,3,0}, {297,122,24,3,0}, {321,125,21,3,0}, {342,128,15,3,0}, {357,131,5,3,0},
    {362,134,6,3,0}, {368,137,9,3,0}, {377,140,6,3,0}, {383,143,15,3,0}, {398,146,4,3,0}, {402,149,9,3,0},
    {411,152,31,3,0}, {442,155,5,3,0}, {447,158,4,4,0}, {451,162,3,3,0}, {454,165,6,3,0}, {460,87,2,3,0},
    {462,168,8,3,0}, {470,171,4,2,0}, {474,173,4,2,0}, {478,175,4,2,0}, {482,177,6,3,0}, {488,180,4,3,0},
    {492,183,5,3,0}, {497,186,6,2,0}, {503,188,3,2,0}, {506,190,3,3,0}, {509,193,5,2,0}, {514,195,3,4,0},
    {517,199,16,2,0}, {533,201,14,2,0}, {547,203,22,2,0}, {569,205,16,1,0}, {585,206,16,2,0}, {601,208,7,3,0},
    {608,211,13,3,0}, {621,214,4,4,0}, {625,218,3,2,0}, {628,220,6,3,0}, {634,223,8,3,0}, {642,140,21,3,0},
    {663,218,9,2,0}, {672,226,15,3,0}, {687,229,15,3,0}, {702,232,20,3,0}, {722,183,13,3,0}, {735,235,19,3,0},
    {754,238,24,3,0}, {778,241,20,3,0}, {798,244,16,3,0}, {814,247,14,3,0}, {828,250,13,3,0}, {841,253,17,3,0},
    {858,256,17,3,0}, {875,259,9,3,0}, {884,262,12,3,0}, {896,265,16,3,0}, {912,268,9,2,0}, {921,270,19,3,0},
    {940,273,17,3,0}, {957,276,14,3,0}, {971,279,17,3,0}, {988,282,18,3,0}, {1006,285,15,3,0}, {1021,288,18,3,0},
    {1039,291,7,3,0}, {1046,294,12,3,0}, {1058,226,9,3,0}, {1067,297,4,4,0}, {1071,301,6,2,0}, {1077,303,3,2,0},
    {1080,305,3,2,1}, {1083,307,6,2,1}, {1089,309,6,2,0}, {1095,311,5,2,1}, {1100,313,3,2,0}, {1103,315,4,2,0},
    {1107,317,3,4,0}, {1110,321,6,2,1}, {1116,323,7,3,0}, {1123,326,5,2,0}, {1128,328,16,3,0}, {1144,331,20,3,0},
    {1164,334,5,2,0}, {1169,336,4,4,0}, {1173,340,7,2,0}, {1180,342,5,3,0}, {1185,345,10,3,0}, {1195,348,11,3,0},
    {1206,351,4,3,0}, {1210,354,4,3,0}, {1214,357,3,2,0}, {1217,359,4,2,1}, {1221,361,6,3,0}, {1227,364,12,3,0},
    {1239,367,3,2,0}, {1242,369,3,4,0}, {1245,373,17,3,0}, {1262,376,21,3,0}, {1283,379,4,4,0}, {1287,383,6,3,0},
    {1293,386,10,3,0}, {1303,386,4,3,0}, {1307,389,4,2,0}, {1311,391,2,1,1}, {1313,392,5,2,0}, {1318,394,6,2,0},
    {1324,396,6,2,0}, {1330,398,6,2,0}, {1336,400,5,2,0}, {1341,402,3,2,0}, {1344,404,4,2,0}, {1348,406,3,4,0},
    {1351,410,2,3,0}, {1353,413,4,4,0}, {1357,417,12,3,0}, {1369,420,16,3,0}, {1385,423,16,3,0}, {1401,426,14,3,0},
    {1415,429,11,3,0}, {1426,432,17,3,0}, {1443,435,12,3,0}, {1455,438,4,4,0}, {1459,442,2,3,0}, {1461,445,6,2,0},
    {1467,447,5,2,0}, {1472,449,3,1,0}, {1475,450,5,2,0}, {1480,452,3,3,0}, {1483,455,12,3,0}, {1495,458,4,3,0},
    {1499,461,14,3,0}, {1513,455,4,3,0}, {1517,464,6,2,0}, {1523,75,12,3,0}, {1535,466,9,3,0}, {1544,469,4,2,0},
    {1548,471,5,2,0}, {1553,473,4,2,0}, {1557,475,6,2,1}, {1563,477,5,2,1}, {1568,479,3,2,0}, {1571,481,4,2,0},
    {1575,483,3,3,0}, {1578,486,6,2,1}, {1584,483,2,3,0}, {1586,488,5,2,0}, {1591,490,10,3,0}, {1601,244,7,3,0},
    {1608,493,3,3,0}, {1611,496,8,3,0}, {1619,499,12,3,0}, {1631,502,14,3,0}, {1645,505,14,3,0}, {1659,508,5,2,0},
    {1664,510,4,4,0}, {1668,514,4,2,0}, {1672,516,4,3,0}, {1676,519,6,2,0}, {1682,521,5,2,0}, {1687,523,4,2,1},
    {1691,525,5,2,0}, {1696,527,3,2,0}, {1699,529,3,4,0}, {1702,533,4,4,0}, {1706,537,4,4,0}, {1710,541,6,2,0},
    {1716,543,5,2,0}, {1721,545,4,2,0}, {1725,547,4,2,0}, {1729,549,5,2,0}, {1734,551,6,2,0}, {1740,553,3,2,0},
    {1743,555,3,4,0}, {1746,559,4,4,0}, {1750,563,4,4,0}, {1754,567,4,2,0}, {1758,569,2,1,1}, {1760,570,6,2,0},
    {1766,572,6,2,0}, {1772,574,4,3,0}, {1776,577,10,3,0}, {1786,580,4,3,0}, {1790,583,6,2,0}, {1796,585,6,2,0},
    {1802,587,3,2,0}, {1805,589,16,3,0}, {1821,592,9,3,0}, {1830,595,12,3,0}, {1842,598,19,3,0}, {1861,601,11,3,0},
    {1872,604,17,3,0}, {1889,607,17,3,0}, {1906,610,14,3,0}, {1920,613,17,3,0}, {1937,616,9,3,0}, {1946,619,14,3,0},
    {1960,622,15,3,0}, {1975,625,7,3,0}, {1982,628,12,3,0}, {1994,631,13,3,0}, {2007,634,12,3,0}, {2019,637,15,3,0},
    {2034,640,17,3,0}, {2051,643,16,3,0}, {2067,646,15,3,0}, {2082,649,12,3,0}, {2094,652,15,3,0}, {2109,655,10,3,0},
    {2119,658,13,3,0}, {2132,229,9,3,0}, {2141,232,14,3,0}, {2155,661,16,3,0}, {2171,664,13,3,0}, {2184,667,11,3,0},
    {2195,670,8,3,0}, {2203,673,14,3,0}, {2217,676,9,3,0}, {2226,679,3,4,0}, {2229,683,2,3,0}, {2231,686,10,3,0},
    {2241,689,6,2,0}, {2247,691,13,3,0}, {2260,694,18,3,0}, {2278,697,14,3,0}, {2292,235,13,3,0}, {2305,238,18,3,0},
    {2323,241,14,3,0}, {2337,700,4,4,0}, {2341,704,14,3,0}, {2355,707,15,3,0}, {2370,577,4,3,0}, {2374,710,3,3,0},
    {2377,713,6,2,0}, {2383,715,2,3,0}, {2385,718,3,3,0}, {2388,721,3,2,0}, {2391,723,11,3,0}, {2402,726,9,3,0},
    {2411,729,3,4,0}, {2414,733,9,3,0}, {2423,736,4,4,0}, {2427,726,4,3,0}, {2431,740,2,2,0}, {2433,742,4,2,0},
    {2437,744,6,2,0}, {2443,746,6,2,0}, {2449,748,6,2,0}, {2455,750,3,2,0}, {2458,752,19,3,0}, {2477,752,18,3,0},
    {2495,752,17,3,0}, {2512,752,21,3,0}, {2533,442,20,3,0}, {2553,715,14,3,0}, {2567,755,7,1,0}, {2574,756,3,4,0},
    {2577,760,7,3,0}, {2584,763,16,2,0}, {2600,765,4,3,0}, {2604,768,3,3,0}, {2607,771,12,3,0}, {2619,774,9,3,0},
    {2628,777,20,3,0}, {2648,780,10,3,0}, {2658,783,8,3,0}, {2666,786,13,5,0}, {2679,791,9,3,0}, {2688,794,10,3,0},
    {2698,797,15,3,0}, {2713,800,19,5,0}, {2732,805,17,5,0}, {2749,810,14,3,0}, {2763,813,20,5,0}, {2783,818,15,3,0},
    {2798,821,15,5,0}, {2813,826,12,5,0}, {2825,831,15,3,0}, {2840,834,18,5,0}, {2858,839,20,3,0}, {2878,842,7,3,0},
    {2885,845,12,3,0}, {2897,848,14,3,0}, {2911,851,11,5,0}, {2922,856,17,5,0}, {2939,861,12,3,0}, {2951,864,23,5,0},
    {2974,869,17,5,0}, {2991,874,11,3,0}, {3002,877,16,5,0}, {3018,882,21,3,0}, {3039,885,17,3,0}, {3056,888,16,3,0},
    {3072,891,19,5,0}, {3091,896,21,3,0}, {3112,899,15,5,0}, {3127,904,20,3,0}, {3147,907,17,5,0}, {3164,912,22,3,0},
    {3186,915,9,6,0}, {3195,921,14,3,0}, {3209,924,11,3,0}, {3220,927,16,5,0}, {3236,932,21,3,0}, {3257,935,16,5,0},
    {3273,940,11,6,0}, {3284,946,16,3,0}, {3300,949,8,3,0}, {3308,952,13,3,0}, {3321,955,17,3,0}, {3338,958,13,3,0},
    {3351,961,14,3,0}, {3365,964,4,4,0}, {3369,968,6,2,1}, {3375,970,2,2,0}, {3377,972,5,2,0}, {3382,974,6,2,1},
    {3388,976,5,2,1}, {3393,978,3,2,0}, {3396,980,6,2,0}, {3402,982,3,4,0}, {3405,986,6,2,1}, {3411,988,5,2,0},
    {3416,990,5,2,0}, {3421,992,7,2,0}, {3428,994,4,4,0}, {3432,998,20,3,0}, {3452,1001,14,3,0}, {3466,1004,2,3,0},
    {3468,1007,4,4,0}, {3472,1011,6,2,1}, {3478,1013,6,2,1}, {3484,1015,6,3,0}, {3490,1018,4,2,1}, {3494,1020,7,3,0},
    {3501,1023,9,3,0}, {3510,1026,11,3,0}, {3521,1029,15,3,0}, {3536,1032,8,3,0}, {3544,1035,3,2,0}, {3547,1037,3,4,0},
    {3550,1041,3,2,0}, {3553,1043,2,2,0}, {3555,1045,9,2,0}, {3564,452,13,3,0}, {3577,1047,4,3,0}, {3581,1050,2,3,0},
    {3583,1053,8,3,0}, {3591,877,13,3,0}, {3604,1056,18,3,0}, {3622,1059,13,3,0}, {3635,1062,5,3,0}, {3640,1065,7,3,0},
    {3647,131,10,3,0}, {3657,1068,12,3,0}, {3669,1071,4,4,0}, {3673,1075,3,2,0}, {3676,1077,4,1,1}, {3680,1078,3,4,0},
    {3683,1082,4,3,0}, {3687,1085,4,4,0}, {3691,1089,5,3,0}, {3696,1092,3,2,1}, {3699,1094,6,2,0}, {3705,1096,4,3,0},
    {3709,1099,4,3,0}, {3713,1102,6,3,0}, {3719,1105,6,2,0}, {3725,1107,6,2,0}, {3731,1109,3,2,0}, {3734,1111,2,3,0},
    {3736,1114,14,3,0}, {3750,1117,18,3,0}, {3768,1120,20,3,0}, {3788,1111,3,3,0}, {3791,1123,3,2,0}, {3794,1125,17,3,0},
    {3811,1128,10,3,0}, {3821,1131,13,3,0}, {3834,1134,19,3,0}, {3853,1137,12,3,0}, {3865,1140,18,3,0}, {3883,1143,18,3,0},
    {3901,1146,15,3,0}, {3916,1149,18,3,0}, {3934,1152,10,3,0}, {3944,1155,8,3,0}, {3952,1158,13,3,0}, {3965,1161,14,3,0},
    {3979,1164,13,3,0}, {3992,891,16,3,0}, {4008,1167,18,3,0}, {4026,1170,17,3,0}, {4043,1173,16,3,0}, {4059,1176,13,3,0},
    {4072,1179,16,3,0}, {4088,1182,11,3,0}, {4099,1185,14,3,0}, {4113,244,10,3,0}, {4123,1188,4,3,0}, {4127,1191,12,3,0},
    {4139,1194,11,3,0}, {4150,1197,4,3,0}, {4154,1200,3,3,0}, {4157,1203,11,3,0}, {4168,1206,6,2,0}, {4174,1208,4,2,0},
    {4178,1210,6,2,0}, {4184,1212,6,2,0}, {4190,1214,2,3,0}, {4192,1217,6,2,0}, {4198,1219,6,2,0}, {4204,1221,5,2,0},
    {4209,1223,3,2,0}, {4212,1225,3,4,0}, {4215,259,14,3,0}, {4229,592,14,3,0}, {4243,1128,15,3,0}, {4258,1229,12,3,0},
    {4270,1232,5,2,0}, {4275,1234,11,3,0}, {4286,1237,4,4,0}, {4290,1241,4,3,0}, {4294,1244,6,3,0}, {4300,1247,18,3,0},
    {4318,899,12,3,0}, {4330,1250,17,3,0}, {4347,907,14,3,0}, {4361,1253,19,3,0}, {4380,1256,11,3,0}, {4391,1259,4,4,0},
    {4395,1263,4,3,0}, {4399,1266,3,3,0}, {4402,1266,6,3,0}, {4408,1269,11,3,0}, {4419,1272,8,3,0}, {4427,927,13,3,0},
    {4440,1275,18,3,0}, {4458,935,13,3,0}, {4471,1114,8,3,0}, {4479,1278,3,3,0}, {4482,1281,3,3,0}, {4485,940,8,3,0},
    {4493,1284,13,3,0}, {4506,1281,6,3,0}, {4512,1287,5,2,1}, {4517,1289,5,3,0}, {4522,1292,5,2,0}, {4527,1294,4,2,0},
    {4531,1296,3,1,0}, {4534,1297,3,2,0}, {4537,1299,6,2,0}, {4543,1301,6,2,0}, {4549,1303,3,2,0}, {4552,1305,3,4,0},
    {4555,1309,9,3,0}, {4564,1312,5,2,0}, {4569,1314,10,6,0}, {4579,1320,9,3,0}, {4588,1323,5,3,0}, {4593,1326,10,3,0},
    {4603,1329,14,3,0}, {4617,1332,10,3,0}, {4627,1335,4,4,0}, {4631,1339,9,3,0}, {4640,1342,4,4,0}, {4644,1346,6,2,0},
    {4650,1348,6,2,1}, {4656,1350,4,3,0}, {4660,1353,8,3,0}, {4668,1356,5,2,0}, {4673,1358,6,2,0}, {4679,1360,5,2,1},
    {4684,1362,3,2,0}, {4687,1364,6,2,0}, {4693,1366,3,4,0}, {4696,1370,6,2,1}, {4702,1372,5,2,0}, {4707,1374,8,1,0},
    {4715,1375,10,3,0}, {4725,1378,12,3,0}, {4737,1381,16,3,0}, {4753,1384,5,3,0}, {4758,1387,9,3,0}, {4767,1390,5,2,0},
    {4772,1392,4,4,0}, {4776,1229,7,3,0}, {4783,1396,10,3,0}, {4793,1399,16,3,0}, {4809,1402,11,3,0}, {4820,1405,13,3,0},
    {4833,1408,5,3,0}, {4838,1411,10,3,0}, {4848,250,7,3,0}, {4855,253,11,3,0}, {4866,1414,14,3,0}, {4880,1417,15,3,0},
    {4895,1420,4,2,0}, {4899,1422,7,2,0}, {4906,1424,5,2,0}, {4911,1426,4,4,0}, {4915,1430,6,2,0}, {4921,1432,4,2,1},
    {4925,1434,5,3,0}, {4930,1437,4,3,0}, {4934,1440,3,2,0}, {4937,1442,5,3,0}, {4942,1445,6,3,0}, {4948,1448,3,3,0},
    {4951,1451,6,3,0}, {4957,1451,4,3,0}, {4961,1454,11,3,0}, {4972,1457,12,1,0}, {4984,1458,17,3,0}, {5001,1461,13,3,0},
    {5014,1317,13,3,0}, {5027,1464,3,4,0}, {5030,1468,4,4,0}, {5034,1472,4,4,0}, {5038,1476,6,3,0}, {5044,1479,5,2,0},
    {5049,1481,5,3,0}, {5054,1484,3,4,0}, {5057,1488,4,4,0}, {5061,1492,4,4,0}, {5065,1496,3,4,0}, {5068,1500,2,2,0},
    {5070,1502,4,4,0}, {5074,1506,4,4,0}, {5078,1510,4,2,0}, {5082,1512,4,2,0}, {5086,1514,4,2,0}, {5090,1516,6,2,1},
    {5096,1518,5,2,0}, {5101,1520,3,2,0}, {5104,1522,3,4,0}, {5107,1526,4,4,0}, {5111,1530,4,4,0}, {5115,1534,4,2,0},
    {5119,1536,4,2,0}, {5123,1538,6,2,0}, {5129,1540,6,2,0}, {5135,1542,3,2,0}, {5138,1544,4,2,0}, {5142,752,14,3,0},
    {5156,1546,4,2,0}, {5160,1548,3,3,0}, {5163,1551,4,3,0}, {5167,1554,4,4,0}, {5171,1558,6,2,1}, {5177,1560,6,2,0},
    {5183,1562,2,3,0}, {5185,1565,3,5,0}, {5188,1570,3,3,0}, {5191,1573,5,2,1}, {5196,199,5,2,1}, {5201,1575,3,2,0},
    {5204,1577,5,2,1}, {5209,30,2,3,0}, {5211,1579,3,4,0}, {5214,1583,6,2,1}, {5220,1585,7,3,0}, {5227,1585,5,3,0},
    {5232,1588,5,2,0}, {5237,1590,5,2,0}, {5242,1592,5,3,0}, {5247,2,3,1,1}, {5250,1595,3,3,0}, {5253,1598,6,3,0},
    {5259,1601,4,3,0}, {5263,1604,8,3,0}, {5271,1607,4,3,0}, {5275,1610,3,3,0}, {5278,1613,4,3,0}, {5282,1610,5,3,0},
    {5287,1616,6,3,0}, {5293,1619,8,3,0}, {5301,1622,8,3,0}, {5309,1625,8,3,0}, {5317,1628,8,3,0}, {5325,1631,8,3,0},
    {5333,1634,8,3,0}, {5341,1637,8,3,0}, {5349,1640,8,3,0}, {5357,1643,5,3,0}, {5362,1646,7,3,0}, {5369,1649,8,3,0},
    {5377,1652,6,3,0}, {5383,33,5,2,0}, {5388,1655,7,3,0}, {5395,1658,5,2,0}, {5400,1660,4,4,0}, {5404,1332,2,3,0},
    {5406,1664,3,3,0}, {5409,1667,6,3,0}, {5415,1670,3,3,0}, {5418,1673,4,3,0}, {5422,1676,4,1,0}, {5426,1332,6,3,0},
    {5432,1670,8,3,0}, {5440,1677,5,2,1}, {5445,1679,4,4,0}, {5449,1683,3,1,0}, {5452,1332,5,3,0}, {5457,165,7,3,0},
    {5464,1684,6,2,1}, {5470,1686,4,2,1}, {5474,152,8,3,0}, {5482,1688,5,3,0}, {5487,1691,4,3,0}, {5491,1694,8,3,0},
    {5499,1697,11,2,0}, {5510,1699,9,3,0}, {5519,1702,7,3,0}, {5526,1705,9,3,0}, {5535,1708,6,3,0}, {5541,1711,6,3,0},
    {5547,1711,8,3,0}, {5555,1378,4,3,0}, {5559,1714,8,3,0}, {5567,1694,5,3,0}, {5572,1717,3,2,0}, {5575,1719,5,3,0},
    {5580,57,6,3,0}, {5586,57,7,3,0}, {5593,1722,7,3,0}, {5600,1697,5,2,0}, {5605,60,6,3,0}, {5611,1725,4,2,0},
    {5615,1727,4,3,0}, {5619,1730,7,3,0}, {5626,1733,3,4,0}, {5629,499,6,3,0}, {5635,1737,7,3,0}, {5642,1384,6,3,0},
    {5648,1740,7,3,0}, {5655,1743,8,3,0}, {5663,1746,9,3,0}, {5672,1749,8,3,0}, {5680,1752,7,3,0}, {5687,1755,15,3,0},
    {5702,1758,13,3,0}, {5715,1761,8,3,0}, {5723,1448,6,3,0}, {5729,1481,8,3,0}, {5737,1764,6,3,0}, {5743,1767,12,3,0},
    {5755,376,11,3,0}, {5766,1770,13,3,0}, {5779,1773,17,3,0}, {5796,1776,17,3,0}, {5813,1779,18,3,0}, {5831,1782,5,3,0},
    {5836,1785,5,3,0}, {5841,1788,5,3,0}, {5846,1791,5,3,0}, {5851,1794,5,3,0}, {5856,1797,3,4,0}, {5859,1801,7,6,0},
    {5866,1807,4,3,0}, {5870,1810,4,4,0}, {5874,1408,3,3,0}, {5877,1408,6,3,0}, {5883,1814,6,3,0}, {5889,1817,5,3,0},
    {5894,1820,5,3,0}, {5899,1823,5,3,0}, {5904,1826,5,3,0}, {5909,1829,4,3,0}, {5913,1832,5,3,0}, {5918,1835,5,3,0},
    {5923,1838,5,3,0}, {5928,1841,5,3,0}, {5933,1844,5,3,0}, {5938,1847,5,3,0}, {5943,1850,5,3,0}, {5948,1853,5,3,0},
    {5953,1856,4,3,0}, {5957,1859,5,3,0}, {5962,1862,5,3,0}, {5967,1865,5,3,0}, {5972,1868,5,3,0}, {5977,1871,5,3,0},
    {5982,1874,5,3,0}, {5987,1877,6,3,0}, {5993,1880,5,3,0}, {5998,1883,5,3,0}, {6003,1886,5,3,0}, {6008,1889,5,3,0},
    {6013,461,4,3,0}, {6017,1892,5,3,0}, {6022,1895,5,3,0}, {6027,1898,5,3,0}, {6032,1901,5,3,0}, {6037,1904,8,3,0},
    {6045,1907,7,3,0}, {6052,1910,8,3,0}, {6060,1913,5,3,0}, {6065,1916,5,3,0}, {6070,1919,5,3,0}, {6075,1922,5,3,0},
    {6080,1925,4,3,0}, {6084,1928,5,3,0}, {6089,1931,5,3,0}, {6094,1934,5,3,0}, {6099,1937,5,3,0}, {6104,1940,5,3,0},
    {6109,1943,5,3,0}, {6114,1699,6,3,0}, {6120,73,5,2,0}, {6125,1946,6,2,1}, {6131,1948,4,4,0}, {6135,1952,5,3,0},
    {6140,1702,4,3,0}, {6144,1705,5,3,0}, {6149,1955,4,1,0}, {6153,1956,5,3,0}, {6158,1959,8,3,0}, {6166,1962,4,3,0},
    {6170,1962,6,3,0}, {6176,75,4,3,0}, {6180,1965,5,3,0}, {6185,466,5,3,0}, {6190,466,6,3,0}, {6196,1968,6,2,0},
    {6202,1970,3,3,0}, {6205,1973,6,3,0}, {6211,1976,8,3,0}, {6219,1979,6,3,0}, {6225,1982,6,3,0}, {6231,1985,6,3,0},
    {6237,1988,4,6,0}, {6241,1994,5,3,0}, {6246,447,5,2,0}, {6251,1997,5,3,0}, {6256,2000,6,2,0}, {6262,2002,6,2,1},
    {6268,2004,5,2,0}, {6273,2006,5,3,0}, {6278,2009,7,3,0}, {6285,2012,4,2,0}, {6289,104,5,2,1}, {6294,2014,7,3,0},
    {6301,2017,4,2,1}, {6305,106,9,2,0}, {6314,2019,3,4,0}, {6317,2023,4,2,0}, {6321,2025,5,3,0}, {6326,2025,9,3,0},
    {6335,2028,3,2,0}, {6338,2030,3,3,0}, {6341,2033,4,3,0}, {6345,2036,4,2,0}, {6349,2038,6,3,0}, {6355,2041,15,3,0},
    {6370,2044,16,3,0}, {6386,1092,8,2,0}, {6394,2047,8,3,0}, {6402,2050,10,3,0}, {6412,2053,11,3,0}, {6423,2056,11,3,0},
    {6434,2038,4,3,0}, {6438,2059,8,3,0}, {6446,2062,6,3,0}, {6452,2065,7,3,0}, {6459,2068,5,3,0}, {6464,2068,8,3,0},
    {6472,2071,5,1,0}, {6477,39,6,3,0}, {6483,39,7,3,0}, {6490,2072,5,1,0}, {6495,2073,6,1,0}, {6501,2074,4,3,0},
    {6505,1234,6,3,0}, {6511,2074,10,3,0}, {6521,146,9,3,0}, {6530,1329,4,3,0}, {6534,2077,7,3,0}, {6541,143,6,3,0},
    {6547,2080,4,4,0}, {6551,149,6,3,0}, {6557,80,4,2,1}, {6561,2084,6,3,0}, {6567,2087,5,3,0}, {6572,2090,5,3,0},
    {6577,2093,4,4,0}, {6581,2097,4,3,0}, {6585,2100,5,3,0}, {6590,2103,4,3,0}, {6594,2106,5,3,0}, {6599,2109,5,3,0},
    {6604,2112,7,3,0}, {6611,2115,7,3,0}, {6618,2118,5,3,0}, {6623,2121,5,3,0}, {6628,2124,6,3,0}, {6634,2127,7,3,0},
    {6641,2130,3,3,0}, {6644,2133,8,3,0}, {6652,2136,6,3,0}, {6658,2139,6,3,0}, {6664,2142,6,3,0}, {6670,2145,5,3,0},
    {6675,2148,4,6,0}, {6679,2154,6,3,0}, {6685,2157,7,3,0}, {6692,2118,11,3,0}, {6703,2121,11,3,0}, {6714,2160,8,3,0},
    {6722,2163,10,3,0}, {6732,2166,6,2,1}, {6738,2124,14,3,0}, {6752,2154,15,3,0}, {6767,2160,5,3,0}, {6772,2163,5,3,0},
    {6777,122,8,3,0}, {6785,2168,5,3,0}, {6790,2171,6,3,0}, {6796,226,4,3,0}, {6800,2174,4,3,0}, {6804,2177,6,3,0},
    {6810,2180,6,3,0}, {6816,259,4,3,0}, {6820,2183,4,3,0}, {6824,625,5,3,0}, {6829,2186,7,3,0}, {6836,203,5,2,0},
    {6841,2189,6,2,0}, {6847,2191,3,2,0}, {6850,211,2,3,0}, {6852,177,7,3,0}, {6859,2193,5,3,0}, {6864,2196,7,3,0},
    {6871,2199,3,2,1}, {6874,2201,5,2,0}, {6879,2203,7,3,0}, {6886,2206,6,3,0}, {6892,2209,3,4,0}, {6895,610,5,3,0},
    {6900,1146,5,3,0}, {6905,208,4,3,0}, {6909,208,7,3,0}, {6916,2213,11,3,0}, {6927,2213,5,3,0}, {6932,218,3,2,0},
    {6935,2216,7,2,0}, {6942,2218,5,3,0}, {6947,2221,3,2,0}, {6950,2221,6,2,1}, {6956,2223,13,3,0}, {6969,2223,6,3,0},
    {6975,2226,4,2,0}, {6979,2228,6,3,0}, {6985,2231,6,3,0}, {6991,2234,6,1,0}, {6997,2235,4,4,0}, {7001,201,3,2,0},
    {7004,223,5,3,0}, {7009,2239,8,3,0}, {7017,2242,8,3,0}, {7025,2245,7,3,0}, {7032,2248,9,3,0}, {7041,52,14,3,0},
    {7055,259,9,3,0}, {7064,2193,14,3,0}, {7078,610,15,3,0}, {7093,1146,16,3,0}, {7109,1089,8,3,0}, {7117,2251,6,3,0},
    {7123,2254,6,3,0}, {7129,2257,4,4,0}, {7133,2261,4,2,0}, {7137,2263,4,3,0}, {7141,2266,6,2,0}, {7147,2268,5,3,0},
    {7152,2271,4,3,0}, {7156,1773,5,3,0}, {7161,265,5,3,0}, {7166,1120,5,3,0}, {7171,2274,7,3,0}, {7178,2277,4,2,0},
    {7182,2279,8,3,0}, {7190,2196,5,3,0}, {7195,2239,4,3,0}, {7199,2282,6,2,1}, {7205,2284,6,3,0}, {7211,2287,6,2,0},
    {7217,2289,4,3,0}, {7221,2292,5,2,1}, {7226,2294,6,3,0}, {7232,2297,3,2,0}, {7235,2299,4,2,0}, {7239,364,2,3,0},
    {7241,2301,5,3,0}, {7246,2304,3,4,0}, {7249,2308,2,3,0}, {7251,2311,6,2,1}, {7257,2313,3,3,0}, {7260,2316,6,3,0},
    {7266,2319,2,3,0}, {7268,2322,8,3,0}, {7276,2325,3,3,0}, {7279,2328,3,3,0}, {7282,2331,6,3,0}, {7288,2334,5,2,0},
    {7293,2336,5,3,0}, {7298,2336,8,3,0}, {7306,2336,6,3,0}, {7312,2339,4,3,0}, {7316,2342,6,3,0}, {7322,2345,6,3,0},
    {7328,2348,3,2,0}, {7331,2350,4,3,0}, {7335,2353,5,2,0}, {7340,2355,4,4,0}, {7344,2359,4,3,0}, {7348,2362,6,3,0},
    {7354,2365,5,3,0}, {7359,2368,4,2,0}, {7363,2368,7,2,0}, {7370,2370,5,2,0}, {7375,2289,6,3,0}, {7381,2294,7,3,0},
    {7388,345,5,3,0}, {7393,2313,10,3,0}, {7403,2328,11,3,0}, {7414,1797,6,1,0}, {7420,2372,6,3,0}, {7426,137,5,3,0},
    {7431,2375,7,3,0}, {7438,2378,8,3,0}, {7446,2381,5,3,0}, {7451,2384,5,3,0}, {7456,2387,4,3,0}, {7460,223,5,3,0},
    {7465,345,4,3,0}, {7469,2390,3,2,0}, {7472,2392,3,2,1}, {7475,2394,4,2,1}, {7479,2396,4,3,0}, {7483,2399,4,1,0},
    {7487,361,5,3,0}, {7492,351,11,3,0}, {7503,364,12,3,0}, {7515,2301,13,3,0}, {7528,2400,3,2,0}, {7531,2402,6,3,0},
    {7537,2405,6,3,0}, {7543,2408,5,3,0}, {7548,2411,6,3,0}, {7554,2414,3,4,0}, {7557,2418,5,3,0}, {7562,2421,5,2,0},
    {7567,2423,4,3,0}, {7571,2426,5,3,0}, {7576,2429,5,3,0}, {7581,2432,4,2,0}, {7585,2434,4,4,0}, {7589,383,6,3,0},
    {7595,2438,4,3,0}, {7599,2441,5,3,0}, {7604,2444,8,3,0}, {7612,2447,6,2,1}, {7618,2449,6,3,0}, {7624,2452,6,2,1},
    {7630,2454,6,3,0}, {7636,2457,6,3,0}, {7642,2460,6,3,0}, {7648,2463,6,3,0}, {7654,2466,6,3,0}, {7660,2469,6,2,1},
    {7666,2471,6,3,0}, {7672,2474,6,3,0}, {7678,2477,6,3,0}, {7684,2480,6,3,0}, {7690,2483,6,3,0}, {7696,2486,6,3,0},
    {7702,2489,5,3,0}, {7707,2492,5,3,0}, {7712,2495,4,4,0}, {7716,423,2,3,0}, {7718,2499,3,3,0}, {7721,2502,6,2,0},
    {7727,2504,5,2,0}, {7732,2216,6,2,0}, {7738,2506,3,3,0}, {7741,2509,6,2,0}, {7747,2511,5,2,0}, {7752,2513,3,2,0},
    {7755,2515,4,2,0}, {7759,417,2,3,0}, {7761,420,3,3,0}, {7764,417,3,3,0}, {7767,423,4,3,0}, {7771,432,8,3,0},
    {7779,432,3,3,0}, {7782,2517,5,3,0}, {7787,2520,6,3,0}, {7793,2523,7,3,0}, {7800,2526,8,3,0}, {7808,2529,4,6,0},
    {7812,2535,6,3,0}, {7818,2538,3,4,0}, {7821,442,2,3,0}, {7823,410,3,3,0}, {7826,2542,5,3,0}, {7831,2545,4,2,0},
    {7835,429,2,3,0}, {7837,2547,3,3,0}, {7840,2550,3,3,0}, {7843,2553,3,3,0}, {7846,2556,3,3,0}, {7849,2559,4,3,0},
    {7853,2559,8,3,0}, {7861,2562,3,3,0}, {7864,2562,4,3,0}, {7868,2556,5,3,0}, {7873,2565,5,3,0}, {7878,2568,4,4,0},
    {7882,205,5,1,0}, {7887,2572,4,3,0}, {7891,435,4,3,0}, {7895,2575,5,3,0}, {7900,2578,5,3,0}, {7905,391,2,1,1},
    {7907,2581,4,3,0}, {7911,2584,5,3,0}, {7916,2587,5,3,0}, {7921,2590,6,3,0}, {7927,2593,7,3,0}, {7934,2506,9,3,0},
    {7943,2596,6,3,0}, {7949,2587,6,3,0}, {7955,420,9,3,0}, {7964,2499,10,3,0}, {7974,429,7,3,0}, {7981,435,6,3,0},
    {7987,2599,9,6,0}, {7996,2599,4,6,0}, {8000,232,4,3,0}, {8004,1317,6,3,0}, {8010,2447,4,2,0}, {8014,455,6,3,0},
    {8020,2605,6,2,0}, {8026,619,4,3,0}, {8030,2607,7,3,0}, {8037,2610,5,3,0}, {8042,2613,4,3,0}, {8046,2616,5,2,0},
    {8051,2618,6,3,0}, {8057,2618,9,3,0}, {8066,2621,6,3,0}, {8072,2624,6,3,0}, {8078,2627,3,4,0}, {8081,2631,8,3,0},
    {8089,2634,8,3,0}, {8097,2637,5,3,0}, {8102,2640,6,3,0}, {8108,2643,13,3,0}, {8121,2646,14,3,0}, {8135,2649,4,4,0},
    {8139,2653,6,3,0}, {8145,2656,4,4,0}, {8149,2613,6,3,0}, {8155,2660,6,2,0}, {8161,2662,6,3,0}, {8167,2183,6,3,0},
    {8173,2665,6,2,1}, {8179,502,2,3,0}, {8181,2667,5,2,1}, {8186,2669,3,2,0}, {8189,2671,4,2,0}, {8193,2673,5,2,1},
    {8198,232,3,3,0}, {8201,2675,3,4,0}, {8204,2679,6,2,1}, {8210,490,2,3,0}, {8212,2681,6,3,0}, {8218,2684,5,3,0},
    {8223,2687,6,3,0}, {8229,2690,5,3,0}, {8234,2693,5,2,0}, {8239,2695,5,2,0}, {8244,483,5,3,0}, {8249,516,8,3,0},
    {8257,483,8,3,0}, {8265,2697,5,2,0}, {8270,2699,4,3,0}, {8274,2702,5,2,0}, {8279,323,2,3,0}, {8281,2704,6,3,0},
    {8287,2707,5,3,0}, {8292,2710,8,3,0}, {8300,2697,6,2,0}, {8306,496,3,3,0}, {8309,2713,6,3,0}, {8315,1551,8,3,0},
    {8323,2713,8,3,0}, {8331,2716,8,3,0}, {8339,2719,7,3,0}, {8346,2722,4,2,0}, {8350,2724,5,2,0}, {8355,2726,4,4,0},
    {8359,2730,4,2,0}, {8363,2719,5,3,0}, {8368,2732,6,2,1}, {8374,2734,4,4,0}, {8378,323,4,3,0}, {8382,2738,5,3,0},
    {8387,2741,7,3,0}, {8394,2744,5,3,0}, {8399,2747,6,3,0}, {8405,323,5,3,0}, {8410,505,2,3,0}, {8412,2750,6,2,0},
    {8418,2752,5,2,0}, {8423,2754,4,2,1}, {8427,2756,5,2,0}, {8432,2758,3,2,0}, {8435,2760,3,4,0}, {8438,2764,5,2,0},
    {8443,2766,4,4,0}, {8447,2770,4,4,0}, {8451,2774,6,2,0}, {8457,2776,5,2,0}, {8462,2778,5,2,0}, {8467,2780,6,2,0},
    {8473,2782,6,2,0}, {8479,2784,3,2,0}, {8482,2786,3,4,0}, {8485,2790,6,2,0}, {8491,2792,4,2,0}, {8495,2794,4,2,0},
    {8499,2796,4,4,0}, {8503,2800,4,4,0}, {8507,686,5,3,0}, {8512,229,4,3,0}, {8516,2804,6,3,0}, {8522,2807,5,3,0},
    {8527,664,2,3,0}, {8529,2810,3,3,0}, {8532,2813,4,3,0}, {8536,2816,6,2,0}, {8542,2818,8,3,0}, {8550,577,6,3,0},
    {8556,2821,6,2,0}, {8562,589,4,3,0}, {8566,2823,5,3,0}, {8571,589,6,3,0}, {8577,2826,3,3,0}, {8580,2829,5,2,1},
    {8585,592,4,3,0}, {8589,595,5,3,0}, {8594,2831,7,3,0}, {8601,2834,6,3,0}, {8607,2643,6,3,0}, {8613,2837,6,3,0},
    {8619,2840,6,3,0}, {8625,2843,7,3,0}, {8632,2846,6,3,0}, {8638,2849,3,3,0}, {8641,2852,6,3,0}, {8647,2855,4,3,0},
    {8651,2858,5,6,0}, {8656,2864,5,3,0}, {8661,2867,5,3,0}, {8666,2870,6,1,0}, {8672,2871,6,1,0}, {8678,2872,5,3,0},
    {8683,2875,7,3,0}, {8690,2878,7,3,0}, {8697,2881,6,2,0}, {8703,2883,6,2,0}, {8709,601,5,3,0}, {8714,2870,4,1,0},
    {8718,2885,3,2,0}, {8721,2887,4,3,0}, {8725,998,5,3,0}, {8730,1719,6,3,0}, {8736,2890,7,3,0}, {8743,2893,8,3,0},
    {8751,2896,4,3,0}, {8755,2899,2,3,0}, {8757,592,9,3,0}, {8766,2846,13,3,0}, {8779,276,15,3,0}, {8794,655,13,3,0},
    {8807,2902,14,3,0}, {8821,619,14,3,0}, {8835,598,15,3,0}, {8850,1117,17,3,0}, {8867,2610,19,3,0}, {8886,2905,14,3,0},
    {8900,661,3,3,0}, {8903,2899,3,3,0}, {8906,664,4,3,0}, {8910,673,8,3,0}, {8918,673,3,3,0}, {8921,2908,5,3,0},
    {8926,2911,6,3,0}, {8932,2914,7,3,0}, {8939,2917,8,3,0}, {8947,2920,4,6,0}, {8951,2926,6,3,0}, {8957,2826,10,3,0},
    {8967,2929,7,3,0}, {8974,661,9,3,0}, {8983,2810,10,3,0}, {8993,667,7,3,0}, {9000,676,7,3,0}, {9007,2932,6,3,0},
    {9013,616,6,3,0}, {9019,2935,3,4,0}, {9022,667,2,3,0}, {9024,2939,3,3,0}, {9027,276,5,3,0}, {9032,655,5,3,0},
    {9037,2942,6,3,0}, {9043,2945,5,3,0}, {9048,2948,4,2,0}, {9052,715,2,3,0}, {9054,2902,5,3,0}, {9059,2228,8,3,0},
    {9067,2950,6,3,0}, {9073,2953,5,3,0}, {9078,2956,6,2,0}, {9084,2958,6,3,0}, {9090,2958,10,3,0}, {9100,2961,3,3,0},
    {9103,2964,4,3,0}, {9107,2964,8,3,0}, {9115,2967,3,3,0}, {9118,2967,4,3,0}, {9122,2961,5,3,0}, {9127,2970,5,3,0},
    {9132,2973,5,3,0}, {9137,2976,5,3,0}, {9142,604,5,3,0}, {9147,691,13,3,0}, {9160,694,18,3,0}, {9178,2979,10,3,0},
    {9188,697,14,3,0}, {9202,2837,13,3,0}, {9215,2982,14,3,0}, {9229,2985,5,3,0}, {9234,2988,4,4,0}, {9238,2992,6,3,0},
    {9244,2995,7,3,0}, {9251,2998,6,3,0}, {9257,1374,6,1,0}, {9263,3001,3,3,0}, {9266,3001,7,3,0}, {9273,1767,4,3,0},
    {9277,3004,4,1,0}, {9281,3005,6,3,0}, {9287,598,5,3,0}, {9292,2251,8,3,0}, {9300,1117,5,3,0}, {9305,3008,6,3,0},
    {9311,3011,3,3,0}, {9314,3014,5,3,0}, {9319,3017,6,3,0}, {9325,3020,4,4,0}, {9329,710,3,3,0}, {9332,676,4,3,0},
    {9336,3024,5,3,0}, {9341,3027,5,3,0}, {9346,2871,4,1,0}, {9350,1001,5,3,0}, {9355,3030,6,3,0}, {9361,3033,6,2,0},
    {9367,569,2,1,1}, {9369,3035,4,3,0}, {9373,3038,5,3,0}, {9378,2929,5,3,0}, {9383,2905,6,3,0}, {9389,3041,6,3,0},
    {9395,3044,6,3,0}, {9401,3047,7,3,0}, {9408,3050,6,3,0}, {9414,3053,4,3,0}, {9418,640,5,3,0}, {9423,1776,5,3,0},
    {9428,3056,8,3,0}, {9436,3059,7,3,0}, {9443,3062,9,6,0}, {9452,3062,4,6,0}, {9456,3068,5,3,0}, {9461,3071,4,2,1},
    {9465,3073,4,3,0}, {9469,3076,4,3,0}, {9473,3076,7,3,0}, {9480,1158,3,3,0}, {9483,1158,6,3,0}, {9489,294,10,3,0},
    {9499,628,10,3,0}, {9509,1411,8,3,0}, {9517,3079,6,3,0}, {9523,3082,6,3,0}, {9529,3085,3,2,0}, {9532,3087,5,3,0},
    {9537,1616,13,3,0}, {9550,3090,3,4,0}, {9553,3094,3,3,0}, {9556,3097,5,2,1}, {9561,1454,3,3,0}, {9564,1683,6,1,0},
    {9570,3099,6,3,0}, {9576,106,6,2,1}, {9582,3102,5,3,0}, {9587,1904,6,3,0}, {9593,2242,6,3,0}, {9599,3105,7,3,0},
    {9606,3108,4,3,0}, {9610,2621,4,3,0}, {9614,733,6,3,0}, {9620,3111,6,3,0}, {9626,3114,4,4,0}, {9630,733,2,3,0},
    {9632,3118,4,4,0}, {9636,1562,6,3,0}, {9642,3122,2,2,0}, {9644,3124,8,3,0}, {9652,3124,5,3,0}, {9657,3127,3,5,0},
    {9660,3132,3,6,0}, {9663,805,4,5,0}, {9667,3138,10,3,0}, {9677,3141,15,3,0}, {9692,3144,3,5,0}, {9695,3149,3,6,0},
    {9698,851,4,5,0}, {9702,3155,11,3,0}, {9713,3158,6,3,0}, {9719,3161,6,3,0}, {9725,190,5,3,0}, {9730,3164,6,2,0},
    {9736,3166,4,6,0}, {9740,958,3,3,0}, {9743,3172,4,5,0}, {9747,3177,5,5,0}, {9752,3182,5,2,0}, {9757,958,7,3,0},
    {9764,3184,5,3,0}, {9769,3184,7,3,0}, {9776,765,8,3,0}, {9784,763,4,2,1}, {9788,821,5,5,0}, {9793,826,6,5,0},
    {9799,3187,4,3,0}, {9803,3190,6,2,0}, {9809,3192,6,2,0}, {9815,955,5,3,0}, {9820,3194,8,5,0}, {9828,3199,4,3,0},
    {9832,3202,3,2,0}, {9835,3204,5,3,0}, {9840,783,2,3,0}, {9842,3207,5,3,0}, {9847,3210,6,3,0}, {9853,1417,5,3,0},
    {9858,1417,7,3,0}, {9865,3213,5,5,0}, {9870,771,6,3,0}, {9876,3218,6,3,0}, {9882,786,5,5,0}, {9887,791,6,3,0},
    {9893,791,7,3,0}, {9900,3221,3,4,0}, {9903,800,3,5,0}, {9906,797,3,3,0}, {9909,797,4,3,0}, {9913,800,5,5,0},
    {9918,813,9,5,0}, {9927,813,4,5,0}, {9931,818,5,3,0}, {9936,794,3,3,0}, {9939,794,4,3,0}, {9943,3141,5,3,0},
    {9948,3225,5,3,0}, {9953,3228,5,3,0}, {9958,1114,2,3,0}, {9960,3231,3,3,0}, {9963,3234,4,3,0}, {9967,1114,3,3,0},
    {9970,3237,4,2,0}, {9974,3138,5,3,0}, {9979,3239,3,5,0}, {9982,3244,5,3,0}, {9987,3247,4,3,0}, {9991,845,3,3,0},
    {9994,3244,10,3,0}, {10004,3225,15,3,0}, {10019,845,4,3,0}, {10023,3239,5,5,0}, {10028,856,9,5,0}, {10037,856,4,5,0},
    {10041,842,5,3,0}, {10046,861,5,3,0}, {10051,842,3,3,0}, {10054,831,5,3,0}, {10059,839,6,3,0}, {10065,961,4,3,0},
    {10069,3250,4,4,0}, {10073,3254,3,2,1}, {10076,780,5,3,0}, {10081,3256,6,5,0}, {10087,3261,8,5,0}, {10095,780,7,3,0},
    {10102,3266,7,3,0}, {10109,3269,7,3,0}, {10116,885,5,3,0}, {10121,885,7,3,0}, {10128,3272,7,3,0}, {10135,3275,7,3,0},
    {10142,777,4,3,0}, {10146,777,9,3,0}, {10155,3278,6,6,0}, {10161,3284,5,5,0}, {10166,3289,7,3,0}, {10173,874,3,3,0},
    {10176,882,6,3,0}, {10182,877,4,5,0}, {10186,874,5,3,0}, {10191,877,7,5,0}, {10198,3155,5,3,0}, {10203,3292,5,3,0},
    {10208,3295,6,5,0}, {10214,3300,6,5,0}, {10220,3292,11,3,0}, {10231,888,5,3,0}, {10236,896,6,3,0}, {10242,924,3,3,0},
    {10245,932,6,3,0}, {10251,927,4,5,0}, {10255,3305,4,4,0}, {10259,961,9,3,0}, {10268,777,14,3,0}, {10282,949,4,3,0},
    {10286,952,5,3,0}, {10291,952,6,3,0}, {10297,961,5,3,0}, {10302,777,5,3,0}, {10307,904,7,3,0}, {10314,912,7,3,0},
    {10321,3309,4,3,0}, {10325,3312,5,5,0}, {10330,921,5,3,0}, {10335,915,7,6,0}, {10342,921,9,3,0}, {10351,3312,10,5,0},
    {10361,924,5,3,0}, {10366,927,7,5,0}, {10373,3317,4,3,0}, {10377,3320,5,5,0}, {10382,946,5,3,0}, {10387,940,7,6,0},
    {10394,946,9,3,0}, {10403,3320,10,5,0}, {10413,810,4,3,0}, {10417,3325,6,2,1}, {10423,848,4,3,0}, {10427,831,13,3,0},
    {10440,839,15,3,0}, {10455,888,14,3,0}, {10469,896,16,3,0}, {10485,3327,2,2,0}, {10487,3329,3,1,0}, {10490,3330,6,3,0},
    {10496,3333,5,3,0}, {10501,3336,6,3,0}, {10507,3339,6,3,0}, {10513,3342,4,6,0}, {10517,3348,6,3,0}, {10523,3351,4,6,0},
    {10527,3357,4,4,0}, {10531,3361,7,3,0}, {10538,3364,6,3,0}, {10544,3367,4,6,0}, {10548,3373,4,4,0}, {10552,3377,7,6,0},
    {10559,3383,6,3,0}, {10565,3386,7,6,0}, {10572,3392,5,6,0}, {10577,3398,5,3,0}, {10582,3401,6,3,0}, {10588,1414,5,3,0},
    {10593,1414,7,3,0}, {10600,3404,6,3,0}, {10606,2047,2,3,0}, {10608,3407,6,2,1}, {10614,2050,4,3,0}, {10618,2053,4,3,0},
    {10622,3409,5,2,1}, {10627,3411,3,2,0}, {10630,2056,5,3,0}, {10635,3413,6,2,0}, {10641,3415,4,3,0}, {10645,110,4,3,0},
    {10649,3418,6,3,0}, {10655,3421,5,2,0}, {10660,3423,5,3,0}, {10665,3426,3,4,0}, {10668,3430,4,2,0}, {10672,3432,6,2,1},
    {10678,3434,3,3,0}, {10681,3437,5,3,0}, {10686,990,3,2,0}, {10689,143,4,3,0}, {10693,2041,5,3,0}, {10698,3440,5,3,0},
    {10703,3443,7,3,0}, {10710,1020,5,3,0}, {10715,3446,3,3,0}, {10718,3449,5,2,0}, {10723,3451,5,2,0}, {10728,3453,7,2,0},
    {10735,3455,4,3,0}, {10739,113,6,3,0}, {10745,3458,4,4,0}, {10749,3462,4,3,0}, {10753,3465,5,3,0}, {10758,116,5,3,0},
    {10763,3468,2,3,0}, {10765,2044,5,3,0}, {10770,3471,3,3,0}, {10773,3474,5,3,0}, {10778,3474,7,3,0}, {10785,3477,4,2,1},
    {10789,3479,4,2,1}, {10793,3481,6,3,0}, {10799,3484,4,3,0}, {10803,3487,7,3,0}, {10810,3490,3,3,0}, {10813,3474,4,3,0},
    {10817,3493,6,2,1}, {10823,3495,4,3,0}, {10827,3498,6,2,1}, {10833,119,6,3,0}, {10839,3500,8,3,0}, {10847,3503,4,2,1},
    {10851,3505,5,3,0}, {10856,256,3,3,0}, {10859,3508,4,2,1}, {10863,256,8,3,0}, {10871,3510,6,3,0}, {10877,3278,5,3,0},
    {10882,1032,4,3,0}, {10886,3513,3,2,0}, {10889,3515,6,1,0}, {10895,3516,6,1,0}, {10901,3517,6,3,0}, {10907,1408,4,3,0},
    {10911,3520,7,3,0}, {10918,3523,3,4,0}, {10921,3527,3,2,0}, {10924,3529,4,2,0}, {10928,726,6,3,0}, {10934,3531,5,3,0},
    {10939,3534,2,2,0}, {10941,2438,9,3,0}, {10950,3536,3,2,0}, {10953,2613,6,3,0}, {10959,3538,7,3,0}, {10966,2613,6,3,0},
    {10972,3541,4,1,0}, {10976,3542,8,3,0}, {10984,1907,5,3,0}, {10989,3545,7,3,0}, {10996,2245,6,3,0}, {11002,3548,6,3,0},
    {11008,3551,5,3,0}, {11013,1045,6,2,1}, {11019,3554,7,3,0}, {11026,3557,7,3,0}, {11033,1045,2,2,0}, {11035,3560,8,3,0},
    {11043,3563,4,4,0}, {11047,3567,5,2,1}, {11052,1053,2,3,0}, {11054,3569,3,3,0}, {11057,3572,4,3,0}, {11061,1056,5,3,0},
    {11066,877,3,3,0}, {11069,1053,4,3,0}, {11073,3572,10,3,0}, {11083,1056,11,3,0}, {11094,877,6,3,0}, {11100,3575,11,3,0},
    {11111,3578,8,3,0}, {11119,3581,8,3,0}, {11127,1059,7,3,0}, {11134,3584,5,3,0}, {11139,1047,6,3,0}, {11145,3578,4,3,0},
    {11149,3575,5,3,0}, {11154,3581,6,3,0}, {11160,1065,4,3,0}, {11164,3587,8,3,0}, {11172,3590,8,3,0}, {11180,3593,8,3,0},
    {11188,1068,4,3,0}, {11192,1068,6,3,0}, {11198,1059,5,3,0}, {11203,3596,6,3,0}, {11209,3599,4,4,0}, {11213,3603,3,2,0},
    {11216,3605,6,3,0}, {11222,3608,3,4,0}, {11225,2681,4,3,0}, {11229,3612,4,4,0}, {11233,3616,6,3,0}, {11239,3619,4,4,0},
    {11243,458,11,3,0}, {11254,3623,7,3,0}, {11261,3626,5,1,0}, {11266,2372,7,3,0}, {11273,1077,4,1,1}, {11277,1194,5,3,0},
    {11282,244,4,3,0}, {11286,3627,6,3,0}, {11292,2186,5,3,0}, {11297,3630,4,3,0}, {11301,3633,4,5,0}, {11305,3638,6,2,0},
    {11311,1241,5,3,0}, {11316,3640,8,3,0}, {11324,1125,4,3,0}, {11328,3643,5,3,0}, {11333,3646,5,3,0}, {11338,1125,6,3,0},
    {11344,3649,5,2,1}, {11349,1128,4,3,0}, {11353,3651,6,3,0}, {11359,1131,5,3,0}, {11364,3654,7,3,0}, {11371,3295,5,3,0},
    {11376,3657,6,3,0}, {11382,2646,6,3,0}, {11388,2982,6,3,0}, {11394,3660,6,3,0}, {11400,3663,7,3,0}, {11407,3666,6,3,0},
    {11413,3300,5,3,0}, {11418,3669,6,3,0}, {11424,3672,5,3,0}, {11429,1082,9,3,0}, {11438,1764,5,3,0}, {11443,3675,5,3,0},
    {11448,3678,6,1,0}, {11454,3679,6,1,0}, {11460,3680,5,3,0}, {11465,3683,7,3,0}, {11472,3686,7,3,0}, {11479,3689,6,2,0},
    {11485,3691,6,2,0}, {11491,1137,5,3,0}, {11496,3678,4,1,0}, {11500,3693,3,2,0}, {11503,3695,4,3,0}, {11507,3698,7,3,0},
    {11514,125,5,3,0}, {11519,125,6,3,0}, {11525,3701,4,3,0}, {11529,1111,4,3,0}, {11533,1197,7,3,0}, {11540,1111,8,3,0},
    {11548,1188,5,3,0}, {11553,3704,4,3,0}, {11557,1092,3,2,1}, {11560,3707,6,3,0}, {11566,1152,6,3,0}, {11572,3710,3,4,0},
    {11575,285,5,3,0}, {11580,1182,5,3,0}, {11585,3714,6,3,0}, {11591,3717,3,2,0}, {11594,3719,4,2,0}, {11598,1128,10,3,0},
    {11608,3666,14,3,0}, {11622,285,16,3,0}, {11638,1182,14,3,0}, {11652,1134,15,3,0}, {11667,348,17,3,0}, {11684,3721,16,3,0},
    {11700,3300,15,3,0}, {11715,3724,15,3,0}, {11730,3727,4,2,0}, {11734,2381,12,3,0}, {11746,1134,5,3,0}, {11751,348,5,3,0},
    {11756,3729,3,3,0}, {11759,3732,6,3,0}, {11765,3732,10,3,0}, {11775,3735,5,3,0}, {11780,3738,5,3,0}, {11785,3741,5,3,0},
    {11790,1140,5,3,0}, {11795,3744,5,3,0}, {11800,3747,4,4,0}, {11804,3751,6,3,0}, {11810,3754,7,3,0}, {11817,3757,4,1,0},
    {11821,3758,6,3,0}, {11827,3761,8,3,0}, {11835,3721,5,3,0}, {11840,3764,6,3,0}, {11846,3767,4,4,0}, {11850,1200,3,3,0},
    {11853,3679,4,1,0}, {11857,128,5,3,0}, {11862,128,6,3,0}, {11868,3724,6,3,0}, {11874,3771,6,3,0}, {11880,3774,4,3,0},
    {11884,1167,5,3,0}, {11889,1779,5,3,0}, {11894,3777,8,3,0}, {11902,3780,7,3,0}, {11909,3783,2,3,0}, {11911,3786,6,2,0},
    {11917,3030,5,3,0}, {11922,1272,2,3,0}, {11924,3788,3,3,0}, {11927,3791,4,3,0}, {11931,3794,6,2,0}, {11937,1275,5,3,0},
    {11942,927,3,3,0}, {11945,3796,6,2,0}, {11951,3798,5,2,0}, {11956,3800,4,3,0}, {11960,3803,5,3,0}, {11965,3806,6,3,0},
    {11971,3809,8,3,0}, {11979,935,5,3,0}, {11984,3812,3,2,0}, {11987,3814,4,3,0}, {11991,2248,5,3,0}, {11996,3817,5,3,0},
    {12001,3820,5,3,0}, {12006,2631,6,3,0}, {12012,707,5,3,0}, {12017,707,7,3,0}, {12024,3823,4,2,1}, {12028,3825,4,1,0},
    {12032,3826,6,3,0}, {12038,46,8,3,0}, {12046,46,5,3,0}, {12051,3829,4,3,0}, {12055,3832,3,4,0}, {12058,2492,6,3,0},
    {12064,3836,5,3,0}, {12069,3839,6,2,0}, {12075,3841,4,2,0}, {12079,1454,8,3,0}, {12087,256,13,3,0}, {12100,3843,3,2,1},
    {12103,3845,5,2,0}, {12108,3847,6,2,0}, {12114,3847,6,2,0}, {12120,1323,3,3,0}, {12123,3849,6,3,0}, {12129,1326,4,3,0},
    {12133,1326,5,3,0}, {12138,3852,4,3,0}, {12142,3855,5,3,0}, {12147,3858,4,3,0}, {12151,3861,5,3,0}, {12156,3864,5,3,0},
    {12161,3867,7,3,0}, {12168,3870,7,3,0}, {12175,592,5,3,0}, {12180,46,13,3,0}, {12193,3873,6,3,0}, {12199,3876,8,3,0},
    {12207,1454,4,3,0}, {12211,3879,5,3,0}, {12216,3882,3,3,0}, {12219,3885,4,3,0}, {12223,3888,5,6,0}, {12228,3894,6,2,0},
    {12234,3896,3,1,0}, {12237,3897,4,3,0}, {12241,3900,6,3,0}, {12247,3903,4,4,0}, {12251,3907,6,3,0}, {12257,3907,9,3,0},
    {12266,256,4,3,0}, {12270,1247,5,3,0}, {12275,3910,6,6,0}, {12281,1256,5,3,0}, {12286,3916,6,6,0}, {12292,899,5,3,0},
    {12297,1250,6,3,0}, {12303,899,8,3,0}, {12311,1250,10,3,0}, {12321,907,5,3,0}, {12326,1253,6,3,0}, {12332,907,8,3,0},
    {12340,1253,10,3,0}, {12350,1244,3,3,0}, {12353,1244,6,3,0}, {12359,376,6,3,0}, {12365,376,4,3,0}, {12369,1128,5,3,0},
    {12374,3922,4,4,0}, {12378,46,6,3,0}, {12384,3879,6,3,0}, {12390,1263,6,3,0}, {12396,3926,4,3,0}, {12400,1752,5,3,0},
    {12405,2370,15,2,0}, {12420,3529,11,2,0}, {12431,3071,5,2,0}, {12436,915,3,3,0}, {12439,3312,4,3,0}, {12443,3929,6,3,0},
    {12449,1269,4,3,0}, {12453,3932,7,3,0}, {12460,3935,7,3,0}, {12467,3938,5,3,0}, {12472,3941,5,3,0}, {12477,3944,7,3,0},
    {12484,3947,7,3,0}, {12491,915,6,3,0}, {12497,1269,8,3,0}, {12505,3312,9,3,0}, {12514,3941,9,3,0}, {12523,3938,10,3,0},
    {12533,3950,6,3,0}, {12539,3953,6,3,0}, {12545,3956,6,3,0}, {12551,1272,4,3,0}, {12555,3791,10,3,0}, {12565,1275,11,3,0},
    {12576,927,6,3,0}, {12582,3803,11,3,0}, {12593,3800,8,3,0}, {12601,3806,8,3,0}, {12609,935,7,3,0}, {12616,1278,3,3,0},
    {12619,3959,4,3,0}, {12623,940,3,3,0}, {12626,3962,4,2,1}, {12630,3964,4,2,1}, {12634,3966,4,2,1}, {12638,3320,4,3,0},
    {12642,3968,6,3,0}, {12648,3971,7,3,0}, {12655,1284,4,3,0}, {12659,3974,7,3,0}, {12666,3977,7,3,0}, {12673,3980,7,3,0},
    {12680,3983,7,3,0}, {12687,3986,7,3,0}, {12694,3989,5,3,0}, {12699,3992,5,3,0}, {12704,3995,7,3,0}, {12711,940,6,3,0},
    {12717,1284,8,3,0}, {12725,3320,9,3,0}, {12734,3992,9,3,0}, {12743,3989,10,3,0}, {12753,3998,6,3,0}, {12759,4001,6,3,0},
    {12765,4004,6,3,0}, {12771,4007,5,3,0}, {12776,2634,6,3,0}, {12782,704,5,3,0}, {12787,704,7,3,0}, {12794,4010,6,3,0},
    {12800,4013,5,2,1}, {12805,4015,6,3,0}, {12811,4018,3,2,0}, {12814,1026,4,3,0}, {12818,4020,6,2,0}, {12824,4022,6,2,0},
    {12830,4024,3,2,0}, {12833,1339,4,3,0}, {12837,4026,6,3,0}, {12843,4029,3,4,0}, {12846,1309,6,3,0}, {12852,1309,9,3,0},
    {12861,4033,5,2,0}, {12866,4035,8,2,0}, {12874,4035,6,2,0}, {12880,1332,11,3,0}, {12891,1323,8,3,0}, {12899,1320,6,3,0},
    {12905,1332,5,3,0}, {12910,1323,6,3,0}, {12916,4037,5,2,1}, {12921,206,5,2,0}, {12926,4039,5,2,1}, {12931,1910,6,3,0},
    {12937,4041,8,3,0}, {12945,4044,6,3,0}, {12951,2684,4,3,0}, {12955,3218,4,3,0}, {12959,291,3,3,0}, {12962,4047,6,3,0},
    {12968,4050,6,3,0}, {12974,4053,4,4,0}, {12978,4057,7,3,0}, {12985,3826,4,3,0}, {12989,4060,6,3,0}, {12995,1289,5,3,0},
    {13000,4063,8,3,0}, {13008,2271,12,3,0}, {13020,3053,12,3,0}, {13032,640,14,3,0}, {13046,4066,9,3,0}, {13055,3774,13,3,0},
    {13068,1167,15,3,0}, {13083,4069,6,3,0}, {13089,4066,4,3,0}, {13093,4072,8,3,0}, {13101,4075,7,3,0}, {13108,4078,5,3,0},
    {13113,4081,7,3,0}, {13120,4084,8,3,0}, {13128,4087,4,4,0}, {13132,4091,4,2,0}, {13136,4093,5,2,0}, {13141,4095,6,2,0},
    {13147,1730,5,3,0}, {13152,580,16,3,0}, {13168,1099,17,3,0}, {13185,250,4,3,0}, {13189,4097,4,3,0}, {13193,4100,6,2,1},
    {13199,1229,4,3,0}, {13203,4102,5,2,0}, {13208,4104,6,2,0}, {13214,4106,5,2,1}, {13219,4108,3,2,0}, {13222,1399,5,3,0},
    {13227,4110,6,2,0}, {13233,1405,5,3,0}, {13238,4112,6,3,0}, {13244,4115,3,4,0}, {13247,4119,6,2,1}, {13253,649,5,3,0},
    {13258,1176,5,3,0}, {13263,4121,5,3,0}, {13268,4124,6,3,0}, {13274,4124,8,3,0}, {13282,4127,6,3,0}, {13288,4130,5,3,0},
    {13293,4133,5,2,0}, {13298,218,3,2,1}, {13301,4135,5,2,0}, {13306,4137,4,4,0}, {13310,1229,7,3,0}, {13317,1402,11,3,0},
    {13328,649,13,3,0}, {13341,1176,14,3,0}, {13355,1387,5,3,0}, {13360,4141,4,2,0}, {13364,1420,5,2,0}, {13369,4141,7,2,0},
    {13376,4143,10,3,0}, {13386,4146,6,3,0}, {13392,4146,8,3,0}, {13400,4149,6,3,0}, {13406,4152,5,2,0}, {13411,4154,5,3,0},
    {13416,4157,4,4,0}, {13420,4161,5,3,0}, {13425,4164,6,2,0}, {13431,4063,4,3,0}, {13435,1770,5,3,0}, {13440,4143,5,3,0},
    {13445,4166,4,2,1}, {13449,4168,7,3,0}, {13456,253,4,3,0}, {13460,4171,4,3,0}, {13464,4174,5,3,0}, {13469,247,5,3,0},
    {13474,4177,6,3,0}, {13480,2370,10,2,0}, {13490,2780,8,2,0}, {13498,2336,10,3,0}, {13508,3529,6,2,0}, {13514,3536,5,2,0},
    {13519,1068,9,3,0}, {13528,1402,4,3,0}, {13532,3719,6,2,0}, {13538,3847,8,2,0}, {13546,4180,12,6,0}, {13558,4186,13,6,0},
    {13571,4192,12,6,0}, {13583,4198,13,6,0}, {13596,4035,8,2,0}, {13604,634,15,3,0}, {13619,1164,16,3,0}, {13635,4204,3,2,0},
    {13638,1155,5,3,0}, {13643,3468,3,3,0}, {13646,4206,6,3,0}, {13652,4209,5,3,0}, {13657,4212,6,3,0}, {13663,1457,6,1,0},
    {13669,1457,4,1,0}, {13673,4215,3,4,0}, {13676,634,5,3,0}, {13681,915,5,6,0}, {13686,940,5,6,0}, {13691,4219,4,4,0},
    {13695,1068,5,3,0}, {13700,1164,5,3,0}, {13705,4223,4,4,0}, {13709,4186,6,6,0}, {13715,4180,6,6,0}, {13721,4198,6,6,0},
    {13727,4192,6,6,0}, {13733,4227,7,3,0}, {13740,4230,5,2,0}, {13745,4232,6,3,0}, {13751,1595,5,3,0}, {13756,4235,6,3,0},
    {13762,4238,6,3,0}, {13768,4241,3,4,0}, {13771,4245,4,4,0}, {13775,4238,2,3,0}, {13777,1461,2,3,0}, {13779,1461,6,3,0},
    {13785,4249,4,4,0}, {13789,499,4,3,0}, {13793,1737,5,3,0}, {13798,1384,4,3,0}, {13802,1755,5,3,0}, {13807,4253,3,4,0},
    {13810,238,5,3,0}, {13815,694,5,3,0}, {13820,4257,2,2,0}, {13822,235,5,3,0}, {13827,691,5,3,0}, {13832,2979,4,3,0},
    {13836,4259,4,3,0}, {13840,1740,5,3,0}, {13845,4262,4,4,0}, {13849,1743,6,3,0}, {13855,1746,6,3,0}, {13861,241,5,3,0},
    {13866,697,5,3,0}, {13871,4266,4,4,0}, {13875,1749,6,3,0}, {13881,1761,6,3,0}, {13887,1758,5,3,0}, {13892,1448,4,3,0},
    {13896,1481,6,3,0}, {13902,4270,6,2,1}, {13908,4272,4,2,0}, {13912,4274,5,2,0}, {13917,4276,3,2,0}, {13920,4278,3,2,1},
    {13923,4280,3,4,0}, {13926,4284,4,2,0}, {13930,4286,4,4,0}, {13934,4290,4,4,0}, {13938,4294,4,2,0}, {13942,4296,4,2,1},
    {13946,4298,6,2,0}, {13952,4300,6,2,0}, {13958,4302,3,2,0}, {13961,4304,4,2,0}, {13965,1548,6,3,0}, {13971,4306,4,2,0},
    {13975,4308,3,4,0}, {13978,4312,4,2,0}, {13982,4314,7,3,0}, {13989,4317,4,4,0}, {13993,4321,4,4,0}, {13997,4325,3,3,0},
    {14000,4328,4,3,0},
};

/* Entry number + 1, or 0 for a free slot. */
static const uint16_t entity_slots[ENTITY_SLOTS] = {
    0, 0, 0, 1221, 0, 0, 0, 174, 791, 1981, 1883, 0, 0, 2106, 20, 1928, 1523, 2000, 932, 0, 87, 0, 0, 1073,
    0, 1822, 1942, 456, 960, 1250, 1072, 959, 1195, 1492, 264, 1399, 1585, 2007, 1720, 2008, 2101, 0, 0, 0, 1145, 0, 0, 0,
    0, 0, 535, 0, 0, 0, 1621, 0, 0, 991, 1617, 1100, 1168, 360, 415, 594, 934, 0, 444, 0, 0, 0, 34, 2091,
    1154, 1193, 0, 0, 0, 0, 1166, 0, 0, 1298, 0, 0, 0, 1096, 1322, 1646, 1998, 1183, 0, 0, 880, 384, 0, 1964,
    2104, 0, 0, 0, 950, 0, 0, 0, 0, 0, 0, 0, 1929, 308, 0, 0, 2107, 0, 0, 0, 1638, 0, 0, 848,
    443, 1403, 1653, 1351, 529, 0, 0, 0, 0, 0, 490, 788, 1122, 0, 1094, 0, 0, 0, 0, 0, 0, 989, 1039, 491,
    0, 0, 0, 0, 0, 0, 0, 1551, 0, 1916, 1926, 0, 0, 235, 482, 1169, 1304, 0, 414, 0, 1956, 1801, 0, 0,
    0, 0, 1457, 0, 454, 881, 0, 0, 0, 0, 121, 0, 0, 107, 0, 0, 0, 334, 0, 0, 0, 1545, 1455, 2066,
    0, 1388, 1173, 1334, 0, 0, 159, 663, 383, 2020, 0, 946, 977, 0, 0, 1530, 465, 1134, 0, 0, 0, 2095, 0, 0,
    1618, 0, 1104, 180, 0, 655, 1268, 0, 0, 0, 0, 0, 1626, 2092, 0, 0, 1095, 0, 418, 0, 0, 299, 1135, 1085,
    0, 268, 455, 761, 0, 0, 0, 0, 0, 0, 0, 403, 0, 2059, 0, 0, 0, 1129, 2071, 1958, 0, 495, 0, 0,
    0, 0, 1398, 0, 0, 855, 1101, 0, 0, 0, 276, 357, 604, 151, 0, 0, 0, 1553, 1047, 0, 0, 0, 0, 0,
    81, 0, 0, 0, 1606, 0, 0, 0, 0, 780, 623, 1839, 0, 0, 1261, 2067, 0, 0, 0, 1639, 1227, 1405, 1652, 0,
    0, 1184, 536, 0, 0, 0, 0, 0, 0, 0, 1540, 0, 0, 0, 198, 0, 0, 0, 255, 1146, 1284, 352, 697, 888,
    0, 0, 1607, 0, 0, 889, 0, 1127, 501, 803, 0, 0, 713, 0, 0, 0, 1616, 673, 0, 0, 1419, 0, 0, 0,
    278, 1044, 0, 0, 0, 0, 0, 0, 593, 667, 908, 361, 1587, 0, 0, 0, 621, 699, 1148, 0, 0, 0, 0, 0,
    0, 0, 863, 0, 1320, 1420, 0, 918, 0, 220, 0, 0, 0, 0, 281, 0, 1411, 1672, 1937, 0, 550, 0, 0, 1071,
    1418, 0, 389, 0, 1137, 1303, 0, 0, 63, 972, 1733, 67, 915, 0, 0, 0, 0, 430, 836, 1068, 0, 0, 0, 6,
    0, 935, 677, 0, 0, 1486, 0, 1426, 520, 0, 0, 0, 1285, 472, 0, 838, 0, 0, 0, 2038, 534, 933, 2003, 0,
    0, 0, 0, 0, 0, 0, 994, 0, 2050, 0, 0, 1826, 0, 1273, 0, 0, 104, 0, 0, 0, 1993, 0, 1461, 0,
    492, 0, 1992, 0, 0, 988, 1730, 56, 734, 979, 0, 1565, 1855, 0, 0, 0, 1091, 0, 0, 1434, 1432, 600, 0, 0,
    817, 0, 0, 569, 2108, 0, 314, 390, 925, 527, 1437, 1695, 1204, 1125, 1333, 433, 0, 1887, 0, 7, 0, 0, 625, 775,
    1386, 0, 1909, 451, 0, 0, 1599, 0, 0, 0, 0, 190, 542, 0, 477, 1832, 272, 499, 872, 1440, 0, 0, 0, 0,
    0, 0, 790, 597, 0, 1149, 0, 1581, 476, 136, 1708, 1396, 0, 0, 1435, 391, 423, 0, 0, 0, 0, 0, 0, 0,
    0, 1719, 0, 0, 1231, 1789, 0, 0, 494, 873, 1205, 605, 1299, 2060, 1130, 0, 1449, 0, 815, 0, 0, 0, 36, 0,
    118, 0, 0, 0, 0, 500, 787, 580, 0, 0, 1066, 0, 0, 0, 0, 0, 0, 953, 0, 1076, 0, 0, 0, 1833,
    243, 1428, 0, 110, 2086, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1627, 1311, 0, 1004, 0, 0, 435, 503,
    619, 1048, 1098, 1712, 849, 0, 0, 0, 1632, 0, 282, 0, 170, 1722, 0, 1834, 0, 0, 0, 1198, 0, 0, 0, 0,
    795, 958, 0, 0, 0, 0, 796, 0, 1408, 0, 0, 0, 1852, 413, 0, 44, 1248, 1454, 1851, 0, 0, 0, 0, 2102,
    0, 0, 86, 0, 0, 0, 167, 0, 1881, 1317, 0, 0, 1360, 1542, 0, 0, 1070, 1214, 1717, 0, 0, 832, 1470, 0,
    1932, 0, 125, 0, 1006, 0, 1726, 0, 0, 0, 1361, 0, 333, 0, 0, 0, 0, 531, 0, 0, 0, 0, 0, 0,
    0, 1302, 0, 0, 0, 0, 0, 799, 291, 890, 1237, 0, 0, 895, 1698, 1880, 0, 0, 1983, 504, 0, 1155, 0, 461,
    0, 11, 0, 0, 1035, 800, 975, 1162, 1160, 1275, 1481, 829, 0, 0, 127, 759, 0, 123, 1308, 1256, 2046, 0, 0, 0,
    250, 831, 1905, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 182, 1939, 0, 1176, 867, 0, 0, 1655, 0,
    0, 0, 0, 0, 0, 0, 1346, 1657, 1664, 0, 1482, 1803, 0, 303, 0, 0, 175, 2048, 0, 1207, 876, 553, 242, 1165,
    927, 1986, 0, 0, 2077, 0, 0, 1753, 1866, 924, 0, 409, 898, 1741, 1158, 1747, 1931, 516, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 903, 1902, 0, 0, 351, 483, 971, 0, 0, 0, 0, 240, 1517, 2043, 0, 83, 0, 0, 0, 0, 0,
    0, 0, 1821, 1906, 0, 0, 0, 1038, 0, 1042, 0, 1045, 1041, 0, 1979, 0, 692, 0, 0, 2121, 288, 124, 1736, 0,
    0, 0, 1249, 0, 0, 0, 0, 0, 0, 1340, 406, 41, 656, 427, 0, 321, 2040, 328, 0, 68, 1052, 0, 1578, 1901,
    0, 2035, 0, 0, 822, 1920, 2054, 0, 0, 350, 0, 0, 0, 0, 1654, 598, 260, 1786, 1922, 0, 1, 0, 0, 1579,
    1940, 0, 0, 1206, 826, 999, 1177, 1314, 1594, 1054, 1591, 1858, 1211, 0, 0, 1294, 1707, 191, 846, 1436, 0, 769, 1069, 0,
    0, 794, 0, 0, 109, 372, 1203, 1533, 0, 85, 1010, 540, 1216, 1217, 1792, 0, 575, 1339, 0, 0, 0, 0, 1648, 0,
    670, 0, 0, 0, 0, 0, 0, 0, 0, 397, 0, 0, 870, 1512, 0, 410, 0, 447, 0, 0, 2110, 0, 0, 0,
    0, 0, 0, 926, 1899, 1043, 0, 0, 0, 51, 0, 541, 0, 156, 150, 1945, 2115, 1556, 0, 0, 1811, 0, 0, 708,
    0, 144, 251, 526, 545, 595, 52, 513, 2093, 0, 0, 112, 830, 1572, 142, 1704, 0, 0, 359, 583, 1382, 193, 55, 1758,
    1878, 0, 0, 715, 0, 714, 1761, 1748, 0, 74, 0, 0, 1058, 0, 0, 0, 1050, 1778, 0, 319, 1266, 0, 0, 0,
    0, 1297, 0, 0, 0, 0, 776, 0, 0, 0, 682, 651, 1265, 2036, 0, 1628, 438, 1060, 225, 1445, 0, 509, 1473, 0,
    1059, 0, 1489, 285, 441, 1458, 153, 1306, 484, 857, 0, 0, 0, 1737, 0, 0, 287, 654, 114, 1178, 1666, 0, 478, 82,
    514, 457, 79, 365, 591, 686, 1061, 1873, 1635, 1885, 0, 0, 0, 0, 1239, 1395, 1416, 0, 0, 0, 1459, 1460, 0, 80,
    1526, 0, 2109, 1003, 0, 479, 694, 1230, 1570, 0, 801, 0, 816, 1136, 1064, 1190, 0, 0, 0, 0, 561, 0, 0, 0,
    0, 0, 1995, 847, 2119, 0, 1667, 641, 0, 15, 1142, 0, 0, 1324, 1636, 0, 802, 511, 659, 356, 811, 1602, 1608, 1898,
    2084, 141, 0, 95, 0, 0, 0, 0, 0, 0, 0, 939, 0, 1141, 0, 1037, 984, 1329, 1427, 0, 286, 1536, 1179, 295,
    1209, 1674, 277, 578, 814, 2100, 0, 0, 0, 547, 0, 0, 1491, 0, 1953, 1171, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 1055, 0, 0, 1782, 518, 0, 0, 0, 0, 1844, 0, 0, 0, 0, 30, 1974, 0, 530, 0, 0, 0, 259,
    0, 0, 0, 0, 1876, 0, 1337, 0, 0, 672, 1084, 1251, 238, 1019, 1018, 0, 0, 0, 0, 0, 0, 0, 0, 1027,
    0, 2098, 0, 0, 0, 1669, 0, 1356, 289, 0, 0, 0, 0, 2010, 1222, 0, 1164, 0, 1017, 1456, 515, 1015, 1014, 199,
    1013, 1016, 720, 0, 0, 158, 517, 997, 0, 0, 0, 0, 0, 2033, 0, 0, 1197, 721, 105, 1172, 1676, 691, 0, 0,
    704, 0, 703, 1023, 0, 2064, 458, 0, 0, 0, 722, 0, 0, 0, 554, 0, 0, 0, 442, 543, 620, 0, 0, 909,
    0, 0, 0, 0, 0, 348, 1151, 210, 1022, 1544, 1671, 446, 828, 1020, 1021, 1796, 901, 861, 1414, 893, 161, 1776, 1797, 904,
    0, 0, 0, 1982, 0, 0, 0, 0, 0, 1948, 1441, 0, 1241, 0, 0, 766, 467, 1175, 0, 0, 563, 487, 1531, 0,
    325, 0, 0, 0, 0, 1501, 2053, 818, 856, 1800, 65, 1288, 1774, 0, 0, 1401, 2081, 719, 0, 0, 1499, 0, 1025, 1404,
    1024, 1549, 0, 0, 0, 2065, 1240, 0, 224, 332, 1823, 0, 49, 675, 1497, 1597, 0, 0, 607, 2047, 0, 0, 0, 0,
    84, 689, 0, 823, 0, 1593, 1683, 217, 0, 311, 1552, 416, 717, 716, 346, 1548, 1665, 1529, 636, 1675, 1496, 1961, 0, 1301,
    412, 0, 0, 0, 23, 532, 820, 0, 0, 108, 892, 1696, 804, 1026, 1555, 0, 914, 1559, 0, 0, 0, 0, 1082, 0,
    0, 0, 59, 0, 1252, 0, 1075, 0, 0, 695, 1966, 0, 0, 0, 1476, 0, 1528, 1586, 0, 0, 1133, 0, 0, 0,
    931, 1820, 148, 1557, 2080, 0, 0, 1274, 297, 0, 0, 0, 1773, 0, 0, 0, 0, 0, 0, 0, 1223, 1417, 1687, 0,
    696, 0, 0, 0, 0, 0, 1007, 0, 0, 891, 0, 1543, 1697, 1818, 0, 408, 417, 344, 533, 665, 1034, 751, 1498, 1777,
    27, 1971, 793, 237, 353, 421, 739, 1115, 493, 1768, 1835, 0, 0, 0, 0, 2041, 0, 0, 1078, 100, 510, 1051, 280, 1161,
    1245, 1571, 188, 1745, 137, 405, 727, 967, 1817, 0, 0, 718, 765, 913, 0, 560, 886, 1009, 1785, 0, 273, 0, 0, 0,
    781, 0, 1972, 0, 0, 226, 0, 0, 0, 0, 0, 0, 228, 1538, 336, 1715, 1770, 0, 0, 0, 0, 0, 0, 0,
    1029, 1563, 1615, 1847, 1138, 19, 1097, 1973, 0, 0, 2124, 1132, 1547, 1725, 869, 393, 470, 0, 0, 0, 1202, 0, 658, 312,
    745, 957, 1330, 1362, 1421, 1424, 0, 122, 335, 976, 0, 9, 1783, 1524, 0, 0, 0, 0, 1525, 878, 0, 0, 1763, 0,
    1012, 1624, 0, 785, 1327, 2024, 523, 0, 0, 0, 1836, 883, 0, 0, 0, 1521, 0, 1229, 2039, 0, 1799, 0, 0, 0,
    0, 12, 0, 0, 355, 0, 1406, 0, 0, 267, 401, 962, 1952, 0, 0, 887, 0, 0, 0, 1938, 0, 1691, 1271, 143,
    1680, 0, 937, 1716, 2028, 0, 0, 1688, 1086, 1546, 1569, 1854, 0, 0, 1328, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 698, 1784, 1806, 57, 18, 587, 0, 145, 1504, 0, 0, 0, 0, 0, 1813, 1253, 0, 0, 0, 0, 343, 1520,
    0, 166, 0, 1242, 0, 1049, 171, 1780, 1212, 0, 0, 0, 702, 928, 0, 0, 644, 763, 760, 1490, 1815, 0, 1810, 0,
    0, 0, 525, 0, 342, 93, 0, 0, 0, 0, 256, 394, 0, 1113, 0, 0, 0, 894, 1583, 0, 0, 146, 1562, 1954,
    978, 687, 0, 135, 400, 1192, 1863, 1910, 2076, 0, 341, 1575, 0, 710, 0, 1480, 0, 164, 549, 1842, 0, 0, 0, 0,
    0, 0, 0, 2069, 1394, 0, 1689, 0, 1522, 0, 0, 1846, 834, 0, 279, 248, 897, 0, 1970, 639, 0, 1180, 1790, 275,
    1201, 2118, 0, 0, 806, 807, 0, 0, 0, 395, 201, 1092, 1128, 992, 0, 1700, 0, 1746, 0, 0, 0, 586, 1699, 1694,
    1001, 0, 938, 1584, 0, 0, 0, 0, 0, 0, 89, 0, 0, 0, 0, 0, 0, 0, 208, 460, 1827, 0, 581, 1293,
    0, 1087, 2114, 0, 0, 0, 185, 70, 1448, 0, 0, 290, 1106, 0, 1381, 0, 1829, 172, 374, 0, 902, 0, 0, 0,
    1167, 0, 131, 0, 0, 584, 1260, 1277, 1804, 0, 317, 326, 0, 1290, 1921, 0, 0, 0, 0, 0, 2096, 0, 0, 0,
    1659, 0, 0, 0, 0, 0, 72, 258, 1181, 1988, 0, 0, 448, 42, 388, 1196, 1690, 1831, 1505, 2072, 0, 0, 2103, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 564, 1310, 1318, 1292, 1344, 1354, 0, 0, 130, 521, 1723, 1933, 0, 1423, 445, 1650,
    0, 0, 212, 1643, 92, 0, 0, 0, 337, 0, 1950, 221, 1103, 0, 1735, 2070, 0, 0, 0, 0, 0, 0, 1850, 0,
    0, 585, 0, 981, 0, 386, 649, 792, 1430, 0, 0, 0, 0, 0, 0, 0, 0, 1566, 1908, 1724, 906, 965, 1508, 0,
    1199, 0, 1567, 519, 1062, 574, 0, 0, 1934, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 1727, 1742, 0, 1402, 1710, 1957, 0, 96, 466, 1843, 0, 0, 0, 437, 0, 1692, 0, 253, 653, 261, 646,
    821, 900, 38, 871, 462, 1140, 213, 1208, 1369, 1576, 1601, 0, 1210, 0, 0, 0, 2079, 1143, 647, 0, 0, 0, 0, 0,
    980, 1056, 1385, 0, 0, 0, 369, 471, 366, 1077, 0, 1752, 0, 0, 0, 1935, 0, 0, 0, 0, 1347, 102, 0, 0,
    0, 0, 0, 1812, 0, 0, 0, 474, 1892, 615, 1890, 0, 0, 0, 1900, 1089, 508, 1558, 1090, 0, 0, 1225, 657, 1864,
    1816, 0, 0, 0, 1913, 1814, 0, 0, 0, 0, 0, 805, 1663, 1243, 0, 0, 0, 0, 0, 0, 1258, 0, 0, 0,
    0, 858, 1359, 2006, 0, 0, 1802, 0, 688, 0, 215, 571, 0, 0, 0, 0, 910, 544, 0, 60, 0, 573, 1264, 2034,
    650, 0, 0, 0, 0, 0, 0, 842, 2123, 841, 1465, 1732, 1079, 1918, 2012, 0, 0, 186, 1153, 1247, 1673, 2094, 0, 1244,
    0, 132, 411, 743, 0, 128, 1467, 0, 66, 345, 0, 315, 0, 0, 0, 71, 2090, 0, 0, 0, 0, 0, 505, 0,
    0, 1262, 1507, 0, 0, 429, 155, 298, 0, 103, 936, 1825, 0, 0, 1767, 0, 1798, 1413, 0, 0, 548, 0, 0, 0,
    0, 1959, 789, 1254, 0, 865, 0, 0, 0, 202, 0, 0, 948, 362, 0, 0, 0, 0, 0, 0, 0, 450, 0, 0,
    0, 0, 0, 1111, 113, 90, 1157, 538, 16, 740, 1471, 1912, 679, 1341, 2117, 1032, 1081, 1997, 0, 181, 0, 0, 0, 0,
    875, 798, 349, 741, 0, 197, 0, 0, 0, 1011, 0, 678, 1259, 0, 0, 1296, 101, 274, 742, 306, 852, 1443, 810, 1446,
    2122, 635, 1152, 154, 1705, 1592, 0, 0, 582, 1282, 1503, 0, 0, 0, 896, 1897, 0, 1156, 860, 0, 0, 0, 163, 614,
    0, 774, 1425, 1439, 468, 930, 2120, 236, 1194, 1513, 323, 173, 0, 1108, 1960, 853, 0, 0, 0, 0, 0, 0, 2021, 0,
    214, 0, 0, 0, 0, 0, 0, 0, 618, 1824, 1598, 602, 1884, 522, 0, 0, 0, 2055, 0, 0, 1495, 0, 0, 0,
    1856, 1392, 1278, 0, 0, 204, 684, 606, 115, 1319, 1714, 1781, 1917, 2063, 0, 0, 0, 0, 603, 2032, 1619, 271, 195, 0,
    0, 0, 0, 736, 1775, 556, 735, 1620, 489, 385, 1281, 1962, 0, 0, 35, 0, 0, 1466, 2062, 0, 0, 24, 316, 1028,
    1358, 0, 840, 0, 0, 233, 0, 0, 0, 0, 0, 738, 0, 371, 13, 737, 262, 941, 1289, 666, 0, 0, 0, 0,
    0, 0, 0, 1743, 0, 1642, 1718, 0, 923, 0, 0, 0, 0, 0, 758, 1604, 419, 0, 955, 1279, 1063, 0, 1989, 1257,
    227, 1541, 1987, 609, 232, 0, 0, 375, 1300, 2116, 0, 111, 0, 229, 168, 1693, 1915, 0, 1335, 1999, 404, 0, 0, 0,
    269, 0, 0, 0, 0, 380, 0, 179, 284, 1865, 1914, 0, 0, 0, 1483, 0, 0, 0, 640, 813, 73, 0, 0, 0,
    0, 0, 669, 241, 0, 0, 0, 0, 0, 1255, 1684, 1686, 1469, 1791, 0, 1605, 1867, 0, 293, 0, 0, 0, 28, 0,
    0, 0, 611, 152, 1267, 1677, 824, 0, 0, 1611, 0, 0, 1287, 1923, 0, 0, 69, 0, 33, 0, 424, 862, 1848, 1882,
    0, 1410, 0, 364, 310, 379, 1150, 2099, 1429, 45, 0, 0, 0, 1550, 0, 0, 877, 0, 1348, 0, 0, 0, 1309, 1828,
    0, 0, 97, 1668, 2017, 1809, 0, 546, 1739, 378, 1560, 2113, 1670, 0, 1976, 0, 99, 1185, 843, 339, 1911, 1808, 0, 1927,
    2087, 0, 0, 0, 0, 0, 0, 230, 589, 392, 626, 627, 628, 629, 10, 425, 970, 1313, 396, 1269, 631, 157, 46, 630,
    632, 633, 1283, 502, 1589, 1771, 1787, 772, 1080, 1788, 1493, 1965, 1969, 2044, 0, 219, 1372, 0, 91, 0, 0, 0, 964, 1159,
    231, 1706, 0, 1977, 0, 845, 705, 0, 0, 376, 0, 0, 0, 2016, 0, 771, 0, 1393, 0, 1561, 338, 1200, 486, 420,
    868, 1326, 940, 985, 1682, 184, 1980, 0, 0, 0, 0, 0, 616, 555, 844, 1861, 0, 0, 0, 0, 1869, 1246, 1383, 149,
    1218, 2014, 0, 1930, 0, 0, 459, 1872, 0, 1963, 1107, 0, 0, 0, 0, 0, 833, 439, 1442, 0, 0, 0, 944, 1233,
    1397, 617, 0, 0, 480, 622, 0, 0, 0, 354, 0, 1488, 0, 0, 0, 0, 983, 778, 0, 0, 0, 2015, 0, 0,
    0, 2013, 0, 0, 947, 1323, 0, 234, 2125, 767, 0, 1305, 643, 0, 0, 0, 160, 1453, 0, 1366, 0, 0, 0, 558,
    2089, 0, 0, 0, 0, 0, 485, 0, 0, 0, 819, 25, 0, 0, 1840, 0, 53, 0, 0, 0, 645, 0, 0, 0,
    0, 216, 0, 0, 0, 0, 0, 0, 0, 566, 1630, 2002, 2004, 0, 974, 577, 1331, 1332, 1751, 728, 183, 0, 0, 0,
    0, 0, 0, 1738, 162, 0, 725, 347, 729, 1640, 0, 0, 726, 730, 1518, 1795, 1925, 1633, 1641, 0, 0, 0, 0, 0,
    0, 244, 0, 731, 993, 469, 912, 62, 1603, 2030, 0, 0, 1105, 929, 0, 732, 786, 1853, 1656, 0, 0, 733, 0, 0,
    0, 211, 0, 2078, 0, 0, 0, 1600, 381, 576, 2031, 265, 475, 0, 884, 1764, 0, 402, 266, 367, 0, 1891, 2011, 0,
    43, 1661, 200, 1991, 637, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1191, 0, 0, 0, 0, 1219, 951, 1083,
    537, 661, 0, 0, 1506, 1484, 723, 1896, 2005, 1711, 652, 1485, 724, 283, 1220, 1002, 969, 1120, 1893, 1894, 963, 1895, 263, 1944,
    1946, 0, 660, 0, 0, 0, 300, 1384, 0, 0, 0, 0, 0, 0, 592, 0, 0, 0, 0, 422, 407, 0, 1357, 0,
    0, 954, 506, 453, 1494, 0, 329, 952, 1295, 961, 1532, 827, 512, 0, 0, 0, 0, 1123, 1438, 0, 302, 1949, 2042, 2073,
    205, 22, 590, 2082, 126, 194, 690, 0, 0, 0, 837, 399, 1841, 0, 0, 0, 0, 169, 119, 245, 14, 0, 1845, 2025,
    0, 916, 1875, 133, 0, 0, 0, 0, 0, 0, 330, 222, 0, 0, 1702, 0, 0, 1147, 0, 0, 1637, 1124, 943, 2097,
    0, 129, 0, 0, 0, 0, 0, 1703, 579, 835, 596, 1744, 2052, 866, 1235, 1433, 0, 565, 1879, 0, 1595, 0, 0, 0,
    0, 0, 0, 0, 0, 746, 0, 1510, 0, 0, 0, 270, 1342, 1487, 1312, 1373, 1514, 1588, 2057, 567, 777, 1580, 207, 2111,
    0, 610, 0, 1951, 0, 0, 1046, 2056, 1755, 189, 64, 1102, 473, 664, 683, 808, 0, 2023, 0, 0, 1534, 1779, 1830, 497,
    0, 0, 709, 1452, 0, 0, 0, 0, 0, 0, 1968, 0, 0, 0, 0, 223, 0, 0, 1226, 1391, 0, 1409, 0, 0,
    2009, 0, 0, 0, 1577, 0, 0, 1376, 0, 0, 58, 0, 0, 0, 0, 0, 47, 0, 1450, 1623, 498, 1838, 2037, 1088,
    50, 0, 0, 0, 528, 1067, 0, 31, 2083, 986, 2049, 0, 601, 0, 0, 608, 0, 0, 0, 0, 0, 0, 0, 1131,
    0, 642, 0, 693, 764, 1338, 1349, 1874, 0, 1837, 449, 1919, 0, 0, 0, 851, 885, 0, 0, 1886, 0, 0, 0, 5,
    882, 1740, 0, 0, 599, 706, 116, 165, 1170, 0, 0, 0, 0, 0, 0, 0, 0, 0, 987, 0, 0, 0, 1121, 1463,
    1462, 1464, 0, 0, 0, 0, 2019, 0, 0, 1315, 1947, 0, 0, 88, 1033, 1316, 0, 0, 0, 0, 0, 138, 1444, 0,
    0, 676, 783, 701, 919, 1750, 0, 0, 1766, 1765, 1975, 0, 0, 0, 0, 0, 879, 0, 218, 192, 1114, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 1390, 292, 373, 674, 1144, 1352, 1234, 0, 368, 539, 1805, 1374, 0, 0, 0, 0, 0, 0,
    1117, 0, 942, 0, 945, 0, 0, 117, 1857, 949, 1447, 0, 61, 0, 0, 0, 0, 0, 0, 2051, 327, 648, 0, 0,
    613, 0, 0, 0, 0, 0, 0, 39, 1355, 1849, 196, 1943, 1030, 0, 0, 0, 998, 0, 0, 0, 1036, 1375, 440, 1325,
    0, 1353, 0, 0, 784, 1757, 0, 0, 0, 0, 0, 0, 0, 0, 1955, 1819, 0, 1862, 0, 0, 680, 1040, 917, 1053,
    0, 524, 370, 206, 1057, 0, 1610, 0, 0, 1709, 0, 1074, 1343, 0, 488, 0, 0, 106, 358, 864, 1110, 1760, 0, 0,
    0, 431, 0, 0, 0, 2045, 254, 1904, 1590, 0, 0, 0, 377, 1651, 1364, 1729, 2001, 1109, 0, 1451, 0, 0, 1236, 1365,
    1647, 1701, 1731, 1984, 0, 0, 0, 0, 0, 0, 1859, 0, 1118, 1582, 296, 568, 1996, 1907, 1126, 246, 0, 0, 0, 1139,
    0, 0, 559, 0, 1468, 685, 1163, 0, 301, 0, 0, 0, 557, 671, 1649, 0, 839, 1681, 0, 0, 773, 0, 363, 1345,
    0, 1215, 0, 0, 0, 911, 0, 0, 0, 0, 1502, 0, 0, 0, 1889, 0, 1412, 1644, 0, 0, 1174, 0, 0, 1475,
    426, 0, 0, 324, 1660, 2088, 0, 770, 1008, 1189, 1645, 1380, 428, 1363, 1568, 1749, 0, 0, 1685, 1379, 1519, 0, 0, 0,
    0, 0, 2112, 8, 0, 0, 0, 0, 1224, 54, 634, 1762, 40, 0, 1286, 0, 0, 1232, 1099, 1263, 768, 1613, 1877, 668,
    1270, 309, 463, 907, 1658, 2068, 922, 0, 681, 1321, 1350, 1793, 0, 968, 782, 0, 638, 1119, 1994, 436, 340, 0, 1554, 0,
    382, 0, 1564, 0, 0, 0, 2026, 0, 0, 0, 4, 990, 0, 1228, 1368, 1112, 1614, 1734, 1371, 0, 0, 0, 1336, 0,
    0, 562, 712, 0, 0, 98, 809, 0, 0, 1511, 75, 624, 305, 1407, 21, 94, 203, 1431, 0, 257, 0, 0, 0, 0,
    0, 0, 1539, 1516, 1478, 0, 0, 76, 1936, 0, 0, 0, 0, 779, 1728, 2, 1477, 1903, 0, 0, 0, 0, 320, 0,
    32, 0, 0, 0, 1622, 464, 874, 0, 0, 1573, 0, 0, 0, 0, 0, 1662, 0, 0, 0, 588, 899, 0, 78, 0,
    0, 0, 1280, 1272, 1307, 0, 1472, 17, 1756, 1609, 0, 1389, 1967, 1625, 0, 0, 0, 0, 1629, 0, 0, 0, 973, 0,
    0, 0, 0, 1537, 0, 0, 1985, 0, 0, 139, 0, 0, 0, 0, 0, 0, 307, 1116, 0, 0, 0, 0, 570, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 252, 1612, 0, 0, 0, 0, 496, 0, 0, 1754, 0, 0, 1422,
    0, 187, 0, 1721, 0, 29, 0, 0, 0, 0, 1415, 0, 0, 0, 0, 0, 249, 0, 209, 1769, 0, 481, 176, 0,
    0, 77, 140, 1509, 2061, 0, 1772, 551, 0, 995, 432, 1387, 0, 0, 0, 1634, 0, 0, 0, 755, 0, 0, 0, 0,
    1005, 966, 0, 0, 0, 0, 0, 756, 1377, 134, 1990, 1474, 294, 757, 1186, 1291, 0, 0, 0, 1093, 0, 247, 1187, 1759,
    850, 1400, 905, 1031, 0, 1000, 177, 0, 0, 0, 552, 434, 1574, 0, 854, 707, 0, 313, 1479, 0, 0, 0, 825, 1182,
    2018, 0, 507, 0, 0, 3, 0, 1596, 2022, 1213, 0, 0, 1527, 1860, 0, 331, 1367, 1888, 0, 0, 0, 0, 747, 1378,
    1871, 0, 1679, 1678, 452, 748, 859, 1807, 398, 662, 744, 2027, 2058, 0, 0, 0, 0, 0, 26, 752, 1500, 1794, 147, 1631,
    1868, 0, 387, 304, 0, 0, 749, 753, 1188, 1870, 0, 2029, 750, 754, 0, 0, 572, 0, 0, 956, 0, 797, 812, 711,
    920, 996, 0, 0, 0, 0, 0, 2074, 120, 612, 2075, 1941, 318, 0, 1065, 1515, 0, 0, 1713, 239, 1535, 2105, 0, 37,
    0, 1238, 0, 0, 0, 0, 0, 921, 0, 982, 322, 1276, 2085, 0, 0, 1924, 700, 0, 0, 1370, 0, 0, 1978, 0,
    0, 0, 762, 178, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 48,
};

