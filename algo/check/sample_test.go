package check

import (
	"fmt"
	"math"
	"testing"
)

func sampled(from, to int) (*Sampler, func(o *Overlap)) {
	text := func(i int) string { return fmt.Sprintf("document number %d is a text that is long enough", i) }
	s := &Sampler{}
	for i := from; i < to; i++ {
		s.Add(text(i))
	}
	return s, func(o *Overlap) {
		for i := from; i < to; i++ {
			o.Add(text(i))
		}
	}
}

// TestOverlap compares the counts of samples with those of all texts.
func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		trained, from, to int
		whole             bool
	}{
		{sampleSize - 1, 0, sampleSize - 1, true},
		{300, 200, 400, true},
		{300, 300, 400, true},
		{sampleSize, 0, sampleSize, false},
		{20000, 0, 20000, false},
		{20000, 15000, 35000, false},
		{20000, 18000, 38000, false},
		{20000, 20000, 40000, false},
	} {
		s, _ := sampled(0, c.trained)
		_, add := sampled(c.from, c.to)
		o, err := NewOverlap(s.Sample())
		if err != nil {
			t.Fatal(err)
		}
		add(o)
		if o.Whole() != c.whole {
			t.Errorf("%d texts: Whole = %v", c.trained, o.Whole())
		}
		want := float64(max(0, c.trained-c.from)) / float64(c.to-c.from)
		got := float64(o.Held) / float64(o.Compared)
		switch off := math.Abs(got - want); {
		case c.whole && (off > 1e-12 || o.Compared != c.to-c.from):
			t.Errorf("%d trained, %d to %d: %d of %d, want a share of %g", c.trained, c.from, c.to, o.Held, o.Compared, want)
		case want == 0 || want == 1:
			if off > 0 {
				t.Errorf("%d trained, %d to %d: %d of %d, want a share of %g", c.trained, c.from, c.to, o.Held, o.Compared, want)
			}
		case off > 4*math.Sqrt(want*(1-want)/float64(o.Compared)):
			t.Errorf("%d trained, %d to %d: share %g, want %g", c.trained, c.from, c.to, got, want)
		}
	}
}

// TestSampleOfTexts: case, white space, order and repetition make no other sample, short texts none.
func TestSampleOfTexts(t *testing.T) {
	a, b, short := &Sampler{}, &Sampler{}, &Sampler{}
	for i := range 3000 {
		a.Add(fmt.Sprintf("the text of the document that has number %d", i))
		b.Add(fmt.Sprintf("The text  of the document\nthat has NUMBER %d", 2999-i))
		b.Add(fmt.Sprintf("the text of the document that has number %d", i/2))
		short.Add("too short to say much")
	}
	if string(a.Sample()) != string(b.Sample()) || len(a.Sample()) != 8*sampleSize {
		t.Error("the same texts have other samples")
	}
	if len(short.Sample()) != 0 {
		t.Error("short texts are sampled")
	}
	o, err := NewOverlap(a.Sample())
	if err != nil {
		t.Fatal(err)
	}
	if o.Add("too short to say much"); o.Short != 1 || o.Compared != 0 {
		t.Errorf("of a short text %d are short, %d compared", o.Short, o.Compared)
	}
	for _, bad := range [][]byte{make([]byte, 7), make([]byte, 8*sampleSize+8)} {
		if _, err := NewOverlap(bad); err == nil {
			t.Errorf("a sample of %d bytes is read", len(bad))
		}
	}
}

// TestOverlapOfDocuments: id and text together tell documents apart, however short the text is.
func TestOverlapOfDocuments(t *testing.T) {
	s := &Sampler{}
	for _, d := range [][2]string{{"1", "no"}, {"2", "yes"}, {"3", ""}} {
		s.AddDocument(d[0], d[1])
	}
	o, err := NewOverlap(s.Sample())
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range [][2]string{{"1", "no"}, {"3", ""}, {"1", "yes"}, {"2", "Yes"}, {"1n", "o"}, {"", "1no"}} {
		before := o.Held
		o.AddDocument(d[0], d[1])
		if held := o.Held > before; held != (i < 2) {
			t.Errorf("document %q of text %q: held %v", d[0], d[1], held)
		}
	}
	if o.Compared != 6 || o.Short != 0 {
		t.Errorf("%d compared, %d too short", o.Compared, o.Short)
	}
}
