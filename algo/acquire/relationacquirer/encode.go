package relationacquirer

import (
	"maps"
	"math"
	"slices"

	"parlance/algo/classify/svm/solver"
	"parlance/algo/kind"
)

// header is what is stored besides lists.
type header struct {
	Classed     bool
	Bias, Gamma float64
}

// Encode writes the candidate generator, the machine, its examples, and the pairs.
func (m *model) Encode(w *kind.Writer) error {
	var between, classes, examples, instances []string
	for _, p := range m.betweenList() {
		between = append(between, p.source, p.target)
	}
	var widths, placesOf, counts, ids []uint32
	for _, word := range slices.Sorted(maps.Keys(m.classes)) {
		classes = append(append(classes, word), m.classes[word]...)
		widths = append(widths, uint32(len(m.classes[word])))
	}
	for _, e := range m.examples {
		examples = append(examples, e.source, e.target, e.doc)
		placesOf = append(placesOf, uint32(e.sent), bit(e.positive))
	}
	var scores []float64
	for _, i := range m.instances {
		instances, scores = append(instances, i.source, i.target, i.doc, i.path), append(scores, i.score)
		counts = append(counts, uint32(i.sent), uint32(i.count), bit(i.known)|2*bit(i.reversed),
			uint32(len(i.features)))
		ids = append(ids, i.features...)
	}
	x := m.pool.Rows()
	for _, step := range []func() error{
		func() error { return w.JSON("header", header{m.classed, m.bias, m.gamma}) },
		func() error { return w.Strings("partials.x", m.partialList(0)) },
		func() error { return w.Strings("partials.y", m.partialList(1)) },
		func() error { return w.Strings("between", between) },
		func() error { return w.Strings("classes", classes) },
		func() error { return w.Uint32s("classes.widths", widths) },
		func() error { return w.Strings("features", m.features) },
		func() error { return w.Uint32s("support.offsets", x.Offsets) },
		func() error { return w.Uint32s("support.columns", x.Columns) },
		func() error { return w.Float64s("weights", m.beta) },
		func() error { return w.Strings("examples", examples) },
		func() error { return w.Uint32s("examples.places", placesOf) },
		func() error { return w.Strings("instances", instances) },
		func() error { return w.Uint32s("instances.counts", counts) },
		func() error { return w.Uint32s("instances.features", ids) },
		func() error { return w.Float64s("instances.scores", scores) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// sections are the lists that Encode wrote, by name.
type sections struct {
	texts map[string][]string
	ints  map[string][]uint32
	reals map[string][]float64
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) (err error) {
	s := sections{map[string][]string{}, map[string][]uint32{}, map[string][]float64{}}
	var h header
	if err := r.JSON("header", &h); err != nil {
		return err
	}
	for _, name := range []string{"partials.x", "partials.y", "between", "classes", "features", "examples",
		"instances"} {
		if s.texts[name], err = r.Strings(name); err != nil {
			return err
		}
	}
	for _, name := range []string{"classes.widths", "support.offsets", "support.columns", "examples.places",
		"instances.counts",
		"instances.features"} {
		if s.ints[name], err = r.Uint32s(name); err != nil {
			return err
		}
	}
	for _, name := range []string{"weights", "instances.scores"} {
		if s.reals[name], err = r.Float64s(name); err != nil {
			return err
		}
		if slices.ContainsFunc(s.reals[name], func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }) {
			return kind.Corrupt(name, "has what is no number")
		}
	}
	m.bias, m.gamma = h.Bias, h.Gamma
	m.generator = generator{classed: h.Classed, classes: map[string][]string{}, between: map[pair]bool{}}
	for _, step := range []func(sections) error{m.decodeGenerator, m.decodeMachine, m.decodeExamples,
		m.decodeInstances} {
		if err := step(s); err != nil {
			return err
		}
	}
	return nil
}

func (m *model) decodeGenerator(s sections) error {
	m.partials = [2]map[string]bool{{}, {}}
	for role, name := range [2]string{"partials.x", "partials.y"} {
		for _, p := range s.texts[name] {
			m.partials[role][p] = true
		}
	}
	between, classes := s.texts["between"], s.texts["classes"]
	if len(between)%2 != 0 {
		return kind.Corrupt("between", "are no pairs")
	}
	for k := 0; k < len(between); k += 2 {
		m.between[pair{between[k], between[k+1]}] = true
	}
	for _, n := range s.ints["classes.widths"] {
		if uint64(n)+1 > uint64(len(classes)) {
			return kind.Corrupt("classes.widths", "adds up to more than there is")
		}
		m.classes[classes[0]], classes = classes[1:n+1], classes[n+1:]
	}
	m.generator.ready()
	return nil
}

func (m *model) decodeMachine(s sections) error {
	m.features, m.beta = s.texts["features"], s.reals["weights"]
	x := &solver.Rows{Width: len(m.features), Offsets: s.ints["support.offsets"], Columns: s.ints["support.columns"]}
	if !slices.IsSorted(x.Offsets) || len(x.Offsets) == 0 || x.Offsets[0] != 0 || x.Len() != len(m.beta) ||
		!(m.gamma > 0 && m.gamma <= 1) || math.IsNaN(m.bias) {
		return kind.Corrupt("support.offsets", "does not fit the weights")
	}
	if err := x.Check(); err != nil {
		return kind.Corrupt("support.columns", err.Error())
	}
	m.index()
	m.pool = solver.NewPool(m.kernel(), x)
	return nil
}

func (m *model) decodeExamples(s sections) error {
	list, places := s.texts["examples"], s.ints["examples.places"]
	if len(list)%3 != 0 || len(places) != len(list)/3*2 {
		return kind.Corrupt("examples", "does not fit its places")
	}
	m.examples = nil
	for k := range len(list) / 3 {
		m.examples = append(m.examples, example{pair: pair{list[3*k], list[3*k+1]}, doc: list[3*k+2],
			sent: int(places[2*k]), positive: places[2*k+1] == 1})
	}
	return nil
}

func (m *model) decodeInstances(s sections) error {
	list, counts, ids, scores := s.texts["instances"], s.ints["instances.counts"], s.ints["instances.features"],
		s.reals["instances.scores"]
	if len(list) != 4*len(scores) || len(counts) != 4*len(scores) {
		return kind.Corrupt("instances", "does not fit its scores")
	}
	m.instances = nil
	for k, score := range scores {
		n := counts[4*k+3]
		if uint64(n) > uint64(len(ids)) {
			return kind.Corrupt("instances.features", "are fewer than was counted")
		}
		i := instance{pair: pair{list[4*k], list[4*k+1]}, doc: list[4*k+2], path: list[4*k+3], score: score,
			sent: int(counts[4*k]), count: int(counts[4*k+1]), known: counts[4*k+2]&1 > 0,
			reversed: counts[4*k+2]&2 > 0, features: ids[:n]}
		if slices.ContainsFunc(i.features, func(f uint32) bool { return int(f) >= len(m.features) }) {
			return kind.Corrupt("instances.features", "name a feature that is not there")
		}
		ids = ids[n:]
		m.instances = append(m.instances, i)
	}
	return nil
}
