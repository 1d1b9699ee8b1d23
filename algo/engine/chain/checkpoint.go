package chain

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"parlance/algo/numeric/optimize"
)

const checkpointMagic = "CHAIN\x00\x00\x01"

// fingerprint is what must agree between a checkpoint and the training that goes on.
type fingerprint struct {
	Features, Labels, Attributes, Sequences, Tokens, Memory, Period uint64
	L1, L2                                                          float64
	Seed                                                            uint64
	WarmStart                                                       bool
	Data                                                            uint32 // checksum of attributes, values and labels
}

func (t *trainer) fingerprint() fingerprint {
	if t.print == nil {
		f := t.makeFingerprint()
		t.print = &f
	}
	return *t.print
}

func (t *trainer) makeFingerprint() fingerprint {
	d, o := t.data, t.opt
	sum := crc32.NewIEEE()
	buf := make([]byte, 0, 4096)
	put := func(v uint32) {
		if len(buf) == cap(buf) {
			sum.Write(buf)
			buf = buf[:0]
		}
		buf = binary.LittleEndian.AppendUint32(buf, v)
	}
	for _, p := range [][]uint32{d.Offsets, d.AttrOffsets, d.Attrs} {
		for _, v := range p {
			put(v)
		}
	}
	for _, v := range d.Values {
		put(math.Float32bits(v))
	}
	for _, v := range d.Gold {
		put(uint32(v))
	}
	sum.Write(buf)
	return fingerprint{uint64(t.layout.size()), uint64(d.Labels), uint64(d.Attributes), uint64(d.Sequences()),
		uint64(d.Tokens()), uint64(o.Memory), uint64(o.Period), o.L1, o.L2, o.Seed, o.WarmStart, sum.Sum32()}
}

// averagerHead is the fixed part of an averager in a checkpoint.
type averagerHead struct {
	Scale, Total, Count, Steps float64
	Epoch                      uint64
}

// checkpoint writes phase, fingerprint and state.
func (t *trainer) checkpoint(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString(checkpointMagic)
	b.WriteByte(byte(t.phase))
	if err := binary.Write(&b, binary.LittleEndian, t.fingerprint()); err != nil {
		return fmt.Errorf("write checkpoint: %w", err)
	}
	if s := t.sgd; t.phase == Averaging {
		for _, v := range []any{averagerHead{s.scale, s.total, s.count, s.steps, uint64(s.epoch)}, s.v, s.u} {
			if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
				return fmt.Errorf("write checkpoint: %w", err)
			}
		}
	}
	if err := binary.Write(&b, binary.LittleEndian, crc32.ChecksumIEEE(b.Bytes())); err != nil {
		return fmt.Errorf("write checkpoint: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write checkpoint: %w", err)
	}
	if t.phase == Fitting {
		return t.state.Encode(w)
	}
	return nil
}

// resume reads a checkpoint of the same training.
func (t *trainer) resume(r io.Reader) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: checkpoint %s", ErrInvalid, fmt.Sprintf(format, args...))
	}
	sum := crc32.NewIEEE()
	in := io.TeeReader(r, sum)
	head := make([]byte, len(checkpointMagic)+1)
	if _, err := io.ReadFull(in, head); err != nil {
		return bad("is cut short: %v", err)
	}
	if string(head[:len(checkpointMagic)]) != checkpointMagic {
		return bad("begins with %q, want %q", head[:len(checkpointMagic)], checkpointMagic)
	}
	phase := Phase(head[len(checkpointMagic)])
	if phase != Fitting && !(phase == Averaging && t.opt.WarmStart) {
		return bad("has phase %d, which this training has not", phase)
	}
	var f fingerprint
	if err := binary.Read(in, binary.LittleEndian, &f); err != nil {
		return bad("is cut short: %v", err)
	}
	if want := t.fingerprint(); f != want {
		return bad("is of another training: %+v, want %+v", f, want)
	}
	var s *averager
	if phase == Averaging {
		s = newAverager(make([]float64, t.layout.size()), t.layout)
		var h averagerHead
		for _, v := range []any{&h, s.v, s.u} {
			if err := binary.Read(in, binary.LittleEndian, v); err != nil {
				return bad("is cut short: %v", err)
			}
		}
		s.scale, s.total, s.count, s.steps, s.epoch = h.Scale, h.Total, h.Count, h.Steps, int(h.Epoch)
	}
	want := sum.Sum32()
	var got uint32
	if err := binary.Read(in, binary.LittleEndian, &got); err != nil || got != want {
		return bad("has checksum %08x, want %08x", got, want)
	}
	t.phase, t.sgd = phase, s
	if phase == Averaging {
		return nil
	}
	st, err := optimize.DecodeState(r)
	if err != nil {
		return fmt.Errorf("resume: %w", err)
	}
	if len(st.X) != t.layout.size() {
		return bad("has %d weights, want %d", len(st.X), t.layout.size())
	}
	t.state = st
	return nil
}
