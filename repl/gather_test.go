package repl

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// cutAll is what lines become: statements in [ ], commands in ( ), each with its place, and open behind what has no
// end.
func cutAll(vars *variables, in string) string {
	g := gather{vars: vars}
	got := ""
	show := func(e *entry) {
		switch {
		case e.err != nil:
			got += fmt.Sprintf("%d:%d!%v ", e.at.Line, e.at.Col, e.err)
		case e.words != nil:
			got += fmt.Sprintf("%d:%d(%s) ", e.at.Line, e.at.Col, strings.Join(e.words, "|"))
			if e.words[0] == `\r` {
				g.reset()
			} else if e.words[0] == `\set` && vars != nil {
				_ = vars.set(e.words[1], strings.Join(e.words[2:], ""))
			}
		default:
			got += fmt.Sprintf("%d:%d[%s] ", e.at.Line, e.at.Col, strings.ReplaceAll(e.text, "\n", "/"))
		}
	}
	for line := range strings.SplitSeq(in, "\n") {
		g.add(line)
		for e := g.next(); e != nil; e = g.next() {
			show(e)
		}
	}
	if g.open() {
		got += "open"
		for e := g.left(); e != nil; e = g.left() {
			show(e)
		}
	}
	return strings.TrimSuffix(got, " ")
}

// TestGather cuts lines into statements and commands, each with its place.
func TestGather(t *testing.T) {
	for in, want := range map[string]string{
		"SELECT 1;":                        "0:0[SELECT 1;]",
		"SELECT 1; SELECT\n2;":             "0:0[SELECT 1;] 0:10[SELECT/2;]",
		"SELECT 1;\n\\x\nSELECT 2;":        `0:0[SELECT 1;] 1:0(\x) 2:0[SELECT 2;]`,
		"  \\x on":                         `0:2(\x|on)`,
		"-- of\n\\x":                       `1:0(\x)`,
		"/* of\n; */\n\\x":                 `2:0(\x)`,
		"SELECT '\n\\x\n;';":               `0:0[SELECT '/\x/;';]`,
		"SELECT\n\n\\x\n1;":                `2:0(\x) 0:0[SELECT//1;]`,
		"SELECT 1 \\r SELECT 2;":           `0:9(\r|SELECT|2;)`,
		"SELECT 1 \\r \\\\ SELECT 2;":      `0:9(\r) 0:15[SELECT 2;]`,
		"\\x\\x on\\x":                     `0:0(\x) 0:2(\x|on) 0:7(\x)`,
		"\n\nSELECT\n1;":                   "2:0[SELECT/1;]",
		"SELECT 1;\nSELECT 2;\nSELECT 3":   "0:0[SELECT 1;] 1:0[SELECT 2;] open2:0[SELECT 3/]",
		"SELECT 1; -- one\n":               "0:0[SELECT 1;]",
		"-- nothing":                       "",
		";; ;":                             "",
		"-- one\nSELECT 1;":                "0:0[-- one/SELECT 1;]",
		"SELECT ';'":                       "open0:0[SELECT ';'/]",
		"/* ;":                             "open0:0[/* ;/]",
		"SELECT 1\\; SELECT 2;":            "0:0[SELECT 1; SELECT 2;]",
		"SELECT a[1\\:n];":                 "0:0[SELECT a[1:n];]",
		"SELECT 1;\r\n\\x on\r\nSELECT 2;": `0:0[SELECT 1;] 1:0(\x|on) 2:0[SELECT 2;]`,
		"\ufeffSELECT 1;":                  "0:1[SELECT 1;]",
		"\\nope 'a b\nSELECT 1;":           `0:0(\nope) 1:0[SELECT 1;]`,
		"\\echo 'a b\nSELECT 1;":           "0:0!this quoted text has no end 1:0[SELECT 1;]",
		"\\copy t from 'a b' csv; \\x":     `0:0(\copy|t from 'a b' csv; \x)`,
		"é \\x":                            `0:2(\x) open0:0[é /]`,
		"SELECT '日本é'; SELECT 1;":          "0:0[SELECT '日本é';] 0:14[SELECT 1;]",
		"/* é\né日 */ \\x":                  `1:6(\x)`,
		"SELECT 'é\n日本'; \\x 'é' b\\y":     `0:0[SELECT 'é/日本';] 1:5(\x|é|b) 1:13(\y)`,
		"\u00a0SELECT 1;":                  "0:0[\u00a0SELECT 1;]",
	} {
		got := cutAll(nil, in)
		if got != want {
			t.Errorf("%q is %s, want %s", in, got, want)
		}
		if open := strings.Contains(want, "open") && in != `é \x`; whole(in) == open {
			t.Errorf("%q is whole: %v", in, whole(in))
		}
	}
}

// TestGatherVariables puts values in their places.
func TestGatherVariables(t *testing.T) {
	for in, want := range map[string]string{
		"SELECT :k, :'n', :\"n\", :{?n}, :{?m};":   `[SELECT a b, 'it''s 1', "it's 1", TRUE, FALSE;]`,
		"SELECT ':n' || $$:n$$ -- :n\n, \"x:n\"; ": `[SELECT ':n' || $$:n$$ -- :n/, "x:n";]`,
		"SELECT :m, n::text, a[1:2], x:=1;":        `[SELECT :m, n::text, a[1:2], x:=1;]`,
		"SELECT a[1:'2'], n::'x', ':\"y\"';":       `[SELECT a[1:'2'], n::'x', ':"y"';]`,
		"LOAD :'m' INTO x;":                        `!variable m is not set: \set m VALUE sets it, or -v m=VALUE on the command line`,
		"SELECT 1 AS :\"m\"; SELECT 2;":            `!variable m is not set: \set m VALUE sets it, or -v m=VALUE on the command line [SELECT 2;]`,
		"\\set f :m / a":                           `!variable m is not set: \set m VALUE sets it, or -v m=VALUE on the command line`,
		"\\i :m/a":                                 `!variable m is not set: \set m VALUE sets it, or -v m=VALUE on the command line`,
		"\\i ':m/a'":                               `(\i|:m/a)`,
		":two SELECT 3;":                           `[SELECT 1;] [SELECT 2;] [SELECT 3;]`,
		"SELECT :around;":                          `[SELECT :around + (:around);]`,
		"SELECT :around + :around;":                `[SELECT :around + (:around) + :around + (:around);]`,
		":command":                                 `(\x|on)`,
		":lines\n:lines":                           "[SELECT/1;] [SELECT/1;]",
		"\\set n 5 \\\\ SELECT :n;":                `(\set|n|5) [SELECT 5;]`,
		"\\echo :n :'n' ':n' \":n\" x:n :m :{?m}":  `(\echo|it's 1|'it''s 1'|:n|":n"|xit's 1|:m|FALSE)`,
		`\echo 'it''s\n\101\x41\q' a'b c'd ''`:     "(\\echo|it's\nAAq|ab cd|)",
		`\echo 'a\`:                                "!this quoted text has no end",
		`\echo :{?} :'' :`:                         "(\\echo|:{?}|:|:)",
		`\echo "a b`:                               "!this quoted name has no end",
		"\\echo `ls`": "!commands in backquotes are not run; a program can set a variable by " +
			"-v NAME=VALUE or \\getenv",
	} {
		vars := &variables{map[string]string{"n": "it's 1", "k": "a b", "two": "SELECT 1; SELECT 2;",
			"around": ":around + (:around)", "command": `\x on`, "lines": "SELECT\n1;"}}
		got := places.ReplaceAllString(cutAll(vars, in), "$1")
		if got != want {
			t.Errorf("%q is %s, want %s", in, got, want)
		}
	}
}

// TestGatherPlaces: columns are those of the lines as they were typed, in characters, also behind the value of a
// variable, whatever its length and lines. What begins in a value has the place that is as far before the end of the
// name as it is before the end of the value, in lines and characters.
func TestGatherPlaces(t *testing.T) {
	vars := &variables{map[string]string{"k": "1", "wide": "日本", "empty": "", "pair": "1,\n'é'",
		"outer": "(:pair), :wide", "colon": ":", "end": "1;",
		"open": "'a", "two": "'é'; SELECT 2;", "rows": "1;\nSELECT 2;"}}
	for in, want := range map[string]string{
		"SELECT :k; SELECT 2;":             "0:0[SELECT 1;] 0:11[SELECT 2;]",
		"SELECT :wide, 'é'; SELECT 2;":     "0:0[SELECT 日本, 'é';] 0:19[SELECT 2;]",
		"SELECT :'wide'; SELECT 2;":        "0:0[SELECT '日本';] 0:16[SELECT 2;]",
		"SELECT :\"wide\" , 'é'; \\x":      "0:0[SELECT \"日本\" , 'é';] 0:22(\\x)",
		"SELECT :empty:empty; SELECT 2;":   "0:0[SELECT ;] 0:21[SELECT 2;]",
		"SELECT :pair; SELECT 2;":          "0:0[SELECT 1,/'é';] 0:14[SELECT 2;]",
		"SELECT :pair,\n:pair; SELECT 2;":  "0:0[SELECT 1,/'é',/1,/'é';] 1:7[SELECT 2;]",
		"SELECT :outer; SELECT 2;":         "0:0[SELECT (1,/'é'), 日本;] 0:15[SELECT 2;]",
		"SELECT :colon'wide'; SELECT 2;":   "0:0[SELECT '日本';] 0:21[SELECT 2;]",
		"SELECT :end SELECT :end SELECT 2": "0:0[SELECT 1;] 0:12[SELECT 1;] open0:24[SELECT 2/]",
		"SELECT :open\nb'; SELECT 2;":      "0:0[SELECT 'a/b';] 1:4[SELECT 2;]",
		"SELECT :two SELECT 3;":            "0:0[SELECT 'é';] 0:2[SELECT 2;] 0:12[SELECT 3;]",
		"SELECT :rows SELECT 3;":           "0:0[SELECT 1;] 0:0[SELECT 2;] 0:13[SELECT 3;]",
		"\\echo :wide \\\\ SELECT 2;":      "0:0(\\echo|日本) 0:15[SELECT 2;]",
	} {
		if got := cutAll(vars, in); got != want {
			t.Errorf("%q is %s, want %s", in, got, want)
		}
	}
}

// TestGatherBranches leaves out what is not wanted.
func TestGatherBranches(t *testing.T) {
	for in, want := range map[string]string{
		`\if on \\ A; \else \\ B; \endif \\ C;`: "[A;] [C;]",
		`\if off \\ A; \x \nope 'a \\
\else \\ B; \endif \\ C;`: "[B;] [C;]",
		`\if 0 \\ A; \elif :t \\ B; \elif true \\ C; \else \\ D; \endif`:        "[B;]",
		`\if 0 \\ \if 1 \\ A; \else \\ B; \endif \\ C; \else \\ D; \endif`:      "[D;]",
		`\if 1 \\ \if 0 \\ A; \elif nope \\ B; \else \\ C; \endif \\ D; \endif`: `!unrecognized value "nope" for \elif: it takes true, false, yes, no, on, off, 1 or 0 [C;] [D;]`,
		`\if \\ A; \endif`:                         `!unrecognized value "" for \if: it takes true, false, yes, no, on, off, 1 or 0`,
		`SELECT \if 0 \\ 1 \else \\ 2 \endif \\ ;`: "[SELECT  2  ;]",
		`\else \endif \elif 1`:                     `!\else: no matching \if !\endif: no matching \if !\elif: no matching \if`,
		`\if 1 \else \else \elif 1 \endif`:         `!\else: cannot occur after \else !\elif: cannot occur after \else`,
		`\if 0 \\ '; \else
A';
\endif`: "",
		`\if :{?t} \\ A; \endif`: "[A;]",
		`\if 1 \elif 'a \endif`:  "",
	} {
		got := places.ReplaceAllString(cutAll(&variables{map[string]string{"t": "yes"}}, in), "$1")
		if got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}

var places = regexp.MustCompile(`-?\d+:-?\d+([!(\[])`)

// TestLongTexts are not read again with each line.
func TestLongTexts(t *testing.T) {
	for open, lines := range map[string][2]string{
		"SELECT '": {`it''s; "one"`, "it''''s; '"}, `SELECT "`: {`a ''b"";'`, `a'' " FROM`}, "SELECT $$": {"a '\\\";", "$$"},
		"/* a": {"b * / '", "*/"}, "SELECT E'": {`a "$`, `\''`},
	} {
		var g gather
		g.add(open)
		if g.next() != nil {
			t.Fatal("a statement without end")
		}
		for range 3 {
			if g.add(lines[0]); !g.waiting {
				t.Errorf("%s: %s is looked at", open, lines[0])
			}
			if g.next() != nil || !g.open() {
				t.Errorf("%s ends with %s", open, lines[0])
			}
		}
		if g.add(lines[1]); g.waiting {
			t.Errorf("%s: %s is not looked at", open, lines[1])
		}
		g.next()
		if g.rest != "" {
			t.Errorf("%s does not end with %s", open, lines[1])
		}
	}
}

// TestBoolean reads what psql reads.
func TestBoolean(t *testing.T) {
	for s, want := range map[string]string{"t": "yes", "TRUE": "yes", "truex": "", "f": "no", "y": "yes", "n": "no",
		"on": "yes", "of": "no", "o": "", "": "", "1": "yes", "0": "no", "10": "", "2": ""} {
		got := ""
		if is, ok := boolean(s); ok {
			got = map[bool]string{true: "yes", false: "no"}[is]
		}
		if got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}
