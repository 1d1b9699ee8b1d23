package pairrelation

import "strings"

// americanWords are British spellings of which no rule of letters tells the American one.
var americanWords = map[string]string{
	"aluminium": "aluminum", "artefact": "artifact", "axe": "ax", "cheque": "check", "cosy": "cozy", "draught": "draft",
	"gaol": "jail", "grey": "gray", "jewellery": "jewelry", "kerb": "curb", "licence": "license", "manoeuvre": "maneuver",
	"mould": "mold", "moustache": "mustache", "plough": "plow", "practise": "practice", "programme": "program",
	"pyjamas": "pajamas", "sceptic": "skeptic", "sceptical": "skeptical", "sulphur": "sulfur", "tyre": "tire",
	"yoghurt": "yogurt",
	"defence": "defense", "offence": "offense", "pretence": "pretense",
}

// americanEndings are endings of British spellings with the American ones, for words of at least so
// many letters. The result need be no word: it only has to be the same for both spellings.
var americanEndings = []struct {
	from, to string
	least    int
}{
	{"isation", "ization", 9}, {"isations", "izations", 10}, {"ising", "izing", 7}, {"ised", "ized", 6},
	{"ises", "izes", 6},
	{"iser", "izer", 6}, {"isers", "izers", 7}, {"ise", "ize", 6}, {"ysed", "yzed", 6}, {"ysing", "yzing", 7},
	{"yse", "yze", 6},
	{"tre", "ter", 5}, {"tres", "ters", 6}, {"bre", "ber", 5}, {"bres", "bers", 6}, {"ogue", "og", 6}, {"ogues", "ogs", 7},
	{"lled", "led", 8}, {"lling", "ling", 8}, {"ller", "ler", 8}, {"llers", "lers", 9},
}

// american rewrites a word in lower case so that British and American spellings of it are equal.
func american(w string) string {
	if to, ok := americanWords[w]; ok {
		return to
	}
	for _, e := range americanEndings {
		if len(w) >= e.least && strings.HasSuffix(w, e.from) {
			w = strings.TrimSuffix(w, e.from) + e.to
			break
		}
	}
	if i := strings.Index(w, "our"); len(w) >= 5 && i > 0 && !strings.ContainsRune("aeiou", rune(w[i-1])) {
		w = w[:i] + "or" + w[i+3:]
	}
	if i := strings.Index(w, "ae"); len(w) >= 6 && i >= 0 && i+2 < len(w) {
		w = w[:i] + "e" + w[i+2:]
	}
	for _, from := range []string{"foet", "oestr", "oedem"} {
		w = strings.ReplaceAll(w, from, strings.Replace(from, "oe", "e", 1))
	}
	return w
}
