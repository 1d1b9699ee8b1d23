package parse

import (
	"strings"
	"testing"
)

func TestSynopsis(t *testing.T) {
	for words, want := range map[string]string{
		"train": `TRAIN name [AS name] ON input [, …] [VALIDATE ON input [, …]] [USING model [,
    …]] [WITH (option [, …])] [ASYNC]
  input: name [@version][.name] [AS name] [WHERE expression]
  model: name [@version]
  option: name = option_value`,
		"drop index": `DROP INDEX [IF EXISTS] ON target (name [, …])
  target: name[.name][.name]`,
		"nothing": "",
		"":        "",
	} {
		if got := Synopsis(words); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", words, got, want)
		}
	}
	for words, want := range map[string][]string{
		"Select": {"[WITH [RECURSIVE] cte [, …]] select_core",
			"\n  cte: name [(name [, …])] AS [[NOT] MATERIALIZED] (select)", "[ON (expression [, …])]"},
		"insert": {"INSERT INTO target ", "{DEFAULT VALUES | VALUES row [, …]", "\n  conflict: ON CONFLICT "},
		"CREATE": {"CREATE FEATURES [IF NOT EXISTS] name AS 'text'\n", "CREATE USER "},
	} {
		got := Synopsis(words)
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s lacks %q:\n%s", words, w, got)
			}
		}
		for line := range strings.Lines(got) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > 78 {
				t.Errorf("%s: %d columns: %s", words, n, line)
			}
		}
	}
}
