package inflect

import "strings"

// plurals of nouns that do not add s.
var plurals = pairs(`man men woman women child children foot feet tooth teeth goose geese mouse mice louse lice ox oxen
person people penny pennies die dice knife knives wife wives life lives leaf leaves loaf loaves half halves shelf shelves
self selves elf elves thief thieves calf calves wolf wolves scarf scarves hoof hooves analysis analyses basis bases
crisis crises thesis theses hypothesis hypotheses oasis oases axis axes diagnosis diagnoses emphasis emphases
synthesis syntheses parenthesis parentheses phenomenon phenomena criterion criteria datum data medium media
bacterium bacteria curriculum curricula stimulus stimuli fungus fungi nucleus nuclei cactus cacti alumnus alumni
radius radii syllabus syllabi appendix appendices index indices matrix matrices vertex vertices formula formulae
larva larvae alga algae quiz quizzes bus buses gas gases lens lenses virus viruses status statuses iris irises
movie movies cookie cookies tie ties pie pies lie lies zombie zombies calorie calories brownie brownies selfie selfies
shoe shoes toe toes foe foes canoe canoes house houses horse horses nurse nurses purse purses cause causes
clause clauses excuse excuses use uses case cases phase phases base bases phrase phrases purchase purchases
disease diseases increase increases decrease decreases release releases database databases vase vases blouse blouses
spouse spouses mousse mousses course courses source sources axe axes cache caches ache aches headache headaches
toothache toothaches avalanche avalanches moustache moustaches niche niches size sizes prize prizes breeze breezes
bronze bronzes hero heroes potato potatoes tomato tomatoes echo echoes`)

// invariant nouns have one form.
var invariant = set(`sheep deer fish aircraft series species means headquarters crossroads offspring salmon trout swine
bison shrimp spacecraft hovercraft moose news`)

// oes are nouns in o that add es.
var oes = set(`hero potato tomato echo veto embargo torpedo mosquito tornado volcano`)

// inS are words in s after a vowel.
var inS = set(`bus focus bias gas virus campus status bonus census chorus circus corpus sinus canvas atlas surplus plus
prospectus consensus apparatus walrus iris tennis bis`)

// hardCh are words whose ch is a k.
var hardCh = set(`stomach monarch epoch patriarch loch tech`)

// compoundEnds are irregular nouns that others end in.
var compoundEnds = []string{"woman", "man", "child", "foot", "tooth", "wife", "life", "self", "shelf",
	"mouse", "person"}

// solid are words that end in them and have regular plurals.
var solid = set(`human german roman woman shaman talisman ottoman norman caiman titmouse`)

// stressed are verbs of several syllables that double their last consonant.
var stressed = set(`admit begin commit compel concur confer control defer deter dispel emit equip excel expel forbid
forget format handicap incur infer kidnap occur omit patrol permit prefer program propel rebel recur refer regret remit
repel submit transfer transmit upset worship acquit travel cancel label model signal level fuel quarrel counsel
marvel dial outfit input output overlap unwrap reset`)

// prefixes make verbs that are inflected as what follows.
var prefixes = []string{"over", "under", "out", "re", "un", "mis", "fore", "with", "up", "inter"}

// regular are verbs that only look as if they had such a prefix.
var regular = set(`relay reply reset offset recall retread remind return regrind remake`)

// alsoBase are forms that are a base besides.
var alsoBase = set(`found saw lay fell felt left wound bound ground rose bore read put set cut hit let hurt cost shut
split spread quit bet burst cast rid come become run overcome bring sing ring swing spring sting cling fling wring string
need feed seed bleed breed speed proceed succeed exceed embed wed shed weed heed bid bus focus process access pass miss
discuss express press dress guess address possess assess stress cross toss kiss bless confess impress progress suppress
witness harness bias`)

// irregulars are past and participle by base.
var irregulars = verbs(`arise arose arisen|awake awoke awoken|be was been|bear bore borne|beat beat beaten|
become became become|begin began begun|bend bent bent|bet bet bet|bind bound bound|bite bit bitten|bleed bled bled|
blow blew blown|break broke broken|breed bred bred|bring brought brought|build built built|burst burst burst|
buy bought bought|cast cast cast|catch caught caught|choose chose chosen|cling clung clung|come came come|cost cost cost|
creep crept crept|cut cut cut|deal dealt dealt|dig dug dug|do did done|draw drew drawn|drink drank drunk|
drive drove driven|eat ate eaten|fall fell fallen|feed fed fed|feel felt felt|fight fought fought|find found found|
flee fled fled|fling flung flung|fly flew flown|forbid forbade forbidden|forget forgot forgotten|
forgive forgave forgiven|freeze froze frozen|get got got|give gave given|go went gone|grind ground ground|
grow grew grown|hang hung hung|have had had|hear heard heard|hide hid hidden|hit hit hit|hold held held|hurt hurt hurt|
keep kept kept|kneel knelt knelt|know knew known|lay laid laid|lead led led|leave left left|lend lent lent|let let let|
lie lay lain|light lit lit|lose lost lost|make made made|mean meant meant|meet met met|pay paid paid|put put put|
quit quit quit|read read read|ride rode ridden|ring rang rung|rise rose risen|run ran run|say said said|see saw seen|
seek sought sought|sell sold sold|send sent sent|set set set|sew sewed sewn|shake shook shaken|shed shed shed|
shine shone shone|shoot shot shot|show showed shown|shrink shrank shrunk|shut shut shut|sing sang sung|sink sank sunk|
sit sat sat|sleep slept slept|slide slid slid|speak spoke spoken|spend spent spent|spin spun spun|split split split|
spread spread spread|spring sprang sprung|stand stood stood|steal stole stolen|stick stuck stuck|sting stung stung|
stink stank stunk|strike struck struck|strive strove striven|swear swore sworn|sweep swept swept|swell swelled swollen|
swim swam swum|swing swung swung|take took taken|teach taught taught|tear tore torn|tell told told|think thought thought|
throw threw thrown|understand understood understood|upset upset upset|wake woke woken|wear wore worn|weave wove woven|
weep wept wept|win won won|wind wound wound|withdraw withdrew withdrawn|wring wrung wrung|write wrote written`)

// singulars is plurals the other way; of two singulars with one plural the first counts.
var singulars = func() map[string]string {
	out := make(map[string]string, len(plurals))
	words := strings.Fields(pluralText)
	for i := 0; i+1 < len(words); i += 2 {
		if _, ok := out[words[i+1]]; !ok {
			out[words[i+1]] = words[i]
		}
	}
	return out
}()

// irregularForms are the readings of forms of irregular verbs.
var irregularForms = func() map[string][]Analysis {
	out := map[string][]Analysis{"am": {{"be", Base}}, "are": {{"be", Base}}, "were": {{"be", Past}}}
	for _, line := range strings.Split(verbText, "|") {
		base := strings.Fields(line)[0]
		for f, form := range Conjugate(base) {
			out[form] = append(out[form], Analysis{base, Form(f)})
		}
	}
	return out
}()

var pluralText, verbText string

func pairs(list string) map[string]string {
	pluralText = list
	words := strings.Fields(list)
	out := make(map[string]string, len(words)/2)
	for i := 0; i+1 < len(words); i += 2 {
		out[words[i]] = words[i+1]
	}
	return out
}

func set(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

func verbs(list string) map[string][]string {
	verbText = list
	out := map[string][]string{}
	for _, line := range strings.Split(list, "|") {
		f := strings.Fields(line)
		out[f[0]] = f[1:]
	}
	return out
}
