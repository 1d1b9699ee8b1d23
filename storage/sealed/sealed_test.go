package sealed

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	background = context.Background()

	rows  = []byte("rows")
	blobs = []byte("blobs")
	few   = []byte("few")
)

func keyOf(i int) []byte { return fmt.Appendf(nil, "key%07d", i) }

func valueOf(i int) []byte { return bytes.Repeat(keyOf(i), 1+i%5) }

// filled writes a file with a bucket of several levels, one of long values, and one that lies in the list of buckets.
func filled(t testing.TB, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	d := opened(t, path, nil)
	update(t, d, func(tx *Tx) error {
		for _, name := range [][]byte{rows, blobs, few} {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		return nil
	})
	for from := 0; from < n; from += 1000 {
		update(t, d, func(tx *Tx) error {
			for i := from; i < min(from+1000, n); i++ {
				if err := tx.Bucket(rows).Put(keyOf(i), valueOf(i)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	update(t, d, func(tx *Tx) error {
		for i := range 20 {
			blob := bytes.Repeat(keyOf(i), 1000*(1+i%3))
			if err := errors.Join(tx.Bucket(blobs).Put(keyOf(i), blob), tx.Bucket(few).Put(keyOf(i), nil)); err != nil {
				return err
			}
		}
		return nil
	})
	// Some free pages, and a second state.
	update(t, d, func(tx *Tx) error {
		for i := 0; i < n; i += 3 {
			if err := tx.Bucket(rows).Delete(keyOf(i)); err != nil {
				return err
			}
		}
		return tx.Bucket(blobs).Delete(keyOf(7))
	})
	update(t, d, func(tx *Tx) error { return tx.Bucket(few).Put([]byte("z"), nil) })
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func opened(t testing.TB, path string, o *Options) *DB {
	t.Helper()
	d, err := Open(path, 0o600, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func update(t testing.TB, d *DB, f func(*Tx) error) {
	t.Helper()
	if err := d.Update(f); err != nil {
		t.Fatal(err)
	}
}

// whole reads a file.
func whole(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// damaged runs f and returns the damage that it has met, as an error or a panic.
func damaged(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%v", v)
			if d, ok := v.(*Damage); ok {
				err = d
			}
		}
	}()
	return f()
}

// contents are all entries of all buckets.
func contents(d *DB) (out map[string]string, err error) {
	out = map[string]string{}
	err = damaged(func() error {
		return d.View(func(tx *Tx) error {
			return tx.ForEach(func(name []byte, b *Bucket) error {
				return b.ForEach(func(k, v []byte) error { out[string(name)+" "+string(k)] = string(v); return nil })
			})
		})
	})
	return out, err
}

// TestRandomChanges compares a file with a map after transactions that put and delete, opened again and again.
func TestRandomChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	random := rand.New(rand.NewPCG(1, 2))
	want := map[string]string{}
	for round := range 30 {
		d := opened(t, path, nil)
		for range 4 {
			update(t, d, func(tx *Tx) error { return change(tx, random, round, want) })
		}
		if err := d.View(func(tx *Tx) error { return same(tx, want, random) }); err != nil {
			t.Fatal(round, err)
		}
		ok, err := false, error(nil)
		if e := d.View(func(tx *Tx) error {
			ok, err = tx.Check(t.Context(), func(found *Damage) { t.Error(round, found) })
			return err
		}); e != nil || !ok {
			t.Fatal(ok, e)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// change puts and deletes some keys, in the file and in a map.
func change(tx *Tx, random *rand.Rand, round int, want map[string]string) error {
	b, err := tx.CreateBucketIfNotExists(rows)
	if err != nil {
		return err
	}
	from, removes := random.IntN(3000), round%3 == 2
	for i := range 800 {
		k := keyOf(from + i)
		if random.IntN(4) == 0 {
			k = keyOf(random.IntN(4000))
		}
		if removes != (random.IntN(5) == 0) {
			delete(want, string(k))
			err = b.Delete(k)
		} else {
			want[string(k)] = string(valueOf(i + round))
			err = b.Put(k, valueOf(i+round))
		}
		if err != nil {
			return err
		}
	}
	if b.Count() != len(want) {
		return fmt.Errorf("%d entries are counted, there are %d", b.Count(), len(want))
	}
	return same(tx, want, random)
}

// same compares a bucket with a map, in several ways.
func same(tx *Tx, want map[string]string, random *rand.Rand) error {
	b, sorted := tx.Bucket(rows), make([]string, 0, len(want))
	for k := range want {
		sorted = append(sorted, k)
	}
	slices.Sort(sorted)
	c, n := b.Cursor(), 0
	for k, v := c.First(); k != nil; k, v = c.Next() {
		if n == len(sorted) || string(k) != sorted[n] || string(v) != want[sorted[n]] {
			return fmt.Errorf("entry %d is %q: %q", n, k, v)
		}
		n++
	}
	if k, _ := c.Last(); n != len(sorted) || n > 0 && string(k) != sorted[n-1] {
		return fmt.Errorf("%d entries, %d are wanted; the last is %q", n, len(sorted), k)
	}
	for range 100 {
		k := keyOf(random.IntN(4500))
		if v, ok := want[string(k)]; (b.Get(k) != nil) != ok || string(b.Get(k)) != v {
			return fmt.Errorf("%q is %q, want %q", k, b.Get(k), v)
		}
		at, _ := slices.BinarySearch(sorted, string(k))
		if got, _ := c.Seek(k); (got == nil) != (at == len(sorted)) || got != nil && string(got) != sorted[at] {
			return fmt.Errorf("%q is followed by %q", k, got)
		}
	}
	return nil
}

// TestBackwards goes from the last entry to the first one.
func TestBackwards(t *testing.T) {
	d := opened(t, filled(t, 3000), &Options{ReadOnly: true})
	err := d.View(func(tx *Tx) error {
		var forward, back []string
		c := tx.Bucket(rows).Cursor()
		for k, v := c.First(); k != nil; k, v = c.Next() {
			forward = append(forward, string(k)+string(v))
		}
		for k, v := c.Last(); k != nil; k, v = c.Prev() {
			back = append(back, string(k)+string(v))
		}
		if slices.Reverse(back); len(back) != 2000 || !slices.Equal(forward, back) {
			return fmt.Errorf("%d entries forward, %d back", len(forward), len(back))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestLastOfEmptiedLeaves asks for the last entry in the transaction that has deleted all of the last leaves.
func TestLastOfEmptiedLeaves(t *testing.T) {
	d := opened(t, filled(t, 3000), nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		update(t, d, func(tx *Tx) error {
			b := tx.Bucket(rows)
			for i := 1; i < 3000; i++ {
				if err := b.Delete(keyOf(i)); err != nil {
					return err
				}
			}
			if k, _ := b.Cursor().Last(); k != nil || b.Count() != 0 {
				t.Errorf("%q is left", k)
			}
			return b.Put(keyOf(1), nil)
		})
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("it does not return")
	}
}

// TestFlippedBits flips bits of a file, one at a time: reads and a write that follow give what they gave, or damage.
func TestFlippedBits(t *testing.T) {
	path := filled(t, 6000)
	sound := whole(t, path)
	want, err := contents(opened(t, path, &Options{ReadOnly: true}))
	if err != nil {
		t.Fatal(err)
	}
	flips := 1500
	if testing.Short() {
		flips = 500
	}
	random, noticed := rand.New(rand.NewPCG(3, 4)), 0
	bad := filepath.Join(t.TempDir(), "bad")
	for i := range flips {
		at := random.IntN(8 * len(sound))
		file := bytes.Clone(sound)
		file[at/8] ^= 1 << (at % 8)
		if err := os.WriteFile(bad, file, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := readsAndWrites(bad, i%2 == 0)
		if err != nil {
			noticed++
			continue
		}
		if len(got) != len(want) {
			t.Fatalf("bit %d of byte %d: %d entries, want %d", at%8, at/8, len(got), len(want))
		}
		for k, v := range want {
			if got[k] != v {
				t.Fatalf("bit %d of byte %d: %q", at%8, at/8, k)
			}
		}
	}
	if t.Logf("%d of %d are noticed", noticed, flips); noticed < flips/4 {
		t.Error("few are noticed")
	}
}

// readsAndWrites reads a file, or first changes something and takes it back.
func readsAndWrites(path string, writes bool) (out map[string]string, err error) {
	d, err := Open(path, 0o600, &Options{ReadOnly: !writes, Timeout: time.Second})
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if writes {
		for _, f := range []func(*Bucket, []byte) error{
			func(b *Bucket, k []byte) error { return b.Put(k, k) }, (*Bucket).Delete} {
			if err := damaged(func() error {
				return d.Update(func(tx *Tx) (err error) {
					for i := 0; i < 6000; i += 300 { // keys that are not there
						err = errors.Join(err, f(tx.Bucket(rows), keyOf(i)), f(tx.Bucket(few), keyOf(1000+i)))
					}
					return err
				})
			}); err != nil {
				return nil, err
			}
		}
	}
	out, err = contents(d)
	if err == nil && writes {
		err = check(d)
	}
	return out, err
}

// check returns the first damage that Check finds.
func check(d *DB) (first error) {
	err := d.View(func(tx *Tx) error {
		_, err := tx.Check(background, func(found *Damage) {
			if first == nil {
				first = found
			}
		})
		return err
	})
	return errors.Join(first, err)
}

// TestDamageOfPages patches pages by hand. What is not of a leaf is noticed when the file is opened.
func TestDamageOfPages(t *testing.T) {
	path := filled(t, 3000)
	sound := whole(t, path)
	size := os.Getpagesize()
	s := stateOf(t, sound)
	leaf, second, last, branch := s.leaves[3], s.leaves[4], s.leaves[len(s.leaves)-1], s.branch
	at := func(id uint64) func(file []byte) page {
		return func(file []byte) page { return page(file[int(id)*size:][:size]) }
	}
	u16, u32, u64 := binary.NativeEndian.PutUint16, binary.NativeEndian.PutUint32, binary.NativeEndian.PutUint64
	element := func(i int) int { return headerSize + i*elementSize }
	onLeaf := func(f func(p page)) func([]byte) { return func(file []byte) { f(at(leaf)(file)) } }
	onBranch := func(f func(p page)) func([]byte) { return func(file []byte) { f(at(branch)(file)) } }
	onFree := func(f func(p page)) func([]byte) { return func(file []byte) { f(at(s.free)(file)) } }
	for name, harm := range map[string]func(file []byte){
		"leaf: entries cut off":         onLeaf(func(p page) { u16(p[10:], uint16(p.count()-1)) }),
		"leaf: no entries":              onLeaf(func(p page) { u16(p[10:], 0) }),
		"leaf: no entries at the end":   func(f []byte) { u16(at(last)(f)[10:], 0) },
		"leaf: no entries at the start": func(f []byte) { u16(at(s.leaves[0])(f)[10:], 0) },
		"leaf: a bucket":                onLeaf(func(p page) { u32(p[element(1):], bucketFlag) }),
		"leaf: longer key":              onLeaf(func(p page) { u32(p[element(1)+8:], word32(p, element(1)+8)+1) }),
		"leaf: key for content": onLeaf(func(p page) {
			u32(p[element(1)+8:], word32(p, element(1)+8)+1)
			u32(p[element(1)+12:], word32(p, element(1)+12)-1)
		}),
		"leaf: place beyond":  onLeaf(func(p page) { u32(p[element(1)+4:], 1<<30) }),
		"leaf: number":        onLeaf(func(p page) { p[0]++ }),
		"leaf: kind":          onLeaf(func(p page) { p[8] = branchKind }),
		"leaf: continued":     onLeaf(func(p page) { p[12] = 1 }),
		"leaf: far continued": onLeaf(func(p page) { u32(p[12:], 1<<31) }),
		"leaf: exchanged leaves": func(f []byte) {
			a, b := bytes.Clone(at(leaf)(f)), bytes.Clone(at(second)(f))
			u64(a, second)
			u64(b, leaf)
			copy(at(leaf)(f), b)
			copy(at(second)(f), a)
		},
		"leaf: exchanged children": onBranch(func(p page) {
			_, a := p.branch(1)
			_, b := p.branch(2)
			u64(p[element(1)+8:], b)
			u64(p[element(2)+8:], a)
		}),
		"child twice":                   onBranch(func(p page) { _, a := p.branch(1); u64(p[element(2)+8:], a) }),
		"child beyond":                  onBranch(func(p page) { u64(p[element(2)+8:], 1<<40) }),
		"child is free":                 onBranch(func(p page) { u64(p[element(2)+8:], s.freePage) }),
		"leaf: key of a branch, larger": onBranch(func(p page) { k := p.key(2); k[len(k)-1]++ }),
		"leaf: key of a branch, less":   onBranch(func(p page) { k := p.key(2); k[len(k)-1]-- }),
		"branch cut off":                onBranch(func(p page) { u16(p[10:], uint16(p.count()-1)) }),
		"leaf: zeros":                   onLeaf(func(p page) { clear(p) }),
		"used and free":                 onFree(func(p page) { u64(p[headerSize:], leaf) }),
		"continuation is free": onFree(func(p page) {
			ids := []uint64{s.continuation}
			for i := 1; i < p.count(); i++ {
				ids = append(ids, word64(p, headerSize+8*i))
			}
			slices.Sort(ids)
			for i, id := range ids {
				u64(p[headerSize+8*i:], id)
			}
		}),
		"free twice":                onFree(func(p page) { copy(p[headerSize+8:], p[headerSize:][:8]) }),
		"list of free pages":        onFree(func(p page) { p[8] = leafKind }),
		"long list":                 onFree(func(p page) { u16(p[10:], 60000) }),
		"list continued":            onFree(func(p page) { p[12]++ }),
		"description 0":             func(f []byte) { f[headerSize+20] ^= 1 },
		"description 1":             func(f []byte) { f[size+headerSize+20] ^= 1 },
		"description of a third":    func(f []byte) { clear(f[:metaSize]) },
		"description from long ago": func(f []byte) { older(f, size) },
		"cut off":                   nil,
	} {
		file := bytes.Clone(sound)
		if harm == nil {
			file = file[:int(last)*size]
		} else {
			harm(file)
		}
		for _, writes := range []bool{false, true} {
			bad := filepath.Join(t.TempDir(), "bad")
			if err := os.WriteFile(bad, file, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := readsAndWrites(bad, writes); err == nil {
				t.Errorf("%s, writes %t: nothing is noticed", name, writes)
			}
			d, err := Open(bad, 0o600, &Options{ReadOnly: !writes, Timeout: time.Second})
			if err == nil {
				d.Close()
			}
			if late := strings.HasPrefix(name, "leaf: "); late != (err == nil) {
				t.Errorf("%s, writes %t: opening gives %v", name, writes, err)
			}
		}
	}
}

// TestEmptiedLeaves takes all elements of a leaf, which bbolt passes over without a word.
func TestEmptiedLeaves(t *testing.T) {
	path := filled(t, 3000)
	sound, size := whole(t, path), os.Getpagesize()
	s := stateOf(t, sound)
	end := len(s.leaves) - 1
	keys := func(i int) page { return page(sound[int(s.leaves[i])*size:][:size]) }
	for name, c := range map[string]struct {
		leaf int
		read func(b *Bucket)
	}{
		"First":           {0, func(b *Bucket) { b.Cursor().First() }},
		"Last":            {end, func(b *Bucket) { b.Cursor().Last() }},
		"Get":             {4, func(b *Bucket) { b.Get(keys(4).key(1)) }},
		"Seek":            {4, func(b *Bucket) { b.Cursor().Seek(keys(4).key(1)) }},
		"Seek at the end": {end, func(b *Bucket) { b.Cursor().Seek(keys(end).key(1)) }},
		"Next": {4, func(b *Bucket) {
			c := b.Cursor()
			c.Seek(keys(3).key(keys(3).count() - 1))
			c.Next()
		}},
		"Next after the leaves beside were read": {4, func(b *Bucket) {
			b.Get(keys(3).key(0))
			b.Get(keys(5).key(0))
			c := b.Cursor()
			c.Seek(keys(3).key(keys(3).count() - 1))
			c.Next()
		}},
		"Next at the end": {end, func(b *Bucket) {
			c := b.Cursor()
			c.Seek(keys(end - 1).key(keys(end-1).count() - 1))
			c.Next()
		}},
		"Prev": {4, func(b *Bucket) {
			c := b.Cursor()
			c.Seek(keys(5).key(0))
			c.Prev()
		}},
		"Prev at the start": {0, func(b *Bucket) {
			c := b.Cursor()
			c.Seek(keys(1).key(0))
			c.Prev()
		}},
	} {
		file := bytes.Clone(sound)
		binary.NativeEndian.PutUint16(file[int(s.leaves[c.leaf])*size+10:], 0)
		bad := filepath.Join(t.TempDir(), "bad")
		if err := os.WriteFile(bad, file, 0o600); err != nil {
			t.Fatal(err)
		}
		d := opened(t, bad, &Options{ReadOnly: true})
		err := damaged(func() error {
			return d.View(func(tx *Tx) error { c.read(tx.Bucket(rows)); return nil })
		})
		if found := (*Damage)(nil); !errors.As(err, &found) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// older makes the earlier description one of two transactions before, with its checksum.
func older(file []byte, size int) {
	m := meta(file[:metaSize])
	if other := meta(file[size:][:metaSize]); other.transaction() < m.transaction() {
		m = other
	}
	binary.NativeEndian.PutUint64(m[headerSize+48:], m.transaction()-2)
	binary.NativeEndian.PutUint64(m[metaChecksum:], m.checksum())
}

// state is where the pages of a file are.
type state struct {
	branch, free, freePage, continuation uint64
	leaves                               []uint64
}

// stateOf finds pages of the bucket rows, and free ones.
func stateOf(t *testing.T, file []byte) (s state) {
	t.Helper()
	f := pages{file, uint64(os.Getpagesize())}
	m, err := metaOf(f)
	if err != nil {
		t.Fatal(err)
	}
	s.free = m.free()
	list, _, ok := f.free(s.free)
	if !ok || len(list) < 3*8 {
		t.Fatal("few free pages")
	}
	s.freePage = word64(list, 8)
	root, _ := f.at(m.root())
	for i := range root.count() {
		name, head := root.leaf(i)
		p, ok := f.at(word64(head, 0))
		for ok && p.kind() == branchKind && string(name) == string(rows) {
			s.branch = p.id()
			for j := range p.count() {
				_, child := p.branch(j)
				s.leaves = append(s.leaves, child)
			}
			if q, _ := f.at(s.leaves[len(s.leaves)-1]); q.kind() == leafKind {
				break
			}
			t.Fatal("a tree of more than two levels")
		}
		for ok && p.kind() == branchKind && string(name) == string(blobs) {
			_, child := p.branch(1)
			s.continuation = child + 1
			break
		}
	}
	if len(s.leaves) < 10 || s.continuation == 0 {
		t.Fatalf("%d leaves, continuation %d", len(s.leaves), s.continuation)
	}
	return s
}

// TestStaleLeaf puts a leaf of an earlier state in the place of the present one: reads cannot tell, but the sum can.
func TestStaleLeaf(t *testing.T) {
	path := filled(t, 3000)
	size := os.Getpagesize()
	before := whole(t, path)
	was := stateOf(t, before)
	d := opened(t, path, nil)
	// The last entry of a leaf, with as many bytes as before.
	p := page(before[int(was.leaves[5])*size:])
	k, v := p.leaf(p.count() - 1)
	update(t, d, func(tx *Tx) error { return tx.Bucket(rows).Put(k, bytes.Repeat([]byte("x"), len(v)-sealSize)) })
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	after := whole(t, path)
	now := stateOf(t, after)
	stale := page(after[int(now.leaves[5])*size:][:size])
	copy(stale, before[int(was.leaves[5])*size:][:size])
	binary.NativeEndian.PutUint64(stale, now.leaves[5])
	if err := os.WriteFile(path, after, 0o600); err != nil {
		t.Fatal(err)
	}
	d = opened(t, path, &Options{ReadOnly: true})
	if _, err := contents(d); err != nil {
		t.Fatal("a stale leaf has entries that were written: ", err)
	}
	if err := check(d); err == nil {
		t.Error("Check does not notice a stale leaf")
	}
	err := damaged(func() error {
		return d.View(func(tx *Tx) error {
			c := tx.Bucket(rows).SumCursor()
			for k, _ := c.First(); k != nil; k, _ = c.Next() {
			}
			return nil
		})
	})
	if err == nil {
		t.Error("a cursor with a sum does not notice a stale leaf")
	}
}

// TestTornCreation: what a crash leaves of a file that is being created has no descriptions, and is refused; a file
// with the first state is opened.
func TestTornCreation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	d := opened(t, path, nil)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = opened(t, path, nil)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	size := os.Getpagesize()
	for _, n := range []int{1, size, 4 * size} {
		if err := os.WriteFile(path, make([]byte, n), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, 0o600, nil); !errors.Is(err, ErrInvalid) {
			t.Errorf("%d zeros: %v", n, err)
		}
	}
}

// TestCrashBeforeTheDescription: the pages of a transaction are written, its description is not.
func TestCrashBeforeTheDescription(t *testing.T) {
	path := filled(t, 3000)
	before, size := whole(t, path), os.Getpagesize()
	d := opened(t, path, nil)
	want, err := contents(d)
	if err != nil {
		t.Fatal(err)
	}
	update(t, d, func(tx *Tx) error { return tx.Bucket(rows).Put([]byte("late"), nil) })
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	after := whole(t, path)
	copy(after, before[:2*size])
	if err := os.WriteFile(path, after, 0o600); err != nil {
		t.Fatal(err)
	}
	d = opened(t, path, nil)
	if got, err := contents(d); err != nil || len(got) != len(want) {
		t.Errorf("%d entries of %d: %v", len(got), len(want), err)
	}
	if err := check(d); err != nil {
		t.Error(err)
	}
}
