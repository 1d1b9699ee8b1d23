// Package trained writes and reads models that were trained outside of a database, over shards: the kind, its options
// and its sections in one file.
package trained

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"parlance/algo/foreign"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/storage/value"
)

// Format declares the format.
func Format() foreign.Format {
	return foreign.Format{Name: "trained",
		Doc: "models that Parlance trained over shards, such as those of parlance-beam: their kind",
		New: func() foreign.Reader { return reader{} }}
}

// A file is a magic, the length of the head in 4 bytes, the head as JSON, the sections one after the other, and the
// CRC-32C of all of these in 4 bytes; numbers are little-endian.
const magic = "parlance trained 1\n"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

type head struct {
	Kind      string
	Tokenizer string `json:",omitempty"`
	Options   []arg
	Sections  []section
}

type section struct {
	Name string
	Size int
}

// arg is an option as JSON, whose type follows from which of the values is there.
type arg struct {
	Name    string      `json:",omitempty"`
	Text    *string     `json:",omitempty"`
	Integer *int64      `json:",omitempty"`
	Float   *float64    `json:",omitempty"`
	Boolean *bool       `json:",omitempty"`
	Ref     *option.Ref `json:",omitempty"`
	List    []arg       `json:",omitempty"`
}

func toArg(a option.Arg) (arg, error) {
	out := arg{Name: a.Name, Ref: a.Ref}
	switch v := a.Value; {
	case a.Ref != nil:
	case a.List != nil:
		for _, e := range a.List {
			x, err := toArg(e)
			if err != nil {
				return out, err
			}
			out.List = append(out.List, x)
		}
	case v.T == value.Text:
		out.Text = &v.S
	case v.T == value.Integer:
		n := v.Int()
		out.Integer = &n
	case v.T == value.Float:
		x := v.Float()
		out.Float = &x
	case v.T == value.Boolean:
		b := v.Bool()
		out.Boolean = &b
	default:
		return out, fmt.Errorf("option %s: a value of type %s cannot be written", a.Name, v.T)
	}
	return out, nil
}

func (a arg) option() option.Arg {
	out := option.Arg{Name: a.Name, Ref: a.Ref}
	switch {
	case a.Text != nil:
		out.Value = value.Str(*a.Text)
	case a.Integer != nil:
		out.Value = value.Int(*a.Integer)
	case a.Float != nil:
		out.Value = value.Real(*a.Float)
	case a.Boolean != nil:
		out.Value = value.Bool(*a.Boolean)
	case a.Ref == nil:
		out.List = []option.Arg{}
		for _, e := range a.List {
			out.List = append(out.List, e.option())
		}
	}
	return out
}

// Write writes a trained model of a kind with the options that it was trained with, and the tokenizer of its texts.
func Write(to io.Writer, name, tokenizer string, options []option.Arg, m kind.Model) error {
	h := head{Kind: name, Tokenizer: tokenizer}
	for _, o := range options {
		a, err := toArg(o)
		if err != nil {
			return err
		}
		h.Options = append(h.Options, a)
	}
	var sections []byte
	err := m.Encode(kind.NewWriter(func(name string, p []byte) error {
		if n := len(h.Sections); n == 0 || h.Sections[n-1].Name != name {
			h.Sections = append(h.Sections, section{Name: name})
		}
		h.Sections[len(h.Sections)-1].Size += len(p)
		sections = append(sections, p...)
		return nil
	}))
	if err != nil {
		return err
	}
	top, err := json.Marshal(h)
	if err != nil {
		return err
	}
	begin := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(top)))
	begin = append(begin, top...)
	sum := crc32.Update(crc32.Checksum(begin, castagnoli), castagnoli, sections)
	for _, p := range [][]byte{begin, sections, binary.LittleEndian.AppendUint32(nil, sum)} {
		if _, err := to.Write(p); err != nil {
			return err
		}
	}
	return nil
}

type reader struct{}

// Options declares none.
func (reader) Options(*option.Set) {}

const damaged = "the file was cut short, or is damaged; make it anew"

// Read reads a model.
func (reader) Read(_ context.Context, f *foreign.File) (*foreign.Model, error) {
	rest, ok := strings.CutPrefix(f.Data, magic)
	if !ok {
		return nil, &foreign.Error{Msg: "this is no model that was trained over shards",
			Hint: "a file that begins with " + strings.TrimSpace(magic) + "; files of COPY MODEL are loaded without FORMAT"}
	}
	if len(rest) < 8 {
		return nil, foreign.Faultf(damaged, "the file ends in its head")
	}
	end := len(f.Data) - 4
	if crc32.Checksum([]byte(f.Data[:end]), castagnoli) != binary.LittleEndian.Uint32([]byte(f.Data[end:])) {
		return nil, foreign.Faultf(damaged, "the checksum is not that of the contents")
	}
	n := int64(binary.LittleEndian.Uint32([]byte(rest)))
	rest = rest[4 : len(rest)-4]
	var h head
	if n > int64(len(rest)) || json.Unmarshal([]byte(rest[:n]), &h) != nil {
		return nil, foreign.Faultf(damaged, "the head cannot be read")
	}
	rest = rest[n:]
	m := &foreign.Model{Kind: h.Kind, Program: "Parlance over shards", Tokenizer: h.Tokenizer}
	for _, o := range h.Options {
		m.Options = append(m.Options, o.option())
	}
	sections := make([]string, len(h.Sections))
	for i, s := range h.Sections {
		if s.Size < 0 || s.Size > len(rest) {
			return nil, foreign.Faultf(damaged, "section %s has %d bytes, and the file %d more", s.Name, s.Size, len(rest))
		}
		sections[i], rest = rest[:s.Size], rest[s.Size:]
	}
	m.Encode = func(w *kind.Writer) error {
		for i, s := range h.Sections {
			if err := w.Bytes(s.Name, []byte(sections[i])); err != nil {
				return err
			}
		}
		return nil
	}
	return m, nil
}
