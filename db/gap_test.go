package db_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"parlance/db"
)

// gapSample is pronouns with two names, in the format of GAP, and what a model says of them. The mentions of a text are
// in brackets, each with its cluster.
var gapSample = []struct {
	text, pronoun, a, b string
	goldA, goldB        bool
}{
	{"[1:Ann Lee] met [2:Eve] and [1:her] dog.", "her", "Ann Lee", "Eve", true, false}, // right: tp, tn
	{"[1:Ann] met [2:Eve] as [2:She] left.", "She", "Ann", "Eve", true, false},         // wrong: fn, fp
	{"[1:Ann] met Eve and her dog.", "her", "Ann", "Eve", false, true},                 // no pronoun: tn, fn
	// the smallest around: tp, tn
	{"[1:Bob] saw [1:Cid, a friend of [2:Dan]] and [1:his] dog.", "his", "Cid", "Dan", true, false},
	{"Old [1:Bob] saw [2:Cid] and [1:him].", "him", "Old Bob", "Cid", false, false}, // inside the name: fp, tn
	{"[1:Bob] saw [1:Cid] and [1:He] left.", "He", "Bob", "Cid", true, false},       // both: tp, fp
}

// TestGAP runs the query of algo/coref/gap.sql on stored mentions, and compares with what the rule of the scorer of GAP
// gives by hand.
func TestGAP(t *testing.T) {
	script, err := os.ReadFile("../algo/coref/gap.sql")
	if err != nil {
		t.Fatal(err)
	}
	create, query, _ := strings.Cut(string(script), "LOAD ")
	_, query, _ = strings.Cut(query, ";")
	query = strings.Replace(query, " USING tagger, parser, ner, coref", "", 1)
	d, err := db.Open("", db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := d.Conn()
	if err := c.Script(t.Context(), create+insertGAP(), nil); err != nil {
		t.Fatal(err)
	}
	got := found(t, c, "SELECT gender || ' ' || tp || ' ' || fp || ' ' || fn || ' ' || precision || ' ' || recall || ' "+
		"' || f1 || ' ' || bias FROM ("+
		strings.TrimSuffix(strings.TrimSpace(query), ";")+") r")
	want := []string{"all 3 3 2 50.0 60.0 54.5 0.82", "feminine 1 1 2 50.0 33.3 40.0 0.6",
		"masculine 2 2 0 50.0 100.0 66.7 1.0"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// insertGAP inserts the sample.
func insertGAP() string {
	var b strings.Builder
	for i, s := range gapSample {
		plain, spans := unbracket(s.text)
		last := func(w string) int { return strings.LastIndex(plain, w) }
		fmt.Fprintf(&b, "INSERT INTO gap VALUES ('%d', '%s', '%s', %d, '%s', %d, %t, '%s', %d, %t, 'u');\n", i, plain,
			s.pronoun, last(s.pronoun), s.a, last(s.a), s.goldA, s.b, last(s.b), s.goldB)
		for _, m := range spans {
			fmt.Fprintf(&b, "INSERT INTO gap.mentions (doc, cluster, char_start, char_end) VALUES ('%d', '%s', %d, %d);\n", i,
				m.cluster, m.from, m.to)
		}
	}
	return b.String()
}

type bracketed struct {
	cluster  string
	from, to int
}

// unbracket takes the brackets out of a text, [cluster:words].
func unbracket(text string) (plain string, spans []bracketed) {
	var open []bracketed
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[':
			open = append(open, bracketed{cluster: text[i+1 : i+2], from: len(plain)})
			i += 2
		case ']':
			m := open[len(open)-1]
			m.to, open = len(plain), open[:len(open)-1]
			spans = append(spans, m)
		default:
			plain += text[i : i+1]
		}
	}
	return plain, spans
}
