package state_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parlance/algo/kind"
	"parlance/algo/kind/state"
)

// upper writes itself as text.
type upper struct{ s string }

func (u upper) MarshalText() ([]byte, error) { return []byte(strings.ToUpper(u.s)), nil }

func (u *upper) UnmarshalText(p []byte) error {
	if len(p) == 0 {
		return errors.New("is no notation")
	}
	u.s = strings.ToLower(string(p))
	return nil
}

type label uint16

type part struct {
	A int `state:"a,from=-100"`
}

type leaf struct {
	Name  string         `state:"names"`
	Rank  label          `state:"ranks,below=Limit"`
	Score map[string]int `state:"scores"`
	Next  *part          `state:"next"`
}

// told is a struct that is told when it is read.
type told struct {
	N     uint64 `state:"n"`
	twice uint64
}

func (x *told) Loaded() error {
	if x.N == 13 {
		return errors.New("is not lucky")
	}
	x.twice = 2 * x.N
	return nil
}

type all struct {
	Limit int8                `state:"limit"`
	Neg   []int32             `state:"neg"`
	Flag  []bool              `state:"flag"`
	Pairs [][2]uint16         `state:"pairs"`
	ByKey map[uint64][]uint16 `state:"by_key"`
	Both  map[[2]int32]label  `state:"both"`
	Leafs []leaf              `state:"leafs,rising=Name"`
	Set   *upper              `state:"set"`
	Sets  []upper             `state:"sets"`
	None  *part               `state:"none"`
	X     float32             `state:"x,finite"`
	Ys    []float64           `state:"ys"`
	Later []int               `state:"later,optional"`
	Deep  [][][]string        `state:"deep"`
	Rows  [][]float32         `state:"rows"`
	Named []label             `state:"named"`
	Told  told                `state:"told"`
	Big   [3]uint64           `state:"big"`
	part  `state:""`
	Ptr   *told    `state:"ptr,always"`
	Ptrs  []*part  `state:"ptrs"`
	Many  [2][]int `state:"many"`
}

func save(t testing.TB, x any) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := state.Save(kind.NewWriter(func(s string, p []byte) error {
		out[s] = append(out[s], p...)
		return nil
	}), x)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func load(parts map[string][]byte, x any) error {
	return state.Load(kind.NewReader(func(s string) ([]byte, error) {
		if p, ok := parts[s]; ok {
			return p, nil
		}
		return nil, fmt.Errorf("%w: %w", kind.ErrCorrupt, kind.ErrNoSection)
	}), x)
}

// drawn is any value of the type, with the bounds of its checks.
func drawn(t *rapid.T) *all {
	words, rank := rapid.StringN(0, 4, -1), rapid.Map(rapid.Uint16Range(0, 126), func(x uint16) label { return label(x) })
	x := &all{
		Limit: 127,
		Neg:   rapid.SliceOf(rapid.Int32()).Draw(t, "neg"),
		Flag:  rapid.SliceOf(rapid.Bool()).Draw(t, "flag"),
		ByKey: rapid.MapOf(rapid.Uint64(), rapid.SliceOf(rapid.Uint16())).Draw(t, "by key"),
		Both:  map[[2]int32]label{},
		X:     float32(rapid.IntRange(-9, 9).Draw(t, "x")),
		Ys:    rapid.SliceOf(rapid.Float64()).Draw(t, "ys"),
		Later: rapid.SliceOf(rapid.IntRange(-300, 300)).Draw(t, "later"),
		Deep:  rapid.SliceOf(rapid.SliceOf(rapid.SliceOf(words))).Draw(t, "deep"),
		Rows:  rapid.SliceOf(rapid.SliceOf(rapid.Float32())).Draw(t, "rows"),
		Named: rapid.SliceOf(rank).Draw(t, "named"),
		Told:  told{N: rapid.Uint64Range(14, 99).Draw(t, "told")},
		Big:   [3]uint64{rapid.Uint64().Draw(t, "big"), 0, math.MaxUint64},
		part:  part{rapid.IntRange(-100, math.MaxInt).Draw(t, "part")},
		Ptr:   &told{N: 5, twice: 10},
		Many:  [2][]int{{}, rapid.SliceOf(rapid.Int()).Draw(t, "many")},
		Set:   &upper{"abc"}, Sets: []upper{}, Pairs: [][2]uint16{}, Leafs: []leaf{}, Ptrs: []*part{},
	}
	x.Told.twice = 2 * x.Told.N
	for range rapid.IntRange(0, 4).Draw(t, "pairs") {
		x.Pairs = append(x.Pairs, [2]uint16{rapid.Uint16().Draw(t, "a"), rapid.Uint16().Draw(t, "b")})
		x.Both[[2]int32{rapid.Int32().Draw(t, "c"), rapid.Int32().Draw(t, "d")}] = rank.Draw(t, "both")
		x.Sets, x.Ptrs = append(x.Sets, upper{"q"}), append(x.Ptrs, &part{rapid.IntRange(-100, 0).Draw(t, "ptr")})
	}
	for i := range rapid.IntRange(0, 5).Draw(t, "leafs") {
		l := leaf{Name: fmt.Sprint(i), Rank: rank.Draw(t, "rank"),
			Score: rapid.MapOf(words, rapid.Int()).Draw(t, "score")}
		if rapid.Bool().Draw(t, "next") {
			l.Next = &part{rapid.IntRange(-100, 99).Draw(t, "a")}
		}
		x.Leafs = append(x.Leafs, l)
	}
	return x
}

// TestRoundTrip: what is loaded is what was saved, and gives the same bytes again.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		x, y := drawn(r), &all{}
		parts := save(t, x)
		if err := load(parts, y); err != nil {
			r.Fatal(err)
		}
		if again := save(t, y); !reflect.DeepEqual(parts, again) {
			r.Fatalf("%v\n%v", parts, again)
		}
		if a, b := fmt.Sprintf("%+v", plain(x)), fmt.Sprintf("%+v", plain(y)); a != b {
			r.Fatalf("\n%s\n%s", a, b)
		}
	})
}

// plain shows what pointers lead to.
func plain(x *all) any {
	y := *x
	var behind []any
	for _, p := range y.Ptrs {
		behind = append(behind, *p)
	}
	for i, l := range y.Leafs {
		if l.Next != nil {
			behind = append(behind, i, *l.Next)
		}
		l.Next = nil
		behind = append(behind, l)
	}
	behind = append(behind, *y.Set, *y.Ptr)
	y.Ptrs, y.Leafs, y.Set, y.Ptr = nil, nil, nil, nil
	return []any{y, behind}
}

// TestFormat: sections and bytes are those of the description.
func TestFormat(t *testing.T) {
	type row struct {
		Word string  `state:"words"`
		Tag  []int   `state:"tags"`
		P    float32 `state:"p"`
	}
	x := struct {
		Rows []row          `state:"rows"`
		M    map[string]int `state:"m"`
		N    *row           `state:"n"`
		Neg  []int64        `state:"neg"`
	}{[]row{{"ab", []int{1, 300}, 1}, {"", nil, 0}}, map[string]int{"y": 1, "x": 2}, nil, []int64{-1, 127}}
	want := map[string][]byte{
		"rows.lengths": {1, 2}, "rows.words": {2, 2, 0, 'a', 'b'}, "rows.tags.lengths": {1, 2, 0},
		"rows.tags": {2, 1, 0, 44, 1}, "rows.p": {0, 0, 0x80, 0x3f, 0, 0, 0, 0},
		"m.lengths": {1, 2}, "m.keys": {2, 1, 1, 'x', 'y'}, "m": {1, 2, 1},
		"n.lengths": {1, 0}, "n.words": {0}, "n.tags.lengths": {1}, "n.tags": {1}, "n.p": nil,
		"neg": {0x81, 255, 127},
	}
	if got := save(t, &x); !maps.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("%v\n%v", got, want)
	}
}

func TestOptionalSections(t *testing.T) {
	parts := save(t, &all{Set: &upper{"a"}, Ptr: &told{}})
	delete(parts, "later")
	y := all{Later: []int{7}}
	if err := load(parts, &y); err != nil || !slices.Equal(y.Later, []int{7}) {
		t.Error(err, y.Later)
	}
	for name := range parts {
		broken := maps.Clone(parts)
		delete(broken, name)
		if err := load(broken, &all{}); !errors.Is(err, kind.ErrNoSection) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

// TestDamage: whatever is done to the bytes, Load takes them or says that they are damaged.
func TestDamage(t *testing.T) {
	x := rapid.Custom(drawn).Example(7)
	whole := save(t, x)
	names := slices.Sorted(maps.Keys(whole))
	rounds := 200_000
	if testing.Short() {
		rounds = 10_000
	}
	r, refused := rand.New(rand.NewPCG(1, 1)), 0
	for range rounds {
		broken := maps.Clone(whole)
		for range 1 + r.IntN(3) {
			name := names[r.IntN(len(names))]
			p := bytes.Clone(broken[name])
			if len(p) == 0 {
				continue
			}
			switch r.IntN(4) {
			case 0:
				p = p[:r.IntN(len(p)+1)]
			case 1:
				p = append(p, p...)
			case 2:
				p[r.IntN(len(p))] = byte(r.IntN(256))
			default:
				p[r.IntN(len(p))] ^= 1 << r.IntN(8)
			}
			broken[name] = p
		}
		var y all
		if err := load(broken, &y); err == nil {
			save(t, &y)
		} else if refused++; !errors.Is(err, kind.ErrCorrupt) {
			t.Fatal(err)
		}
	}
	if refused < rounds/2 {
		t.Errorf("%d of %d refused", refused, rounds)
	}
}

type listed struct {
	Width int         `state:"width"`
	Rows  []listedRow `state:"rows"`
}

type listedRow struct {
	Vec   []float64    `state:"vecs,len=Width"`
	Items []listedItem `state:"items"`
}

type listedItem struct {
	Row int `state:"rows,below=Rows"`
	Own int `state:"own,below=^Vec"`
}

type pair struct {
	A int    `state:"a"`
	B string `state:"b"`
}

// TestChecks breaks each check once, and sees value, place and limit in the message.
func TestChecks(t *testing.T) {
	nested := func(width, row, own int, n int) *listed {
		return &listed{width, []listedRow{{make([]float64, n), []listedItem{{row, own}}}}}
	}
	type numbers struct {
		N     int         `state:"n"`
		Some  []int       `state:"some,some"`
		Same  []int       `state:"same,len=N*2+1"`
		Inner [][]float32 `state:"inner,each=N,finite"`
		Equal uint8       `state:"equal,equal=N"`
		Below [][]int     `state:"below,below=N"`
		Start []uint32    `state:"start,rows=N,into=Same"`
		Rise  []string    `state:"rise,rising"`
		Sort  []float64   `state:"sort,sorted,from=-1,to=9"`
		Dist  []int       `state:"dist,distinct"`
		Ups   [][]uint8   `state:"ups,rising"`
		Prob  float64     `state:"prob,prob"`
		Pos   []float64   `state:"pos,positive"`
		Keyed []pair      `state:"keyed,rising=A+B"`
	}
	good := func() *numbers {
		return &numbers{N: 2, Some: []int{1}, Same: make([]int, 5), Inner: [][]float32{{1, 2}, {3, 4}}, Equal: 2,
			Below: [][]int{{0}, {1, 0}}, Start: []uint32{0, 3, 5}, Rise: []string{"a", "b"}, Sort: []float64{-1, 2, 2, 9},
			Dist: []int{3, 1, 2}, Prob: 1, Pos: []float64{0.1}, Ups: [][]uint8{{1, 2}, {1}},
			Keyed: []pair{{1, "x"}, {1, "y"}}}
	}
	if err := load(save(t, good()), &numbers{}); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(x *numbers){
		"section some is empty":                                  func(x *numbers) { x.Some = nil },
		"section same has 4 values, want 5 (N*2+1)":              func(x *numbers) { x.Same = x.Same[:4] },
		"section inner has 1 values in list 1, want 2 (N)":       func(x *numbers) { x.Inner[1] = []float32{1} },
		"section inner has +Inf at 2, want a finite number":      func(x *numbers) { x.Inner[1][0] = float32(math.Inf(1)) },
		"section equal is 3, want 2 (N)":                         func(x *numbers) { x.Equal = 3 },
		"section below has 2 at 1, want one from 0 and below 2":  func(x *numbers) { x.Below[1][0] = 2 },
		"section below has -1 at 1, want one from 0 and below 2": func(x *numbers) { x.Below[1][0] = -1 },
		"section start has 2 values, want one a row of 2":        func(x *numbers) { x.Start = x.Start[:2] },
		"section start falls to 2 at 2":                          func(x *numbers) { x.Start = []uint32{0, 3, 2} },
		"section start falls to 1 at 0":                          func(x *numbers) { x.Start = []uint32{1, 3, 5} },
		"section start ends at 6, want 5":                        func(x *numbers) { x.Start = []uint32{0, 3, 6} },
		"section rise does not rise at 1":                        func(x *numbers) { x.Rise = []string{"a", "a"} },
		"section sort falls at 2":                                func(x *numbers) { x.Sort = []float64{1, 3, 2} },
		"section sort has -1.5 at 0, want at least -1":           func(x *numbers) { x.Sort = []float64{-1.5} },
		"section sort has 9.5 at 1, want at most 9":              func(x *numbers) { x.Sort = []float64{1, 9.5} },
		"section ups.each does not rise at 3":                    func(x *numbers) { x.Ups[1] = []uint8{1, 1} },
		"section dist has 3 twice":                               func(x *numbers) { x.Dist = []int{3, 1, 3} },
		"section prob has 1.5 at 0, want one from 0 to 1":        func(x *numbers) { x.Prob = 1.5 },
		"section prob has NaN at 0":                              func(x *numbers) { x.Prob = math.NaN() },
		"section pos has 0 at 0, want one above 0":               func(x *numbers) { x.Pos[0] = 0 },
		"section keyed.a does not rise at 1":                     func(x *numbers) { x.Keyed[1] = x.Keyed[0] },
	} {
		x := good()
		spoil(x)
		err := load(save(t, x), &numbers{})
		if !errors.Is(err, kind.ErrCorrupt) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for want, x := range map[string]*listed{
		"": nested(2, 0, 1, 2), "section rows.vecs has 1 values, want 2 (Width)": nested(2, 0, 0, 1),
		"section rows.items.rows has 1 at 0, want one from 0 and below 1 (Rows)": nested(2, 1, 0, 2),
		"section rows.items.own has 2 at 0, want one from 0 and below 2 (^Vec)":  nested(2, 0, 2, 2),
	} {
		if err := load(save(t, x), &listed{}); (err == nil) != (want == "") || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	unlucky := all{Set: &upper{"a"}, Ptr: &told{N: 13}}
	if err := load(save(t, &unlucky), &all{}); !errors.Is(err, kind.ErrCorrupt) ||
		!strings.Contains(err.Error(), "section ptr: is not lucky") {
		t.Error(err)
	}
}

// TestRowsOfOthers: with several structs around, a check reads the fields of its own.
func TestRowsOfOthers(t *testing.T) {
	x := &listed{Width: 1}
	for i := range 3 {
		x.Rows = append(x.Rows, listedRow{[]float64{1}, []listedItem{{Row: i}}})
	}
	if err := load(save(t, x), &listed{}); err != nil {
		t.Error(err)
	}
	x.Width = 0
	for i := range x.Rows {
		x.Rows[i] = listedRow{nil, []listedItem{}}
	}
	x.Rows[1].Items = []listedItem{{}}
	err := load(save(t, x), &listed{})
	if want := "rows.items.own has 0 at 0, want one from 0 and below 0"; !strings.Contains(fmt.Sprint(err), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestWrongTags: a tag that makes no sense panics when the type is first used.
func TestWrongTags(t *testing.T) {
	type loop struct {
		N    int     `state:"n"`
		Next []*loop `state:"next"`
	}
	for want, x := range map[string]any{
		"holds itself": &loop{},
		"is not exported": &struct {
			n int `state:"n"`
		}{},
		"has no tags": &struct{ N int }{},
		"there is no check big": &struct {
			N int `state:"n,big"`
		}{},
		"there is no check below=N of a string": &struct {
			N string `state:"n,below=N"`
		}{},
		"no struct around has a field M": &struct {
			N []int `state:"n,len=M"`
		}{},
		"a chan int cannot be written": &struct {
			C chan int `state:"c"`
		}{},
		"always is of pointers": &struct {
			N int `state:"n,always"`
		}{},
		"into= is wanted": &struct {
			N []int `state:"n,rows=N"`
		}{},
		"has no such field": &struct {
			N []part `state:"n,rising=B"`
		}{},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("%s, want %s", got, want)
				}
			}()
			_ = state.Save(kind.NewWriter(func(string, []byte) error { return nil }), x)
		}()
	}
}

// TestMemory: lists count with their room, what several fields lead to counts once, and what belongs to others not.
func TestMemory(t *testing.T) {
	type row struct {
		Word string `state:"words"`
		N    int64  `state:"n"`
	}
	shared := make([]float64, 1000)
	x := struct {
		Rows  []row      `state:"rows"`
		A, B  []float64  // no tags
		Other *[1000]int `state:"-"`
		M     map[int32]int32
	}{[]row{{"abc", 1}}, shared, shared, new([1000]int), map[int32]int32{1: 2}}
	if got, want := state.Memory(&x), int64(24*3+8+8+24+3+8000+12); got != want {
		t.Errorf("%d, want %d", got, want)
	}
}
