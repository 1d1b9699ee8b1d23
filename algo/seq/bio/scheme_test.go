package bio

import (
	"slices"
	"strings"
	"testing"

	"parlance/algo/text"

	"pgregory.net/rapid"
)

func TestEncode(t *testing.T) {
	spans := []text.Span{{Sent: 1, First: 1, Last: 1, Label: "LOC"}, {Sent: 1, First: 2, Last: 4, Label: "PER"},
		{Sent: 1, First: 4, Last: 5, Label: "ORG"}, {Sent: 1, First: 5, Last: 6, Label: "ORG"}}
	for scheme, want := range map[Scheme]string{
		BIO:   "B-LOC B-PER I-PER I-PER B-ORG I-ORG O",
		IOBES: "S-LOC B-PER I-PER E-PER B-ORG E-ORG O",
	} {
		got, over := scheme.Encode(nil, 7, spans)
		if strings.Join(got, " ") != want || over != 1 {
			t.Errorf("%s: %v with %d overlapping, want %s", scheme, got, over, want)
		}
	}
}

// TestDecodeAsConlleval reads labels that no scheme would write.
func TestDecodeAsConlleval(t *testing.T) {
	for labels, want := range map[string][]text.Span{
		"I-A I-A O I-B": {{Sent: 3, First: 1, Last: 2, Label: "A"}, {Sent: 3, First: 4, Last: 4, Label: "B"}},
		"B-A I-B I-B B-B": {{Sent: 3, First: 1, Last: 1, Label: "A"}, {Sent: 3, First: 2, Last: 3, Label: "B"},
			{Sent: 3, First: 4, Last: 4, Label: "B"}},
		"S-A I-A E-A E-A O": {{Sent: 3, First: 1, Last: 1, Label: "A"}, {Sent: 3, First: 2, Last: 3, Label: "A"},
			{Sent: 3, First: 4, Last: 4, Label: "A"}},
	} {
		if got := BIO.Decode(nil, 3, strings.Fields(labels)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", labels, got, want)
		}
	}
}

func TestRoundTripAndConstraints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var spans []text.Span
		at := int32(1)
		for range rapid.IntRange(0, 5).Draw(t, "spans") {
			first := at + rapid.Int32Range(0, 2).Draw(t, "gap")
			last := first + rapid.Int32Range(0, 3).Draw(t, "length")
			spans = append(spans,
				text.Span{Sent: 1, First: first, Last: last, Label: rapid.SampledFrom([]string{"A", "B-C"}).Draw(t, "label")})
			at = last + 1
		}
		n := int(at) + 1
		for _, s := range []Scheme{BIO, IOBES} {
			labels, over := s.Encode(nil, n, spans)
			if over != 0 {
				t.Fatalf("%d spans overlap", over)
			}
			if got := s.Decode(nil, 1, labels); !slices.Equal(got, spans) {
				t.Fatalf("%s: %v comes back as %v", s, spans, got)
			}
			all := []string{"O"}
			for _, w := range []string{"A", "B-C"} {
				for _, m := range []string{"B-", "I-", "E-", "S-"} {
					all = append(all, m+w)
				}
			}
			c := s.Constraints(all)
			for i, l := range labels {
				k := slices.Index(all, l)
				if i == 0 && !c.AllowedStart(k) || i > 0 && !c.Allowed(slices.Index(all, labels[i-1]), k) ||
					i == n-1 && !c.AllowedEnd(k) {
					t.Fatalf("%s forbids %v at %d", s, labels, i)
				}
			}
		}
	})
}

func TestConstraintsForbid(t *testing.T) {
	labels := []string{"O", "B-A", "I-A", "I-B"}
	c := BIO.Constraints(labels)
	if c.AllowedStart(2) || c.Allowed(0, 2) || c.Allowed(1, 3) || !c.Allowed(1, 2) || !c.Allowed(2, 1) {
		t.Error("BIO constraints are wrong")
	}
	d := IOBES.Constraints([]string{"O", "B-A", "E-A", "S-A"})
	if d.AllowedEnd(1) || d.Allowed(1, 0) || d.Allowed(1, 3) || !d.Allowed(1, 2) || !d.Allowed(2, 3) || d.AllowedStart(2) {
		t.Error("IOBES constraints are wrong")
	}
}

// TestConstraintsAreTheScheme: of all labels in a row those are allowed that spans are written as.
func TestConstraintsAreTheScheme(t *testing.T) {
	for s, marks := range map[Scheme][]string{BIO: {"B-", "I-"}, IOBES: {"B-", "I-", "E-", "S-"}} {
		all := []string{Outside}
		for _, m := range marks {
			all = append(all, m+"A", m+"B")
		}
		c := s.Constraints(all)
		row := make([]int, 3)
		for n := range len(all) * len(all) * len(all) {
			row[0], row[1], row[2] = n%len(all), n/len(all)%len(all), n/len(all)/len(all)
			labels := []string{all[row[0]], all[row[1]], all[row[2]]}
			written, _ := s.Encode(nil, 3, s.Decode(nil, 1, labels))
			allowed := c.AllowedStart(row[0]) && c.Allowed(row[0], row[1]) && c.Allowed(row[1], row[2]) && c.AllowedEnd(row[2])
			if allowed != slices.Equal(written, labels) {
				t.Errorf("%s: %v allowed %v, but its spans are written %v", s, labels, allowed, written)
			}
		}
	}
}
