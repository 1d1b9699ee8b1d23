package check

import (
	"hash/maphash"
	"slices"
	"unicode"
	"unicode/utf8"
)

// passTexts bounds the texts that are remembered in a pass.
const passTexts = 1 << 20

// duplicates compares texts by hashes. Each pass takes the texts whose hash falls to it, so
// memory is bounded whatever the size of the corpus.
type duplicates struct {
	c            *Checker
	pass, passes uint64
	seen         map[uint64]seenText // by the hash of the folded text
	seed         maphash.Seed
	buf          []byte
}

// seenText is the first document with a text.
type seenText struct {
	seq   uint64
	id    string // of a text that is not stored
	exact uint64
	split string
}

func newDuplicates(c *Checker, documents int) detector {
	return &duplicates{c: c, passes: uint64(documents/passTexts + 1), seen: map[uint64]seenText{},
		seed: maphash.MakeSeed()}
}

func (x *duplicates) finish() bool {
	x.pass++
	clear(x.seen)
	return x.pass < x.passes
}

func (x *duplicates) add(d *view) {
	length := 0
	if x.buf, length = fold(x.buf[:0], d.Text); length < x.c.Same {
		return
	}
	h := maphash.Bytes(x.seed, x.buf)
	if h%x.passes != x.pass {
		return
	}
	exact := maphash.String(x.seed, d.Text)
	first, ok := x.seen[h]
	if !ok {
		x.seen[h] = seenText{d.Seq, adhocID(d), exact, d.split}
		return
	}
	rule, what := "duplicate", "the text is that of document "
	if first.exact != exact {
		rule, what = "near-duplicate", "but for case and white space the text is that of document "
	}
	right := "; delete one"
	where := ""
	if first.split != d.split {
		rule, right = "split-"+rule, "; a score on one split then tells too much, delete one"
		where = " in " + splitName(first.split) + ", this one is in " + splitName(d.split)
	}
	x.c.note(rule, x.c.ordinal, func() Finding {
		return Finding{Document: d.ID, Message: what + x.c.name(first.seq, first.id) + where + right}
	})
}

// adhocID is the id of a document that cannot be looked up.
func adhocID(d *view) string {
	if d.Seq != 0 {
		return ""
	}
	return d.ID
}

// name is the id of a document.
func (c *Checker) name(seq uint64, id string) string {
	if seq == 0 || c.ID == nil {
		return id
	}
	return c.ID(seq)
}

func splitName(s string) string {
	if s == "" {
		return "no split"
	}
	return s
}

// hash is FNV-1a: h ← (h xor byte) · 1099511628211.
func hash[T string | []byte](s T) uint64 { return extend(14695981039346656037, s) }

// extend goes on with a hash.
func extend[T string | []byte](h uint64, s T) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// foldedByte is what fold makes of a byte of ASCII, a blank of all white space; 0 for the byte 0 and for what begins a
// character of several bytes.
var foldedByte = func() (t [256]byte) {
	for c := range byte(utf8.RuneSelf) {
		if t[c] = c; unicode.IsSpace(rune(c)) {
			t[c] = ' '
		}
	}
	for c := byte('A'); c <= 'Z'; c++ {
		t[c] = c | 0x20
	}
	return t
}()

// fold appends the text in lower case, with single spaces, and returns its length in
// characters. It costs little more than a look at each byte of ASCII, for TRAIN folds all texts that it learns from.
func fold(buf []byte, s string) ([]byte, int) {
	buf = slices.Grow(buf, len(s))
	n, space := 0, false
	for i := 0; i < len(s); {
		c := foldedByte[s[i]]
		if c == ' ' {
			space = n > 0
			i++
			continue
		}
		if c != 0 {
			if space {
				buf, n, space = append(buf, ' '), n+1, false
			}
			buf = append(buf, c)
			n++
			i++
			continue
		}
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		i += size
		if unicode.IsSpace(r) {
			space = n > 0
			continue
		}
		if space {
			buf, n, space = append(buf, ' '), n+1, false
		}
		n++
		if r < utf8.RuneSelf { // the byte 0
			buf = append(buf, byte(r))
			continue
		}
		buf = utf8.AppendRune(buf, unicode.ToLower(unicode.ToUpper(r)))
	}
	return buf, n
}
