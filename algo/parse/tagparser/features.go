package tagparser

import (
	"strings"
	"unicode/utf8"
)

// A key is a hash of what a template reads; the place of a weight is that of a key with the spine or label that it
// speaks of. mix is the finalizer of splitmix64 (Steele, Lea and Flood 2014).
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func hashString(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return mix(h)
}

// atoms are hashes of the tokens of a sentence. Position margin is the root, those before and after the sentence stand
// for nothing.
type atoms struct {
	word, tag, suffix []uint64
	comma, verb       []int32 // how many of these stand before a token, from 0; the last is that of all
}

const margin = 2

func (a *atoms) load(words, tags []string) {
	a.word, a.tag, a.suffix = a.word[:0], a.tag[:0], a.suffix[:0]
	a.comma, a.verb = append(a.comma[:0], 0, 0), append(a.verb[:0], 0, 0) // before the root and token 1
	for _, s := range []string{"\x00before", "\x00before", "\x00root"} {
		h := hashString(s)
		a.word, a.tag, a.suffix = append(a.word, h), append(a.tag, h), append(a.suffix, h)
	}
	for i, w := range words {
		a.word, a.tag = append(a.word, hashString(w)), append(a.tag, hashString(tags[i]))
		a.suffix = append(a.suffix, hashString(shape(w)))
		comma, verb := a.comma[i+1], a.verb[i+1]
		switch {
		case strings.ContainsAny(w, ",;:()—-\"") && len(w) <= 2:
			comma++
		case strings.HasPrefix(tags[i], "V"):
			verb++
		}
		a.comma, a.verb = append(a.comma, comma), append(a.verb, verb)
	}
	for range margin {
		h := hashString("\x00after")
		a.word, a.tag, a.suffix = append(a.word, h), append(a.tag, h), append(a.suffix, h)
	}
}

// shape is the last three characters of a word, after its kind.
func shape(w string) string {
	k := len(w)
	for range 3 {
		_, size := utf8.DecodeLastRuneInString(w[:k])
		k -= size
	}
	kind := "a"
	switch {
	case strings.ContainsAny(w, "0123456789"):
		kind = "0"
	case strings.ToLower(w) != w:
		kind = "A"
	}
	return kind + strings.ToLower(w[k:])
}

// keys hashes numbered templates.
type keys struct{ list []uint64 }

func (k *keys) add(parts ...uint64) {
	h := uint64(len(k.list)) * 0x9e3779b97f4a7c15
	for _, p := range parts {
		h = (h ^ p) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	k.list = append(k.list, mix(h))
}

// spineKeys are those of a token's spine: the token and two on each side.
func (a *atoms) spineKeys(i int, dst []uint64) []uint64 {
	at := i + margin
	k := keys{dst[:0]}
	w, t := a.word[at-2:at+3], a.tag[at-2:at+3]
	k.add(1)
	k.add(w[2])
	k.add(t[2])
	k.add(w[1])
	k.add(w[3])
	k.add(w[0])
	k.add(w[4])
	k.add(t[1])
	k.add(t[3])
	k.add(t[0])
	k.add(t[4])
	k.add(t[1], t[2])
	k.add(t[2], t[3])
	k.add(t[0], t[1])
	k.add(t[3], t[4])
	k.add(t[1], t[2], t[3])
	k.add(w[1], w[2])
	k.add(w[2], w[3])
	k.add(t[2], w[2])
	k.add(t[2], a.suffix[at])
	k.add(t[2], t[3], t[4])
	k.add(t[0], t[1], t[2])
	k.add(w[2], t[3])
	return k.list
}

// distance is that of an arc, by size, with its direction.
func distance(h, m int) uint64 {
	d, side := m-h, uint64(16)
	if d < 0 {
		d, side = -d, 0
	}
	switch {
	case d <= 5:
		return side + uint64(d)
	case d <= 10:
		return side + 6
	case d <= 20:
		return side + 7
	}
	return side + 8
}

// arcKeys are those of an arc.
func (a *atoms) arcKeys(h, m int, dst []uint64) []uint64 {
	hi, mi := h+margin, m+margin
	hw, ht, mw, mt := a.word[hi], a.tag[hi], a.word[mi], a.tag[mi]
	h0, h1, m0, m1 := a.tag[hi-1], a.tag[hi+1], a.tag[mi-1], a.tag[mi+1]
	side := uint64(3)
	if m < h {
		side = 5
	}
	d := distance(h, m)
	lo, up := min(h, m), max(h, m)
	commas, verbs := uint64(min(3, a.comma[up]-a.comma[lo+1])), uint64(min(2, a.verb[up]-a.verb[lo+1]))
	k := keys{dst[:0]}
	k.add(side, hw, ht, mw, mt)
	k.add(side, ht, mw, mt)
	k.add(side, hw, mw, mt)
	k.add(side, hw, ht, mt)
	k.add(side, hw, ht, mw)
	k.add(side, hw, mw)
	k.add(d, ht, mt)
	k.add(d, hw)
	k.add(d, mw)
	k.add(d, ht)
	k.add(d, mt)
	k.add(side, ht, mt)
	k.add(side, hw)
	k.add(side, mw)
	k.add(side, ht, h1, m0, mt)
	k.add(side, h0, ht, m0, mt)
	k.add(side, ht, h1, mt, m1)
	k.add(side, h0, ht, mt, m1)
	k.add(d)
	k.add(side, ht, mt, commas, verbs)
	k.add(side, mt, m1, a.tag[mi+min(2, len(a.tag)-1-mi)])
	k.add(side, a.suffix[hi], a.suffix[mi])
	k.add(side, ht, m0, mt, m1)
	k.add(side, h0, ht, h1, mt)
	k.add(side, m0, mt, mw)
	k.add(side, d, commas, verbs)
	return k.list
}

// table is weights at hashed places.
type table struct {
	w     []float32
	shift uint
}

func newTable(bits int) table { return table{make([]float32, 1<<bits), uint(64 - bits)} }

// place is that of a key with what it speaks of.
func (t *table) place(key, of uint64) uint64 {
	return (key + of) * 0x9e3779b97f4a7c15 >> (t.shift & 63)
}

// sum adds the weights of keys with what they speak of.
func (t *table) sum(list []uint64, of uint64) float64 {
	w, shift := t.w, t.shift&63
	var a, b float32
	i := 0
	for ; i+1 < len(list); i += 2 {
		a += w[(list[i]+of)*0x9e3779b97f4a7c15>>shift]
		b += w[(list[i+1]+of)*0x9e3779b97f4a7c15>>shift]
	}
	if i < len(list) {
		a += w[(list[i]+of)*0x9e3779b97f4a7c15>>shift]
	}
	return float64(a) + float64(b)
}

// What keys speak of: a spine, or a triple with its operation; 0 is an arc whatever its label.
func ofSpine(s int32) uint64 { return mix(uint64(s)<<2 | 1) }

func ofLabel(triple int32, regular bool) uint64 {
	x := uint64(triple)<<2 | 2
	if regular {
		x |= 1
	}
	return mix(x)
}

const ofArc = 0
