package record

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parlance/algo/engine/partition"
	"parlance/algo/option"
)

// Blocking says which records are compared at all: those that share a key. The keys of alternatives (canopies) may
// overlap.
type Blocking [][]keyPart

// keyPart is a part of a key: a column, or what a function makes of it.
type keyPart struct {
	column, function string
	length           int
}

var keyFunctions = []string{"initial", "prefix", "words"}

// ParseBlocking reads alternative keys, each of parts joined by +, such as last + initial(first), prefix(title, 8) or
// words(title). Semicolons divide keys of one text. Without any all records are one block.
func ParseBlocking(list []string) (Blocking, error) {
	var out Blocking
	if len(list) == 0 {
		return nil, nil
	}
	for _, alternative := range strings.Split(strings.Join(list, ";"), ";") {
		var parts []keyPart
		for _, s := range strings.Split(alternative, "+") {
			p, err := parsePart(strings.TrimSpace(s))
			if err != nil {
				return nil, err
			}
			parts = append(parts, p)
		}
		if len(parts) > 1 && slices.ContainsFunc(parts, func(p keyPart) bool { return p.function == "words" }) {
			return nil, errors.New("words makes a key of each word, and is joined with nothing")
		}
		out = append(out, parts)
	}
	return out, nil
}

func parsePart(s string) (keyPart, error) {
	name, rest, call := strings.Cut(s, "(")
	if s == "" {
		return keyPart{}, errors.New("a key is empty; write column, initial(column), prefix(column, n) or " +
			"words(column)")
	}
	if !call {
		return keyPart{column: s}, nil
	}
	name = strings.TrimSpace(name)
	if !slices.Contains(keyFunctions, name) {
		return keyPart{}, fmt.Errorf("unknown function %s of a key%s; there are %s", name, option.DidYouMean(name,
			keyFunctions), strings.Join(keyFunctions, ", "))
	}
	inside, ok := strings.CutSuffix(strings.TrimSpace(rest), ")")
	args := strings.Split(inside, ",")
	p := keyPart{column: strings.TrimSpace(args[0]), function: name}
	want := 1
	if name == "prefix" {
		want = 2
	}
	if !ok || len(args) != want || p.column == "" {
		return keyPart{}, fmt.Errorf("%q is no key; write initial(column), prefix(column, n) or words(column)", s)
	}
	if name == "prefix" {
		n, err := strconv.Atoi(strings.TrimSpace(args[1]))
		if err != nil || n < 1 {
			return keyPart{}, fmt.Errorf("%q: the length of a prefix is a number from 1", s)
		}
		p.length = n
	}
	return p, nil
}

// Columns are those that keys are made of, in order, each once.
func (b Blocking) Columns() []string {
	var out []string
	for _, parts := range b {
		for _, p := range parts {
			if !slices.Contains(out, p.column) {
				out = append(out, p.column)
			}
		}
	}
	return out
}

// Keys calls use with each key of a record; of gives the value of a column. A key with a missing part is none.
func (b Blocking) Keys(of func(column string) string, use func(string)) {
	for i, parts := range b {
		key, whole := "", true
		for _, p := range parts {
			v := strings.Join(strings.Fields(strings.ToLower(of(p.column))), " ")
			switch p.function {
			case "initial":
				r, n := utf8.DecodeRuneInString(v)
				if v = ""; n > 0 {
					v = string(r)
				}
			case "prefix":
				if r := []rune(v); len(r) > p.length {
					v = string(r[:p.length])
				}
			case "words":
				terms(Words, v, func(w string) { use(strconv.Itoa(i) + "\x00" + w) })
				whole = false
			}
			whole = whole && v != ""
			key += "\x00" + v
		}
		if whole {
			use(strconv.Itoa(i) + key)
		}
	}
}

// Block is records that may be of one entity: those connected by keys, or by links.
type Block struct {
	Items    []int32   // records, by number
	Lists    [][]int32 // the records of each key, as places in Items; nil where all share one
	Of       [][]int32 // the keys of each item
	Key      string    // the first key
	Biggest  int       // records of the largest key
	Distinct int       // keys
}

// Blocker gathers the keys of records.
type Blocker struct {
	Most  int // records of a key that is used; larger ones of words are left out. 0 for any number
	names *texts
	keys  []int32  // of the records, in order
	ends  []uint32 // of each record
}

// NewBlocker returns an empty blocker.
func NewBlocker() *Blocker { return &Blocker{names: newTexts()} }

// Add adds a record with its keys.
func (b *Blocker) Add(keys []string) {
	from := len(b.keys)
	for _, k := range keys {
		if id := b.names.of([]byte(k)); !slices.Contains(b.keys[from:], id) {
			b.keys = append(b.keys, id)
		}
	}
	b.ends = append(b.ends, uint32(len(b.keys)))
}

// row is the keys of a record.
func (b *Blocker) row(i int) []int32 {
	from := uint32(0)
	if i > 0 {
		from = b.ends[i-1]
	}
	return b.keys[from:b.ends[i]]
}

// Blocks returns the blocks of more than one record, the largest first, with links between records that must be in one
// block, and how many keys were left out for having too many records.
func (b *Blocker) Blocks(links [][2]int32) (blocks []Block, dropped int) {
	n := len(b.ends)
	size := make([]int32, len(b.names.ends))
	for _, k := range b.keys {
		size[k]++
	}
	use := func(k int32) bool { return size[k] > 1 && (b.Most == 0 || int(size[k]) <= b.Most) }
	for k := range size {
		if size[k] > 1 && !use(int32(k)) {
			dropped++
		}
	}
	u := partition.NewUnionFind(n)
	first := make([]int32, len(b.names.ends))
	for i := range first {
		first[i] = -1
	}
	for i := range n {
		for _, k := range b.row(i) {
			if !use(k) {
				continue
			}
			if first[k] < 0 {
				first[k] = int32(i)
			} else {
				u.Union(first[k], int32(i))
			}
		}
	}
	for _, l := range links {
		u.Union(l[0], l[1])
	}
	return b.gather(u, use), dropped
}

// gather makes blocks of what is connected.
func (b *Blocker) gather(u *partition.UnionFind, use func(int32) bool) []Block {
	n := len(b.ends)
	members := make([]int32, n) // how many records, by root
	for i := range n {
		members[u.Find(int32(i))]++
	}
	at := make([]int32, n)
	var blocks []Block
	for i := range n {
		root := u.Find(int32(i))
		if members[root] < 2 {
			continue
		}
		if at[root] == 0 {
			blocks = append(blocks, Block{Items: make([]int32, 0, members[root])})
			at[root] = int32(len(blocks))
		}
		k := at[root] - 1
		blocks[k].Items = append(blocks[k].Items, int32(i))
	}
	for i := range blocks {
		b.lists(&blocks[i], use)
	}
	slices.SortStableFunc(blocks, func(x, y Block) int { return cmp.Compare(len(y.Items), len(x.Items)) })
	return blocks
}

// lists fills the lists of a block.
func (b *Blocker) lists(k *Block, use func(int32) bool) {
	local := map[int32]int32{}
	var lists [][]int32
	of := make([][]int32, len(k.Items))
	for i, item := range k.Items {
		for _, key := range b.row(int(item)) {
			if !use(key) {
				continue
			}
			id, ok := local[key]
			if !ok {
				id = int32(len(lists))
				local[key] = id
				lists = append(lists, nil)
				if id == 0 {
					_, name, _ := strings.Cut(string(b.names.at(key)), "\x00")
					k.Key = strings.ReplaceAll(name, "\x00", " ")
				}
			}
			lists[id] = append(lists[id], int32(i))
			of[i] = append(of[i], id)
		}
	}
	k.Distinct = len(lists)
	for _, l := range lists {
		k.Biggest = max(k.Biggest, len(l))
	}
	if len(lists) == 1 && len(lists[0]) == len(k.Items) {
		return
	}
	k.Lists, k.Of = lists, of
}
