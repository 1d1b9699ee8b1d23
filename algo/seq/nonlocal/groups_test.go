package nonlocal

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// counted lists the features of a text whose entities are written as word/CLASS, longer ones with _
// between the words.
func counted(t *testing.T, s, names string, foldCase bool) string {
	t.Helper()
	var forms []string
	var y []uint16
	labels := []string{"O", "B-PER", "I-PER", "B-LOC", "I-LOC"}
	for _, w := range strings.Fields(s) {
		words, class, _ := strings.Cut(w, "/")
		if w == "/" {
			words, class = "/", ""
		}
		for i, f := range strings.Split(words, "_") {
			forms = append(forms, f)
			l := 0
			if class != "" {
				l = slices.Index(labels, []string{"B-", "I-"}[min(i, 1)]+class)
			}
			y = append(y, uint16(l))
		}
	}
	g, err := chosen([]string{names})
	if err != nil {
		t.Fatal(err)
	}
	c := newCounter(newScheme(labels), g)
	x := newText(forms, nil, foldCase)
	var out []string
	for _, again := range []int{0, 1} { // the counter leaves nothing behind
		out = nil
		for _, e := range c.features(x, y, nil) {
			out = append(out, fmt.Sprintf("%s=%g", c.names()[e.id], e.value))
		}
		_ = again
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func TestGroupsByHand(t *testing.T) {
	const jordan = "Jordan/PER met Jordan/PER in Amman/LOC , Irbid/LOC and Jordan/LOC"
	for _, c := range []struct{ text, groups, want string }{
		{jordan, "phrase, conjunction", "conjunction(LOC,LOC)=2 phrase(PER,LOC)=2 phrase(PER,PER)=1"},
		{strings.Replace(jordan, "Jordan/LOC", "Jordan/PER", 1), "phrase,conjunction",
			"conjunction(LOC,LOC)=1 conjunction(LOC,PER)=1 phrase(PER,PER)=3"},
		{"New_York/LOC and York/LOC and York/PER", "subphrase", "subphrase(LOC,LOC)=1 subphrase(LOC,PER)=1"},
		{"Ann_Lee/PER , Lee/LOC Ann_Lee_Ann/PER", "subphrase", "subphrase(PER,LOC)=2 subphrase(PER,PER)=1"},
		// Others than each: PER has PER and LOC (the tie goes to PER), LOC has two PER.
		{"Jordan/PER Jordan/PER Jordan/LOC", "majority",
			"majority(LOC,PER)=1 majority(PER,PER)=2 token_majority(LOC,PER)=1 token_majority(PER,PER)=2"},
		{"Ann_Lee/PER Lee/LOC saw Lee Lee", "majority",
			"subphrase_majority(LOC,PER)=1 token_majority(LOC,O)=1 token_majority(PER,O)=1"},
		{"Ann/PER / & Bob/PER , and ; Cid/PER ; Dee/LOC", "conjunction", "conjunction(PER,LOC)=1 conjunction(PER,PER)=1"},
		{"rain again", "phrase,subphrase,majority,conjunction", ""},
	} {
		if got := counted(t, c.text, c.groups, false); got != c.want {
			t.Errorf("%s, %s:\n%s, want\n%s", c.text, c.groups, got, c.want)
		}
	}
	if got := counted(t, "ROME/LOC Rome/LOC", "phrase", true); got != "phrase(LOC,LOC)=1" {
		t.Error(got)
	}
	if _, err := chosen([]string{"phrase", "phrases"}); err == nil {
		t.Error("an unknown group gives no error")
	}
}
