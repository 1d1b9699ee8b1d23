package chain

// Bytes is what the weights and the tables made of them take in memory.
func (m *Model) Bytes() int64 {
	p := &m.parts
	n := 4*cap(p.AttrStart) + 2*cap(p.PairLabel) + 8*cap(p.Weights) + 2*cap(p.TransFrom) + 2*cap(p.TransTo) +
		8*cap(p.TransWeights)
	return int64(n) + int64(8*(cap(m.free.matrix)+cap(m.free.gain)))
}
