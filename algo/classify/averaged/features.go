package averaged

import (
	"strings"
	"unicode/utf8"
)

// lineEnd is the token that stands for the end of a text.
const lineEnd = "</s>"

// isBlank is the bytes that part tokens; others, such as those of no-break spaces, belong to them.
var isBlank = [256]bool{' ': true, '\t': true, '\n': true, '\r': true, '\v': true, '\f': true, 0: true}

// rows gathers the rows of the input matrix that a text has.
type rows struct {
	m      *Model
	list   []int
	hashes []uint64
	names  []string // of the rows, where they are wanted
	named  bool
}

// read takes the tokens of a text, then the end of the line.
func (r *rows) read(text string) {
	r.list, r.hashes, r.names = r.list[:0], r.hashes[:0], r.names[:0]
	start := -1 // of a token
	for i := 0; i <= len(text); i++ {
		blank := i == len(text) || isBlank[text[i]]
		switch {
		case blank && start >= 0:
			r.token(text[start:i])
			start = -1
		case !blank && start < 0:
			start = i
		}
	}
	r.token(lineEnd)
	r.sequences()
}

// token adds a word and the n-grams of its characters; tokens that begin like labels are left out.
func (r *rows) token(token string) {
	id, known := r.m.words[token]
	if !known && strings.HasPrefix(token, r.m.Prefix) {
		return
	}
	if known {
		r.add(int(id), token)
	}
	if r.m.MaxN > 0 && token != lineEnd {
		r.characters("<" + token + ">")
	}
	r.hashes = append(r.hashes, signed(hash(token)))
}

func (r *rows) add(row int, name string) {
	r.list = append(r.list, row)
	if r.named {
		r.names = append(r.names, name)
	}
}

// bucket adds an n-gram by its hash; where rows were pruned, only those that were kept.
func (r *rows) bucket(h uint64, name string) {
	b := uint32(h % uint64(r.m.Bucket))
	if r.m.PruneSize >= 0 {
		k, ok := r.m.pruned.row(b)
		if !ok {
			return
		}
		b = k
	}
	r.add(len(r.m.Words)+int(b), name)
}

// characters adds the n-grams of a word in its marks, but for single characters at its ends.
func (r *rows) characters(word string) {
	for i := range word {
		n := 0
		for j := i; j < len(word) && n < r.m.MaxN; {
			_, size := utf8.DecodeRuneInString(word[j:])
			j += size
			if n++; n >= r.m.MinN && !(n == 1 && (i == 0 || j == len(word))) {
				r.bucket(uint64(hash(word[i:j])), word[i:j])
			}
		}
	}
}

// multiplier of the hash of a sequence of words.
const multiplier = 116049371

// sequences adds the sequences of words.
//
//	h(w_1 … w_n) = h(w_1 … w_n−1)·116049371 + h(w_n), of hashes of 32 bits with their sign, in 64 bits
func (r *rows) sequences() {
	for i, h := range r.hashes {
		for j := i + 1; j < len(r.hashes) && j < i+r.m.NGrams; j++ {
			h = h*multiplier + r.hashes[j]
			r.bucket(h, "sequence of words")
		}
	}
}

// signed widens a hash of 32 bits with its sign.
func signed(h uint32) uint64 { return uint64(int64(int32(h))) }

// hash is FNV-1a of 32 bits, but for bytes from 80h on, which have a sign.
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h ^= uint32(int32(int8(s[i])))
		h *= 16777619
	}
	return h
}
