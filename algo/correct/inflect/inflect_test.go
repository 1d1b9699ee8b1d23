package inflect

import (
	"strings"
	"testing"
)

func TestNouns(t *testing.T) {
	for _, line := range strings.Split(`child children|foot feet|analysis analyses|sheep sheep|box boxes|city cities|
day days|watch watches|hero heroes|photo photos|man men|human humans|policeman policemen|housewife housewives|
bus buses|house houses|case cases|process processes|quiz quizzes|stomach stomachs|movie movies|purpose purposes|
issue issues|virus viruses|class classes|technology technologies|key keys|size sizes|disease diseases|
equipment equipments|knife knives|belief beliefs|roof roofs|criterion criteria|bookshelf bookshelves|lens lenses|
prize prizes|cause causes|campus campuses|language languages|church churches|advantage advantages|tax taxes|gas gases|
hypothesis hypotheses|parenthesis parentheses|service services|potato potatoes|cloth cloths|horse horses|series series`, "|") {
		f := strings.Fields(line)
		if got := Plural(f[0]); got != f[1] {
			t.Errorf("plural of %s: %s, want %s", f[0], got, f[1])
		}
		if got := Singular(f[1]); got != f[0] {
			t.Errorf("singular of %s: %s, want %s", f[1], got, f[0])
		}
	}
	for s := range plurals {
		if got := Singular(Plural(s)); Plural(got) != Plural(s) {
			t.Errorf("%s: %s: %s", s, Plural(s), got)
		}
	}
}

func TestVerbs(t *testing.T) {
	for _, line := range strings.Split(`go goes went gone going|include includes included included including|
stop stops stopped stopped stopping|visit visits visited visited visiting|try tries tried tried trying|
play plays played played playing|occur occurs occurred occurred occurring|make makes made made making|
lie lies lay lain lying|see sees saw seen seeing|be is was been being|have has had had having|
do does did done doing|write writes wrote written writing|contribute contributes contributed contributed contributing|
create creates created created creating|treat treats treated treated treating|argue argues argued argued arguing|
develop develops developed developed developing|rely relies relied relied relying|fix fixes fixed fixed fixing|
teach teaches taught taught teaching|undergo undergoes underwent undergone undergoing|panic panics panicked panicked panicking|
rebuild rebuilds rebuilt rebuilt rebuilding|use uses used used using|focus focuses focused focused focusing|
discuss discusses discussed discussed discussing|watch watches watched watched watching|agree agrees agreed agreed agreeing|
change changes changed changed changing|bring brings brought brought bringing|handle handles handled handled handling|
call calls called called calling|feel feels felt felt feeling|provide provides provided provided providing|
realize realizes realized realized realizing|believe believes believed believed believing|die dies died died dying|
need needs needed needed needing|process processes processed processed processing|answer answers answered answered answering`, "|") {
		f := strings.Fields(line)
		p := Conjugate(f[0])
		for k, want := range f {
			if p[k] != want {
				t.Errorf("%s of %s: %s, want %s", Form(k), f[0], p[k], want)
			}
			found := false
			for _, a := range Verb(want, nil) {
				found = found || a.Base == f[0] && a.Form == Form(k)
			}
			if !found {
				t.Errorf("%s: %v lack %s of %s", want, Verb(want, nil), Form(k), f[0])
			}
		}
	}
	for base, f := range irregulars {
		for _, form := range f {
			found := false
			for _, a := range Verb(form, nil) {
				found = found || a.Base == base
			}
			if !found {
				t.Errorf("%s: %v, want %s among them", form, Verb(form, nil), base)
			}
		}
	}
}

func TestKnownDecides(t *testing.T) {
	known := func(w string) float64 { return map[string]float64{"visite": 3}[w] }
	if got := Verb("visiting", known); len(got) != 1 || got[0].Base != "visite" {
		t.Errorf("visiting: %v", got)
	}
}

func FuzzInflect(f *testing.F) {
	f.Add("s")
	f.Add("")
	f.Add("é")
	f.Fuzz(func(t *testing.T, w string) {
		Plural(w)
		Singular(w)
		Conjugate(w)
		Verb(w, nil)
	})
}
