package parse_test

import (
	"strings"
	"testing"

	"parlance/query/parse"
)

func TestCut(t *testing.T) {
	for text, want := range map[string]struct {
		stop  parse.Stop
		begun bool
	}{
		"|": {parse.StopEnd, false}, " -- one; \\x :y|": {parse.StopEnd, false}, "SELECT 1 |": {parse.StopEnd, true},
		"SELECT 1;|\\x": {parse.StopSemicolon, true}, " ;|": {parse.StopSemicolon, false}, "/* ; */ SELECT ';\\', \";\", $$;:a$$, E'\\';';|": {parse.StopSemicolon, true},
		"|'a;": {parse.StopOpen, false}, "SELECT a, |\"b": {parse.StopOpen, true}, "SELECT |E'\\'": {parse.StopOpen, true}, "SELECT |$a$ $$": {parse.StopOpen, true},
		" |/* ; /* */": {parse.StopOpen, false}, "SELECT 1 |\\gset": {parse.StopBackslash, true}, "|\\x": {parse.StopBackslash, false},
		"SELECT |:a": {parse.StopVariable, true}, "|:'a'": {parse.StopVariable, false}, "|:\"a\"": {parse.StopVariable, false}, "|:{?a}": {parse.StopVariable, false},
		"SELECT a[1|:2]": {parse.StopVariable, true}, "|:é": {parse.StopVariable, false}, "SELECT a::text : {a}, $ 1a|": {parse.StopEnd, true}, "x => :|": {parse.StopEnd, true},
	} {
		before, after, _ := strings.Cut(text, "|")
		if n, stop, begun := parse.Cut(before + after); n != len(before) || stop != want.stop || begun != want.begun {
			t.Errorf("%s: stops after %q for %d, begun %v", text, (before + after)[:n], stop, begun)
		}
	}
}

// FuzzCut cuts scripts at the semicolons at which Script cuts them.
func FuzzCut(f *testing.F) {
	f.Add("SELECT ';'; -- ;\n/* ; /* */ */ SELECT $$;$$, E'\\';', 1a;'")
	f.Fuzz(func(t *testing.T, text string) {
		want, failed := parse.Script(text)
		statements, open, rest, begun := 0, false, text, false
		for rest != "" {
			n, stop, some := parse.Cut(rest)
			begun = begun || some
			switch stop {
			case parse.StopOpen:
				open, n = true, len(rest)
			case parse.StopBackslash, parse.StopVariable:
				n, begun = n+1, true
			case parse.StopSemicolon, parse.StopEnd:
				if begun {
					statements++
				}
				begun = false
			}
			rest = rest[n:]
		}
		if open != (failed != nil) || !open && statements != len(want) && !strings.ContainsAny(text, `\:`) {
			t.Errorf("%q has %d statements, %d by Script, which fails with %v", text, statements, len(want), failed)
		}
	})
}
