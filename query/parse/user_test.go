package parse_test

import (
	"strings"
	"testing"

	"parlance/query/ast"
	"parlance/query/parse"
)

func TestRedactedTexts(t *testing.T) {
	for text, want := range map[string]string{
		"":         "",
		"SELECT 1": "SELECT 1",
		"CREATE USER a PASSWORD 'hush' ROLE admin; SELECT 'x'": "CREATE USER a PASSWORD '***' ROLE admin; SELECT 'x'",
		"alter user a password 'it''s hush'":                   "alter user a password '***'",
		"ALTER USER a PASSWORD $1":                             "ALTER USER a PASSWORD $1",
		"CREATE USER a WITH (password = 'hush')":               "CREATE USER a WITH (password = '***')",
		"CREATE USER a PASSWORD E'hush'":                       "CREATE USER a PASSWORD '***'",
		`ALTER USER a PASSWORD e'\t\'hu\x73h'`:                 "ALTER USER a PASSWORD '***'",
		"CREATE USER a PASSWORD \"hush\"":                      "CREATE USER a PASSWORD '***'",
		"CREATE USER a PASSWORD 1234":                          "CREATE USER a PASSWORD '***'",
		"CREATE USER a PASSWORD /* it is */ 'hush":             "CREATE USER a PASSWORD'***'",
		"CREATE USER a PASSWORD = 'hush":                       "CREATE USER a PASSWORD ='***'",
		"SELECT '":                                             "SELECT '",
	} {
		if got := parse.Redact(text); got != want {
			t.Errorf("%s\n gives %s\nwanted %s", text, got, want)
		}
	}
}

func TestRedactedTrees(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT 1": "SELECT 1",
		"CREATE USER a PASSWORD 'hush' ROLE admin": "CREATE USER a WITH PASSWORD '***' ROLE admin",
		"ALTER USER a PASSWORD 'hush'":             "ALTER USER a WITH PASSWORD '***'",
		"ALTER USER a PASSWORD $1 ROLE reader":     "ALTER USER a WITH PASSWORD $1 ROLE reader",
		"ALTER USER a ROLE reader":                 "ALTER USER a WITH ROLE reader",
	} {
		s, err := parse.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		before := s.String()
		if got := ast.Redact(s); got != want || s.String() != before {
			t.Errorf("%s gives %s", text, got)
		}
		if ast.Secret(s) != strings.Contains(text, "PASSWORD") {
			t.Errorf("Secret of %s", text)
		}
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("CREATE USER a PASSWORD ", " ROLE admin")
	f.Add("", "'")
	f.Add("/*", "\xff")
	f.Fuzz(func(t *testing.T, before, after string) {
		parse.Redact(before + "'hush'" + after)
		if got := parse.Redact("ALTER USER a PASSWORD 'hush hush'" + after); strings.Contains(got, "hush hush") &&
			!strings.Contains(after, "hush") && !strings.HasPrefix(after, "'") {
			t.Error(got)
		}
	})
}
