package feature

import (
	"context"
	"fmt"
	"slices"

	"parlance/algo/kind"
)

// Joint numbers the attributes of templates that read labels of tokens before. A static attribute
// joined with the labels it reads is a joint attribute, numbered after those of the alphabet, so
// that weights need one table. It may be shared once nothing grows it.
type Joint struct {
	a      *Alphabet
	labels int
	ids    pairs       // key → 1 + number
	attr   []uint32    // static part of joint attribute i
	before [][2]uint16 // labels of the last token and the one before it; none where not read
	masks  []History   // of static attributes
}

const none = 0xffff

// NewJoint returns an empty numbering over an alphabet that grows no more, for the numbers of
// labels.
func NewJoint(a *Alphabet, labels int) *Joint {
	j := &Joint{a: a, labels: labels, masks: make([]History, a.Len())}
	for i := range j.masks {
		j.masks[i] = a.History(uint32(i))
	}
	return j
}

// Len returns the number of joint attributes.
func (j *Joint) Len() int { return len(j.attr) }

// Attributes returns the number of all attributes, those of the alphabet and joint ones.
func (j *Joint) Attributes() int { return j.a.Len() + len(j.attr) }

// Alphabet returns the alphabet of the static parts.
func (j *Joint) Alphabet() *Alphabet { return j.a }

// Labels returns the number of labels, which also stands for the label before the first token.
func (j *Joint) Labels() int { return j.labels }

// Reads returns which labels a static attribute is joined with; 0 makes it an attribute of its own.
func (j *Joint) Reads(attr uint32) History { return j.masks[attr] }

func (j *Joint) key(attr uint32, last, second int) (k uint64, before [2]uint16) {
	m := j.masks[attr]
	before = [2]uint16{none, none}
	if m&1 != 0 {
		before[0] = uint16(last)
	}
	if m&2 != 0 {
		before[1] = uint16(second)
	}
	return uint64(attr)<<32 | uint64(before[1])<<16 | uint64(before[0]), before
}

// Find returns the joint attribute of a static one after the labels of the last token and the one
// before it.
func (j *Joint) Find(attr uint32, last, second int) (uint32, bool) {
	k, _ := j.key(attr, last, second)
	id := j.ids.get(k)
	return uint32(j.a.Len()) + id - 1, id != 0
}

func (j *Joint) add(attr uint32, last, second int) uint32 {
	k, before := j.key(attr, last, second)
	id := j.ids.get(k)
	if id == 0 {
		j.attr, j.before = append(j.attr, attr), append(j.before, before)
		id = uint32(len(j.attr))
		j.ids.put(k, id)
	}
	return uint32(j.a.Len()) + id - 1
}

// Name returns an attribute, joint or not, as text, such as label[-1]|form[0]=B-NP|dog.
func (j *Joint) Name(attr uint32, labels []string) string {
	if int(attr) < j.a.Len() {
		return j.a.Name(attr)
	}
	i := int(attr) - j.a.Len()
	name := func(l uint16) string {
		if int(l) < len(labels) {
			return labels[l]
		}
		return "start"
	}
	return j.a.joined(j.attr[i], name(j.before[i][0]), name(j.before[i][1]))
}

// Grow returns rows in which attributes that read labels are joined with the gold labels before
// their tokens, numbering new ones; joint attributes in fewer than least tokens are dropped and
// the others numbered without gaps. Item i has the label gold[i]; sequence s is the items
// [sequences[s], sequences[s+1]). It is for an empty numbering, and ends with its context.
func (j *Joint) Grow(ctx context.Context, rows *Rows, sequences []uint32, gold []uint16, least int) (*Rows, error) {
	out := &Rows{Offsets: make([]uint32, 1, len(rows.Offsets)), Attrs: make([]uint32, 0, len(rows.Attrs)),
		Values: rows.Values}
	for s := 1; s < len(sequences); s++ {
		last, second := j.labels, j.labels
		for i := sequences[s-1]; i < sequences[s]; i++ {
			if i%keepTurn == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for _, a := range rows.Attrs[rows.Offsets[i]:rows.Offsets[i+1]] {
				if j.masks[a] != 0 {
					a = j.add(a, last, second)
				}
				out.Attrs = append(out.Attrs, a)
			}
			out.end()
			last, second = int(gold[i]), last
		}
	}
	if least > 1 {
		return out, j.prune(ctx, out, least)
	}
	return out, nil
}

// prune drops joint attributes in fewer than least items from rows without values.
func (j *Joint) prune(ctx context.Context, rows *Rows, least int) error {
	base := uint32(j.a.Len())
	count := make([]int, len(j.attr))
	for _, a := range rows.Attrs {
		if a >= base {
			count[a-base]++
		}
	}
	kept, number, err := j.Keep(ctx, func(i int) bool { return count[i] >= least })
	if err != nil {
		return err
	}
	w, from := 0, uint32(0)
	for i := 1; i < len(rows.Offsets); i++ {
		to := rows.Offsets[i]
		for _, a := range rows.Attrs[from:to] {
			if a >= base {
				if number[a-base] == none32 {
					continue
				}
				a = base + number[a-base]
			}
			rows.Attrs[w] = a
			w++
		}
		rows.Offsets[i], from = uint32(w), to
	}
	rows.Attrs = rows.Attrs[:w]
	*j = *kept
	return nil
}

const none32 = ^uint32(0)

// Keep returns the numbering of the joint attributes, 0-based, for which keep is true, and their new
// numbers by the old ones, 2³²−1 for those dropped. It ends with its context.
func (j *Joint) Keep(ctx context.Context, keep func(i int) bool) (*Joint, []uint32, error) {
	out := &Joint{a: j.a, labels: j.labels, masks: j.masks}
	number := make([]uint32, len(j.attr))
	for i, a := range j.attr {
		if i%keepTurn == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		number[i] = none32
		if keep(i) {
			number[i] = uint32(len(out.attr))
			out.add(a, int(j.before[i][0]), int(j.before[i][1]))
		}
	}
	return out, number, nil
}

// Bytes is what the numbering takes in memory, without the alphabet.
func (j *Joint) Bytes() int64 {
	return int64(16*cap(j.ids.slots) + 8*cap(j.ids.filter) + 4*cap(j.attr) + 4*cap(j.before) + cap(j.masks))
}

// Encode writes the joint attributes in sections that begin with "joint.".
func (j *Joint) Encode(w *kind.Writer) error {
	before := make([]uint32, len(j.before))
	for i, b := range j.before {
		before[i] = uint32(b[1])<<16 | uint32(b[0])
	}
	if err := w.Uint32s("joint.attributes", j.attr); err != nil {
		return err
	}
	return w.Uint32s("joint.labels", before)
}

// DecodeJoint reads what Encode wrote; damage gives an error that wraps kind.ErrCorrupt.
func DecodeJoint(a *Alphabet, labels int, r *kind.Reader) (*Joint, error) {
	attr, err := r.Uint32s("joint.attributes")
	if err != nil {
		return nil, err
	}
	before, err := r.Uint32s("joint.labels")
	if err != nil {
		return nil, err
	}
	if len(attr) != len(before) {
		return nil, kind.Corrupt("joint.labels", "one pair an attribute is wanted")
	}
	j := NewJoint(a, labels)
	j.attr, j.before = slices.Grow(j.attr, len(attr)), slices.Grow(j.before, len(attr))
	for i, x := range attr {
		last, second := int(before[i]&0xffff), int(before[i]>>16)
		if int(x) >= a.Len() || j.masks[x] == 0 || !j.known(last) || !j.known(second) {
			return nil, kind.Corrupt("joint.attributes", fmt.Sprintf("attribute %d is unknown", i))
		}
		if j.add(x, last, second) != uint32(a.Len()+i) {
			return nil, kind.Corrupt("joint.attributes", fmt.Sprintf("attribute %d is there twice", i))
		}
	}
	return j, nil
}

func (j *Joint) known(label int) bool { return label <= j.labels || label == none }
