package tuples

import (
	_ "embed"
	"strings"
)

//go:embed irregular.tsv
var irregularTable string

// irregular is the lemma of a form that follows no rule, with v or n before the form.
var irregular = func() map[string]string {
	out := map[string]string{}
	for _, f := range table(irregularTable) {
		for _, form := range strings.Fields(f[2]) {
			if _, ok := out[f[0]+form]; !ok {
				out[f[0]+form] = f[1]
			}
		}
	}
	return out
}()

// table is the lines of a table that are no comments, by their columns.
func table(text string) (out [][]string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); line != "" && line[0] != '#' {
			out = append(out, strings.Split(line, "\t"))
		}
	}
	return out
}

// englishLemma is the lemma of an English form by its tags, by rules of spelling: for corpora whose parser gives
// none. Without a tag of the Penn Treebank nouns in -s are plurals and verbs are taken by their endings.
func englishLemma(form, upos, xpos string) string {
	w := strings.ToLower(form)
	switch upos {
	case "PROPN":
		return form
	case "NOUN":
		if xpos == "NNS" || xpos == "" && strings.HasSuffix(w, "s") {
			return singular(w)
		}
		return w
	case "VERB", "AUX":
		return verbLemma(w, xpos)
	}
	return w
}

func singular(w string) string {
	if l, ok := irregular["n"+w]; ok {
		return l
	}
	if head, ok := strings.CutSuffix(w, "men"); ok && len(w) > 5 {
		return head + "man"
	}
	n := len(w)
	switch {
	case n < 4 || !strings.HasSuffix(w, "s") || hasSuffix(w, "ss", "us", "is", "species", "series", "chaos") ||
		w[0] <= '9':
		return w
	case hasSuffix(w, "movies", "cookies", "calories", "zombies", "rookies", "selfies", "prairies"):
		return w[:n-1]
	case strings.HasSuffix(w, "ies") && n > 4:
		return w[:n-3] + "y"
	case hasSuffix(w, "sses", "shes", "ches", "xes", "zzes", "buses", "viruses", "statuses", "bonuses", "campuses") &&
		w != "axes" && w != "caches" && !hasSuffix(w, "daches", "thaches", "kaches", "rtaches", "lanches", "taches"),
		hasSuffix(w, "heroes", "potatoes", "tomatoes", "echoes", "volcanoes"):
		return w[:n-2]
	}
	return w[:n-1]
}

func verbLemma(w, xpos string) string {
	if xpos == "VB" || xpos == "VBP" {
		if w == "'ve" || w == "'re" || w == "'m" || w == "am" || w == "are" {
			return irregular["v"+w]
		}
		return w
	}
	if l, ok := irregular["v"+w]; ok {
		return l
	}
	n := len(w)
	switch {
	case strings.HasSuffix(w, "ing") && n > 4 && (xpos == "VBG" || xpos == ""):
		return baseForm(w[:n-3])
	case strings.HasSuffix(w, "ied") && n == 4 || strings.HasSuffix(w, "ies") && n == 4:
		return w[:n-1]
	case strings.HasSuffix(w, "ied"):
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "eed"):
		return strings.TrimSuffix(w, "d")
	case strings.HasSuffix(w, "ed") && n > 3:
		return baseForm(w[:n-2])
	case xpos != "VBZ" && xpos != "" || !strings.HasSuffix(w, "s") || n < 4 || strings.HasSuffix(w, "ss"):
		return w
	case strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	case hasSuffix(w, "sses", "shes", "ches", "xes", "zzes", "oes", "focuses", "biases") && w != "aches":
		return w[:n-2]
	}
	return w[:n-1]
}

// baseForm is the verb of a stem that is left when -ing or -ed is taken off: as it is (want), with e (hope), or with
// one letter of two (stop).
func baseForm(s string) string {
	n := len(s)
	prefixed := []string{"re", "un", "over", "under", "out", "mis", "dis", "pre", "co-", "re-"}
	if e, ok := stems[s]; ok {
		return e
	}
	for _, p := range prefixed {
		if rest, ok := strings.CutPrefix(s, p); ok {
			if e, ok := stems[rest]; ok && len(rest) > 2 {
				return p + e
			}
		}
	}
	switch {
	case n < 2:
		return s
	case s[n-1] == s[n-2] && !strings.ContainsRune("aeiousfz", rune(s[n-1])):
		if s[n-1] == 'l' && (syllables(s) == 1 || hasSuffix(s, "stall", "call", "roll", "fill", "pell", "fell")) &&
			!hasSuffix(s, "troll", "trol", "ppell", "mpell", "ropell", "xpell", "epell", "nnell") || s == "add" ||
			s == "err" || s == "purr" || s == "ebb" {
			return s
		}
		return s[:n-1]
	case needsE(s):
		return s + "e"
	}
	return s
}

// needsE tells of stems that have lost their last e.
func needsE(s string) bool {
	n := len(s)
	last, before := s[n-1], s[n-2]
	digraph := n > 2 && vowel(s[n-3]) && vowel(before) && s[n-3:n-1] != "ui" && (n < 4 || s[n-4:n-2] != "qu")
	switch last {
	case 'v', 'c', 'u':
		return true
	case 'z':
		return before != 'z' && before != 't'
	case 's':
		return before != 's' && !hasSuffix(s, "focus", "bias", "canvas", "gas")
	case 'g':
		return hasSuffix(s, "dg", "lg", "rg", "ag", "eg", "ig", "og", "ug", "uing", "leng", "veng") ||
			hasSuffix(s, "ang", "ing", "ung") && hasSuffix(s, "chang", "rang", "ring", "hing", "ving", "ping",
				"ung") && !hasSuffix(s, "bring", "spring", "string", "lung", "sung", "swung")
	case 'h':
		return hasSuffix(s, "breath", "bath", "sooth", "cloth", "loath", "teeth")
	case 'l':
		return !vowel(before) && !strings.ContainsRune("lrw", rune(before)) || !digraph &&
			(hasSuffix(s, "il", "ul", "ol") && !hasSuffix(s, "pencil", "counsil", "evil", "consul", "col", "ambol") ||
				hasSuffix(s, "al") && syllables(s) == 1)
	case 'd':
		return vowel(before) && !digraph && !hasSuffix(s, "ed", "ad") ||
			hasSuffix(s, "reced", "onced", "imped", "pervad", "vad", "suad", "trad", "fad", "grad", "parad", "raid",
				"rced") && !digraph || hasSuffix(s, "ad") && !digraph && syllables(s) == 1
	case 't':
		return needsEAfterT(s, digraph)
	case 'r':
		return hasSuffix(s, "ur", "ir", "ar", "or") && !digraph &&
			!hasSuffix(s, "favor", "honor", "color", "labor", "error", "sponsor", "hbor", "clamor", "censor",
				"monitor", "author", "mirror", "anchor", "harbor", "tutor", "factor", "armor", "humor", "murmur",
				"sulfur", "endeavor", "collar", "pillar", "sugar", "vector", "doctor", "ior", "mentor", "motor",
				"editor",
				"meteor", "savor") || hasSuffix(s, "terfer", "adher", "persever", "coher", "spher")
	case 'n':
		return hasSuffix(s, "in", "un", "ein") && !digraph && !hasSuffix(s, "cabin", "margin", "ruin", "bargain") ||
			hasSuffix(s, "phon", "pon", "ton", "don", "hon", "clon", "zon") &&
				!hasSuffix(s, "abandon", "pardon", "button", "cotton", "weapon", "aston", "fashion") &&
				syllables(s) <= 2 || hasSuffix(s, "ven", "ben", "ren") &&
			hasSuffix(s, "interven", "conven", "contraven")
	case 'm':
		return hasSuffix(s, "am", "om", "um", "im", "em") && !digraph &&
			!hasSuffix(s, "blossom", "custom", "vacuum", "ransom", "fathom", "victim", "problem", "phantom", "bottom",
				"esteem", "redeem")
	case 'k':
		return vowel(before) && !digraph && before != 'o' || hasSuffix(s, "ok") && !digraph
	case 'p':
		return vowel(before) && !digraph && !hasSuffix(s, "develop", "gallop", "gossip", "worship", "envelop",
			"wallop", "equip")
	case 'b':
		return vowel(before) && !digraph && !hasSuffix(s, "climb")
	}
	return false
}

func needsEAfterT(s string, digraph bool) bool {
	switch {
	case hasSuffix(s, "at", "eiat", "iat", "eat", "oat", "uat"):
		return !hasSuffix(s, "eat", "oat", "combat", "format", "squat") ||
			hasSuffix(s, "creat", "recreat", "procreat", "permeat", "delineat", "nauseat")
	case digraph:
		return false
	case hasSuffix(s, "it"):
		return hasSuffix(s, "writ", "nit", "vit", "cit", "bit", "spit", "mit") &&
			!hasSuffix(s, "limit", "inhibit", "exhibit", "prohibit", "solicit", "elicit", "orbit", "debit", "vomit",
				"monit", "admit", "cohabit", "exploit")
	case hasSuffix(s, "et"):
		return hasSuffix(s, "plet", "pet", "delet", "obsolet") && !hasSuffix(s, "carpet", "trumpet")
	case hasSuffix(s, "ot"):
		return !hasSuffix(s, "pilot", "pivot", "ballot", "plot", "riot")
	case hasSuffix(s, "ut"):
		return !hasSuffix(s, "debut", "shut")
	}
	return hasSuffix(s, "tast", "wast", "past", "hast", "bast")
}

// stems are those that go against the rules.
var stems = map[string]string{"be": "be", "agre": "agree", "se": "see", "fre": "free", "guarante": "guarantee",
	"disagre": "disagree", "decre": "decree", "referee": "referee", "welcom": "welcome", "com": "come",
	"becom": "become", "hav": "have", "ow": "owe", "dy": "dye", "ey": "eye", "ag": "age", "us": "use", "eas": "ease",
	"ax": "axe", "edit": "edit", "visit": "visit", "profit": "profit", "benefit": "benefit", "merit": "merit",
	"inherit": "inherit", "credit": "credit", "exit": "exit", "audit": "audit", "deposit": "deposit",
	"posit": "posit", "hang": "hang", "bang": "bang", "sign": "sign", "begin": "begin", "join": "join", "toe": "toe",
	"sho": "shoe", "cano": "canoe", "plagu": "plague", "combin": "combine", "quot": "quote", "not": "note",
	"vot": "vote", "ar": "are", "singe": "singe", "dying": "die", "belong": "belong", "long": "long", "sing": "sing",
	"ring": "ring", "wing": "wing", "swing": "swing", "cling": "cling", "fling": "fling", "sting": "sting",
	"king": "king", "ping": "ping", "hing": "hinge", "gang": "gang", "tackl": "tackle", "invit": "invite",
	"unit": "unite", "ignit": "ignite", "recruit": "recruit", "wait": "wait", "ski": "ski", "taxi": "taxi",
	"echo": "echo", "go": "go", "do": "do", "veto": "veto", "undergo": "undergo", "believ": "believe",
	"pleas": "please", "increas": "increase", "releas": "release", "ceas": "cease", "leas": "lease", "teas": "tease",
	"rais": "raise", "prais": "praise", "nois": "noise", "caus": "cause", "paus": "pause", "hous": "house",
	"rous": "rouse", "choos": "choose", "loos": "loose", "sooth": "soothe", "loath": "loathe", "breath": "breathe",
	"seiz": "seize", "amaz": "amaze", "leagu": "league", "achiev": "achieve", "receiv": "receive",
	"perceiv": "perceive", "leav": "leave", "heav": "heave", "siev": "sieve", "cruis": "cruise", "bruis": "bruise",
	"juic": "juice", "voic": "voice", "rejoic": "rejoice", "pierc": "pierce", "announc": "announce", "scen": "scene",
	"suppos": "suppose", "fuel": "fuel", "duel": "duel", "tunnel": "tunnel", "shap": "shape", "impli": "imply",
	"schedul": "schedule", "ful": "full", "fil": "file", "trail": "trail", "co-operat": "co-operate", "chas": "chase",
	"chang": "change"}

func syllables(s string) (n int) {
	for i := range len(s) {
		if vowel(s[i]) && (i == 0 || !vowel(s[i-1])) {
			n++
		}
	}
	return n
}

func vowel(c byte) bool { return strings.IndexByte("aeiouy", c) >= 0 }

func hasSuffix(s string, ends ...string) bool {
	for _, e := range ends {
		if strings.HasSuffix(s, e) {
			return true
		}
	}
	return false
}
