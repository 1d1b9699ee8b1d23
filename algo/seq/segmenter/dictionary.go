package segmenter

// dictionary holds entries, pairs of word and tag, in a trie of characters.
type dictionary struct {
	words   []word
	entries []entry // those of a word side by side, tags rising
	first   []int32 // entries of word w are first[w] to first[w+1]
	trie    *table  // node and character to a further node
	ends    []int32 // by node: its word, −1 for none
}

// word is what features see of a word.
type word struct {
	runes       []rune
	first, last uint8 // types
}

// entry is a word with a tag.
type entry struct {
	word  int32
	tag   uint16
	count uint32
	kind  origin // how it came to be an artificial unknown word
}

// origin says why an entry is learned by its characters.
type origin uint8

const (
	known  origin = iota // it is not
	rare                 // it is at most as frequent as the threshold
	missed               // a model of other folds did not find it
)

func (o origin) String() string { return [...]string{"known", "rare", "missed"}[o] }

// newDictionary makes a dictionary of words with their entries, which come word by word.
func newDictionary(words [][]rune, entries []entry) *dictionary {
	d := &dictionary{entries: entries, trie: newTable(2 * len(words)), ends: []int32{-1}}
	for w, r := range words {
		d.words = append(d.words, word{r, typeOf(r[0]), typeOf(r[len(r)-1])})
		node := uint64(0)
		for _, c := range r {
			next, added := d.trie.add(step(node, c))
			if added {
				d.ends = append(d.ends, -1)
			}
			node = uint64(next) + 1
		}
		d.ends[node] = int32(w)
	}
	d.first = make([]int32, len(words)+1)
	for _, e := range entries {
		d.first[e.word+1]++
	}
	for w := range words {
		d.first[w+1] += d.first[w]
	}
	return d
}

// step is the key of an edge of the trie. Characters are of 21 bits.
func step(node uint64, c rune) uint64 { return (node+1)<<21 | uint64(c) }

// match yields the words that begin at a place, shorter ones first.
func (d *dictionary) match(runes []rune, yield func(word int32, length int)) {
	node := uint64(0)
	for k, c := range runes {
		next, ok := d.trie.find(step(node, c))
		if !ok {
			return
		}
		node = uint64(next) + 1
		if w := d.ends[node]; w >= 0 {
			yield(w, k+1)
		}
	}
}

// of returns the entries of a word by their numbers.
func (d *dictionary) of(word int32) (from, to int32) { return d.first[word], d.first[word+1] }

// find returns the number of an entry, −1 if it is unknown.
func (d *dictionary) find(word int32, tag uint16) int32 {
	if word < 0 {
		return -1
	}
	for e := d.first[word]; e < d.first[word+1]; e++ {
		if d.entries[e].tag == tag {
			return e
		}
	}
	return -1
}
