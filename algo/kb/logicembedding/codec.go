package logicembedding

import (
	"math"

	"parlance/algo/kb/logic"
	"parlance/algo/kind"
)

// noObject stands for None in what is stored.
const noObject = math.MaxUint32

// Encode writes names, facts and rules, and the vectors if there are any.
func (m *model) Encode(w *kind.Writer) error {
	k := m.know
	var pairs, facts []uint32
	var weights, ruleWeights []float64
	var rules []string
	for i := range int32(k.domain.Len()) {
		p := k.domain.Pair(i)
		pairs = append(pairs, uint32(p.Subject), uint32(p.Object)) // None becomes noObject
	}
	for _, f := range k.facts {
		no := uint32(0)
		if f.false {
			no = 1
		}
		facts = append(facts, uint32(f.relation), uint32(f.pair), no)
		weights = append(weights, f.weight)
	}
	for _, r := range k.rules {
		rules = append(rules, r.text)
		ruleWeights = append(ruleWeights, r.weight)
	}
	emb := m.emb
	if emb == nil {
		emb = &embedding{}
	}
	for _, write := range []func() error{
		func() error { return w.Strings("relations", k.relations.List()) },
		func() error { return w.Strings("entities", k.entities.List()) },
		func() error { return w.Uint32s("pairs", pairs) },
		func() error { return w.Uint32s("facts", facts) },
		func() error { return w.Float64s("weights", weights) },
		func() error { return w.Strings("rules", rules) },
		func() error { return w.Float64s("rule_weights", ruleWeights) },
		func() error { return w.Uint32s("derived", m.hold.encoded()) },
		func() error { return w.Uint32s("k", []uint32{uint32(emb.k)}) },
		func() error { return w.Float64s("pair_vectors", emb.pairs) },
		func() error { return w.Float64s("relation_matrices", emb.relations) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	k := newKnowledge()
	if err := k.decodeNames(r); err != nil {
		return err
	}
	if err := k.decodeFacts(r); err != nil {
		return err
	}
	if err := k.decodeRules(r); err != nil {
		return err
	}
	emb, err := decodeVectors(r, k)
	if err != nil {
		return err
	}
	m.know, m.emb, m.hold = k, nil, nil
	derived, err := decodeDerived(r, k)
	if err != nil {
		return err
	}
	if m.emb = emb; emb.k == 0 {
		m.emb, m.hold = nil, newClosed(k, derived)
	}
	return nil
}

// encoded lists what is derived, four numbers each.
func (c *closed) encoded() []uint32 {
	if c == nil {
		return nil
	}
	out := make([]uint32, 0, 4*len(c.derived))
	for _, f := range c.derived {
		no := uint32(0)
		if f.False {
			no = 1
		}
		out = append(out, uint32(f.Relation), uint32(f.Subject), uint32(f.Object), no)
	}
	return out
}

func decodeDerived(r *kind.Reader, k *knowledge) ([]logic.Fact, error) {
	list, err := r.Uint32s("derived")
	if err != nil {
		return nil, err
	}
	if len(list)%4 != 0 {
		return nil, kind.Corrupt("derived", "a fact is cut")
	}
	var out []logic.Fact
	for i := 0; i < len(list); i += 4 {
		f := list[i:]
		if int64(f[0]) >= int64(k.relations.Len()) || int64(f[1]) >= int64(k.entities.Len()) ||
			f[2] != noObject && int64(f[2]) >= int64(k.entities.Len()) || f[3] > 1 {
			return nil, kind.Corrupt("derived", "a fact is out of range")
		}
		out = append(out, logic.Fact{Relation: int32(f[0]), Pair: logic.Pair{Subject: int32(f[1]), Object: int32(f[2])},
			False: f[3] == 1})
	}
	return out, nil
}

func (k *knowledge) decodeNames(r *kind.Reader) error {
	relations, err := r.Strings("relations")
	if err != nil {
		return err
	}
	entities, err := r.Strings("entities")
	if err != nil {
		return err
	}
	pairs, err := r.Uint32s("pairs")
	if err != nil {
		return err
	}
	for _, n := range relations {
		k.relation(n)
	}
	for _, n := range entities {
		k.entities.Add(n)
	}
	if k.relations.Len() != len(relations) || k.entities.Len() != len(entities) {
		return kind.Corrupt("entities", "a name is there twice")
	}
	if len(pairs)%2 != 0 {
		return kind.Corrupt("pairs", "half a pair")
	}
	for i := 0; i < len(pairs); i += 2 {
		if int64(pairs[i]) >= int64(len(entities)) || pairs[i+1] != noObject && int64(pairs[i+1]) >= int64(len(entities)) {
			return kind.Corrupt("pairs", "an entity has no name")
		}
		k.domain.Add(logic.Pair{Subject: int32(pairs[i]), Object: int32(pairs[i+1])})
	}
	if k.domain.Len() != len(pairs)/2 {
		return kind.Corrupt("pairs", "a pair is there twice")
	}
	return nil
}

func (k *knowledge) decodeFacts(r *kind.Reader) error {
	facts, err := r.Uint32s("facts")
	if err != nil {
		return err
	}
	weights, err := r.Float64s("weights")
	if err != nil {
		return err
	}
	if len(facts) != 3*len(weights) {
		return kind.Corrupt("weights", "one a fact is wanted")
	}
	for i, w := range weights {
		f := facts[3*i:]
		if int64(f[0]) >= int64(k.relations.Len()) || int64(f[1]) >= int64(k.domain.Len()) || f[2] > 1 || !(w >= 0) {
			return kind.Corrupt("facts", "a fact is out of range")
		}
		k.state(fact{relation: int32(f[0]), pair: int32(f[1]), weight: w, false: f[2] == 1})
	}
	return nil
}

func (k *knowledge) decodeRules(r *kind.Reader) error {
	rules, err := r.Strings("rules")
	if err != nil {
		return err
	}
	weights, err := r.Float64s("rule_weights")
	if err != nil {
		return err
	}
	if len(weights) != len(rules) {
		return kind.Corrupt("rule_weights", "one a rule is wanted")
	}
	for i, text := range rules {
		k.ruled[text] = i
		k.rules = append(k.rules, rule{text: text, weight: weights[i]})
	}
	if err := k.bind(); err != nil {
		return kind.Corrupt("rules", err.Error())
	}
	return nil
}

func decodeVectors(r *kind.Reader, k *knowledge) (*embedding, error) {
	size, err := r.Uint32s("k")
	if err != nil {
		return nil, err
	}
	if len(size) != 1 || size[0] > 1<<16 {
		return nil, kind.Corrupt("k", "one number is wanted")
	}
	e := &embedding{k: int(size[0])}
	if e.pairs, err = r.Float64s("pair_vectors"); err != nil {
		return nil, err
	}
	if e.relations, err = r.Float64s("relation_matrices"); err != nil {
		return nil, err
	}
	if len(e.pairs) != e.k*k.domain.Len() || len(e.relations) != 2*e.k*k.relations.Len() {
		return nil, kind.Corrupt("pair_vectors", "the sizes do not fit")
	}
	if !e.finite() {
		return nil, kind.Corrupt("pair_vectors", "a value is no number")
	}
	return e, nil
}

// Bytes is what the model takes in memory.
func (m *model) Bytes() int64 {
	k, n := m.know, int64(0)
	for _, list := range [][]string{k.relations.List(), k.entities.List()} {
		for _, s := range list {
			n += int64(len(s)) + 64
		}
	}
	n += 120*int64(k.domain.Len()) + 64*int64(len(k.facts)) + 2000*int64(len(k.rules))
	if m.emb != nil {
		n += 8 * int64(len(m.emb.pairs)+len(m.emb.relations))
	}
	if m.hold != nil {
		n += 120*int64(m.hold.domain.Len()) + 40*int64(len(m.hold.truth)) + 16*int64(len(m.hold.derived))
	}
	m.derived.mu.Lock()
	defer m.derived.mu.Unlock()
	if c := m.derived.got; c != nil {
		n += 200 * int64(len(c.Facts))
	}
	return n
}
