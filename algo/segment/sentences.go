package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// abbreviations keep their full stop; those marked true may also end a sentence.
var abbreviations = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("mr mrs ms dr prof rev hon st sr jr gen col lt capt sgt maj cmdr adm gov sen rep " +
		"pres supt messrs mmes vs fig figs no nos vol vols ed eds pp approx dept est univ assn bros mt ft ave blvd rd cf " +
		"e.g i.e viz al ca jan feb mar apr jun jul aug sept sep oct nov dec mon tue tues wed thu thurs fri sat sun " +
		"op art sec ch") {
		m[w] = false
	}
	for _, w := range strings.Fields("etc inc co corp ltd llc plc jr sr a.m p.m d.c ph.d b.a m.a b.c a.d calif mass " +
		"conn ariz mich minn fla okla tex wash") {
		m[w] = true
	}
	return m
}()

// starters are the words that begin a sentence even after letters with full stops (U.S.).
var starters = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("the a an he she it they we i you this that these those there then but and or so " +
		"in on at for from with as if when while after before however also its his her their our my mr. mrs. ms. dr. what " +
		"who how why where not no") {
		m[w] = true
	}
	return m
}()

// abbreviation reports whether a full stop after the word belongs to it: a known one, an
// initial, or letters with full stops between them.
func abbreviation(w string) bool {
	if len(w) > 32 { // none is as long
		return false
	}
	if _, ok := abbreviations[strings.ToLower(w)]; ok {
		return !ambiguous(w)
	}
	c, n := utf8.DecodeRuneInString(w)
	if n == len(w) {
		return unicode.IsUpper(c) && c != 'I'
	}
	return dotted(w)
}

// ambiguous abbreviations are words as well; only with a capital they are taken for one.
func ambiguous(w string) bool {
	switch w {
	case "no", "mar", "sat", "sun", "mon", "wed", "fig", "art", "sec", "al", "dec", "ed", "mass", "wash", "co", "rep",
		"gen", "hon", "est", "op", "ca", "ch", "sen", "col", "fri", "tex", "conn", "jan", "jun":
		return w != "al" && w != "co" && w != "ca" && w != "ed"
	}
	return false
}

// dotted reports whether a word is single letters with full stops between them, as U.S, of
// at most 32 bytes.
func dotted(w string) bool {
	if len(w) < 3 || len(w) > 32 {
		return false
	}
	letter := true
	for _, c := range w {
		if letter != unicode.IsLetter(c) || !letter && c != '.' {
			return false
		}
		letter = !letter
	}
	return !letter
}

// standing says whether a sentence may end after the tokens so far.
type standing uint8

const (
	inside standing = iota
	ended           // after final punctuation, closing quotes and brackets may follow
	dots            // after letters with full stops (U.S.), which nothing may follow
)

// after returns the standing after the tokens of a further chunk of the sentence. It looks
// back through closing quotes and brackets.
func (s standing) after(text string, chunk []Span) standing {
	for i := len(chunk) - 1; i >= 0; i-- {
		w := text[chunk[i].Start:chunk[i].End]
		switch {
		case letter(w[len(w)-1]): // most tokens
			return inside
		case strings.Trim(w, ".!?…。！？") == "":
			return ended
		case strings.HasSuffix(w, ".") && len(w) > 1:
			stem := strings.ToLower(w[:len(w)-1])
			if abbreviations[stem] {
				return ended
			}
			if dotted(stem) && i == len(chunk)-1 {
				return dots
			}
			return inside
		case strings.Trim(w, "\"'`)]}»”’") != "":
			return inside
		}
	}
	if s == dots {
		return inside
	}
	return s
}

// startsSentence reports whether the chunk after possible final punctuation begins a
// sentence: with a capital, a digit, an opening mark, or a letter without case.
func startsSentence(chunk, text string, last Span) bool {
	if w := text[last.Start:last.End]; len(w) > 2 && w[len(w)-1] == '.' {
		if stem := strings.ToLower(w[:len(w)-1]); dotted(stem) && !abbreviations[stem] {
			return starters[strings.ToLower(chunk)] && chunk[0] <= 'Z'
		}
	}
	c, n := utf8.DecodeRuneInString(chunk)
	for strings.ContainsRune("\"'`([{«“‘„¿¡-–—*•", c) && n < len(chunk) {
		chunk = chunk[n:]
		c, n = utf8.DecodeRuneInString(chunk)
	}
	if text[last.Start:last.End] == "…" || strings.HasPrefix(text[last.Start:last.End], "..") {
		return unicode.IsUpper(c)
	}
	return unicode.IsUpper(c) || unicode.IsTitle(c) || unicode.IsDigit(c) || unicode.IsLetter(c) && !unicode.IsLower(c)
}
