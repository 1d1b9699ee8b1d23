package checkpoint

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"parlance/algo/kind"
)

// sections keeps what is written.
type sections map[string][]byte

func (s sections) writer() *kind.Writer {
	return kind.NewWriter(func(name string, p []byte) error {
		s[name] = append(s[name], p...)
		return nil
	})
}

func (s sections) reader() *kind.Reader {
	return kind.NewReader(func(name string) ([]byte, error) {
		p, ok := s[name]
		if !ok {
			return nil, errors.New("no section " + name)
		}
		return p, nil
	})
}

// TestStateComesBack writes states and reads them into others of the same shape.
func TestStateComesBack(t *testing.T) {
	number := rapid.OneOf(rapid.Just(0.0), rapid.Just(math.Copysign(0, -1)), rapid.Just(math.Inf(-1)), rapid.Float64())
	rapid.Check(t, func(t *rapid.T) {
		long := rapid.SliceOfN(number, 0, 200).Draw(t, "float64s")
		var short []float32
		for _, x := range long {
			short = append(short, float32(x))
		}
		lists := rapid.SliceOfN(rapid.SliceOfN(number, 0, 5), 1, 4).Draw(t, "lists")
		steps, source := rapid.IntRange(0, 100).Draw(t, "steps"), rand.NewPCG(1, 2)
		for range steps {
			source.Uint64()
		}
		loose := slices.Clone(lists)[rapid.IntRange(0, len(lists)).Draw(t, "without"):]
		integers := rapid.SliceOf(rapid.Int32()).Draw(t, "integers")
		s := sections{}
		state := State{{"a", Float64s(long)}, {"b", Float32s(short)}, {"c", Rows(lists)},
			{"d", Value(&steps)}, {"e", Random(source)}, {"f", Lists(&loose)}, {"g", Integers(&integers)}}
		if err := state.Write(s.writer()); err != nil {
			t.Fatal(err)
		}
		long2, short2, lists2, steps2, source2 := make([]float64, len(long)), make([]float32, len(short)),
			make([][]float64, len(lists)), 0, rand.NewPCG(0, 0)
		for i := range long2 {
			long2[i], short2[i] = 7, 7
		}
		loose2, integers2 := [][]float64{{1}}, []int32{7}
		again := State{{"a", Float64s(long2)}, {"b", Float32s(short2)}, {"c", Rows(lists2)},
			{"d", Value(&steps2)}, {"e", Random(source2)}, {"f", Lists(&loose2)}, {"g", Integers(&integers2)}}
		if err := again.Read(s.reader()); err != nil {
			t.Fatal(err)
		}
		same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
		if !slices.EqualFunc(long, long2, same) ||
			!slices.EqualFunc(short, short2, func(a, b float32) bool { return same(float64(a), float64(b)) }) {
			t.Errorf("%v became %v, %v", long, long2, short2)
		}
		if !slices.EqualFunc(lists, lists2, func(a, b []float64) bool { return slices.EqualFunc(a, b, same) }) {
			t.Errorf("%v became %v", lists, lists2)
		}
		sameList := func(a, b []float64) bool { return slices.EqualFunc(a, b, same) }
		if !slices.EqualFunc(loose, loose2, sameList) || !slices.Equal(integers, integers2) {
			t.Errorf("%v, %v became %v, %v", loose, integers, loose2, integers2)
		}
		if steps2 != steps || source2.Uint64() != source.Uint64() {
			t.Error("numbers of steps or random numbers differ")
		}
	})
}

// TestStateIsRefused reads damaged states and those of other trainings.
func TestStateIsRefused(t *testing.T) {
	s := sections{}
	v := []float64{0, 1, 0, 2}
	lists := [][]float64{{1}, {2, 3}}
	integers := []uint32{1, 2}
	state := State{{"v", Float64s(v)}, {"l", Rows(lists)}, {"n", Integers(&integers)}}
	if err := state.Write(s.writer()); err != nil {
		t.Fatal(err)
	}
	if err := (State{{"v", Float64s(make([]float64, 5))}}).Read(s.reader()); !errors.Is(err, kind.ErrCorrupt) {
		t.Errorf("into more numbers: %v", err)
	}
	if err := (State{{"l", Rows(make([][]float64, 3))}}).Read(s.reader()); !errors.Is(err, kind.ErrCorrupt) {
		t.Errorf("into more lists: %v", err)
	}
	for name, p := range s {
		for i := range p {
			for bit := range 8 {
				p[i] ^= 1 << bit
				var any [][]float64
				_ = State{{"v", Float64s(make([]float64, 4))}, {"l", Rows(make([][]float64, 2))}}.Read(s.reader()) // no panic
				_ = Lists(&any).Read(s.reader(), "l")
				p[i] ^= 1 << bit
			}
		}
		whole := p
		s[name] = p[:len(p)-1]
		if err := state.Read(s.reader()); err == nil {
			t.Errorf("section %s cut short is read", name)
		}
		s[name] = whole
	}
}

// TestKeeperWaits keeps checkpoints of three seconds and of none.
func TestKeeperWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cost, saves := time.Duration(0), 0
		k := NewKeeper(&kind.Training{Save: func(func(*kind.Writer) error) error {
			time.Sleep(cost)
			saves++
			return nil
		}})
		after := func(d time.Duration) int {
			time.Sleep(d)
			saves = 0
			if err := k.Save(nil); err != nil {
				t.Fatal(err)
			}
			return saves
		}
		if after(time.Second-1) != 0 || after(1) != 1 || after(time.Second/2) != 0 {
			t.Error("the first one comes after a second, the next one a second later")
		}
		cost = 2 * time.Second
		if after(time.Second) != 1 || after(39*time.Second) != 0 || after(time.Second) != 1 {
			t.Error("one that takes two seconds comes every forty")
		}
		cost = time.Hour
		if after(40*time.Second) != 1 || after(59*time.Second) != 0 || after(time.Second) != 1 {
			t.Error("one comes every minute, whatever it costs")
		}
	})
}
