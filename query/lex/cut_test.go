package lex_test

import (
	"strings"
	"testing"

	"parlance/query/lex"
)

func TestCut(t *testing.T) {
	for text, want := range map[string]struct {
		stop  lex.Stop
		begun bool
	}{
		"|": {lex.StopEnd, false}, " -- one; \\x :y|": {lex.StopEnd, false}, "SELECT 1 |": {lex.StopEnd, true},
		"SELECT 1;|\\x": {lex.StopSemicolon, true}, " ;|": {lex.StopSemicolon, false}, "/* ; */ SELECT ';\\', \";\", $$;:a$$, E'\\';';|": {lex.StopSemicolon, true},
		"|'a;": {lex.StopOpen, false}, "SELECT a, |\"b": {lex.StopOpen, true}, "SELECT |E'\\'": {lex.StopOpen, true}, "SELECT |$a$ $$": {lex.StopOpen, true},
		" |/* ; /* */": {lex.StopOpen, false}, "SELECT 1 |\\gset": {lex.StopBackslash, true}, "|\\x": {lex.StopBackslash, false},
		"SELECT |:a": {lex.StopVariable, true}, "|:'a'": {lex.StopVariable, false}, "|:\"a\"": {lex.StopVariable, false}, "|:{?a}": {lex.StopVariable, false},
		"SELECT a[1|:2]": {lex.StopVariable, true}, "|:é": {lex.StopVariable, false}, "SELECT a::text : {a}, $ 1a|": {lex.StopEnd, true}, "x => :|": {lex.StopEnd, true},
	} {
		before, after, _ := strings.Cut(text, "|")
		if n, stop, begun := lex.Cut(before + after); n != len(before) || stop != want.stop || begun != want.begun {
			t.Errorf("%s: stops after %q for %d, begun %v", text, (before + after)[:n], stop, begun)
		}
	}
}

// FuzzCut cuts scripts at the semicolons at which Script cuts them.
func FuzzCut(f *testing.F) {
	f.Add("SELECT ';'; -- ;\n/* ; /* */ */ SELECT $$;$$, E'\\';', 1a;'")
	f.Fuzz(func(t *testing.T, text string) {
		want, failed := lex.Script(text)
		statements, open, rest, begun := 0, false, text, false
		for rest != "" {
			n, stop, some := lex.Cut(rest)
			begun = begun || some
			switch stop {
			case lex.StopOpen:
				open, n = true, len(rest)
			case lex.StopBackslash, lex.StopVariable:
				n, begun = n+1, true
			case lex.StopSemicolon, lex.StopEnd:
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
