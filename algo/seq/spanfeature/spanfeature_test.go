package spanfeature

import (
	"slices"
	"strings"
	"testing"

	"parlance/algo/text"
)

func features(t *testing.T, spans []text.Span, names ...string) []string {
	t.Helper()
	set, err := New(names)
	if err != nil {
		t.Fatal(err)
	}
	words, tags := strings.Fields("Ann Lee of Acme Ltd 3 saw Lee in New York ."),
		strings.Fields("N N I N N C V N I N N P")
	var out []string
	NewExtractor(set).Spans(spans, words, tags, func(name []byte) { out = append(out, string(name)) })
	slices.Sort(out)
	return slices.Compact(out)
}

var running = []text.Span{{Sent: 1, First: 1, Last: 2, Label: "PER"}, {Sent: 1, First: 4, Last: 6, Label: "ORG"},
	{Sent: 1, First: 10, Last: 11, Label: "LOC"}}

func TestFamilies(t *testing.T) {
	for name, want := range map[string][]string{
		"texts":   {"texts LOC new york", "texts ORG acme ltd 3", "texts PER ann lee"},
		"shapes":  {"shapes LOC Xx Xx", "shapes ORG Xx Xx 0", "shapes PER Xx Xx"},
		"tags":    {"tags LOC N N", "tags ORG N N C", "tags PER N N"},
		"lengths": {"lengths LOC 2", "lengths ORG 3", "lengths PER 2"},
		"pairs":   {"pairs ORG LOC", "pairs PER ORG", "pairs PER of ORG", "pairs ORG saw lee in LOC"},
		"repeats": {"repeats PER O"},
		"outside": {"outside lee", "outside saw Xx"},
		"counts":  {"counts LOC 1", "counts ORG 1", "counts PER 1"},
		"borders": {"borders LOC begin in new", "borders LOC end york .", "borders ORG begin of acme",
			"borders ORG end 3 saw",
			"borders PER begin <s> ann", "borders PER end lee of"},
	} {
		slices.Sort(want)
		if got := features(t, running, name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"ends": "ends ORG ending 3", "around": "around LOC before in after .",
		"inner": "inner LOC new york"} {
		if got := features(t, running, name); !slices.Contains(got, want) {
			t.Errorf("%s: %q is missing in %q", name, want, got)
		}
	}
	if got := features(t, nil, "counts", "texts"); !slices.Equal(got, []string{"counts none"}) {
		t.Errorf("no spans: %q", got)
	}
	odd := []text.Span{{First: 0, Last: 2, Label: "X"}, {First: 11, Last: 40, Label: "X"}, {First: 5, Last: 4,
		Label: "X"}}
	if got := features(t, odd, Names()...); slices.Contains(got, "texts X") {
		t.Errorf("spans that are none: %q", got)
	}
}

func TestNames(t *testing.T) {
	if _, err := New([]string{"text"}); err == nil || !strings.Contains(err.Error(), "texts") {
		t.Errorf("an unknown family: %v", err)
	}
	if _, err := New(nil); err == nil {
		t.Error("no family is taken")
	}
}
