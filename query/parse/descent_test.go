package parse

import (
	"hash/fnv"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
)

// TestDescent checks that both parsers accept the same tokens and make the same structs of them.
func TestDescent(t *testing.T) {
	// The second CAST is no cast, found out within the lookahead, the third is found out too late.
	texts := append(Statements(t), "SELECT cast(a AS int)", "SELECT cast(a)", "SELECT cast(a + b + c)")
	for _, text := range texts {
		tokens, err := tokenize(text)
		if err != nil {
			continue
		}
		sameParse(t, tokens)
		h := fnv.New64a()
		h.Write([]byte(text))
		for _, other := range faulty(tokens, h.Sum64())[:1] {
			sameParse(t, other)
		}
	}
}

// FuzzDescent is TestDescent for other texts.
func FuzzDescent(f *testing.F) {
	for _, text := range Statements(f) {
		f.Add(text, uint64(0))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		tokens, err := tokenize(text)
		if err != nil {
			return
		}
		sameParse(t, tokens)
		for _, other := range faulty(tokens, seed) {
			sameParse(t, other)
		}
	})
}

// faulty returns the tokens without one, and with one in another's place.
func faulty(tokens []lexer.Token, seed uint64) [][]lexer.Token {
	n := uint64(len(tokens) - 1)
	if n == 0 {
		return [][]lexer.Token{tokens}
	}
	i, j := int(seed%n), int(seed/n%n)
	without := slices.Delete(slices.Clone(tokens), i, i+1)
	replaced := slices.Clone(tokens)
	replaced[i] = tokens[j]
	doubled := slices.Insert(slices.Clone(tokens), i, tokens[j])
	return [][]lexer.Token{without, replaced, doubled}[seed/n/n%3:]
}

func sameParse(t testing.TB, tokens []lexer.Token) {
	t.Helper()
	got, ok := descend(tokens)
	want, err := consult(tokens)
	if ok != (err == nil) {
		t.Errorf("%s: accepted %v, participle: %v", spell(tokens), ok, err)
	} else if ok && !reflect.DeepEqual(got, want) {
		t.Errorf("%s: structs differ", spell(tokens))
	}
}

// consult has participle parse the tokens.
func consult(tokens []lexer.Token) (*script, error) {
	peeking, err := lexer.Upgrade(&stream{tokens})
	if err != nil {
		return nil, err
	}
	return grammar().ParseFromLexer(peeking)
}

func spell(tokens []lexer.Token) string {
	return strings.Join(all(tokens, func(t lexer.Token) string { return t.Value }), " ")
}

// Statements returns the statements of testdata.
func Statements(t testing.TB) (out []string) {
	paths, err := filepath.Glob("testdata/statements/*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no statements: %v", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for block := range strings.SplitSeq(string(data), "\n\n") {
			_, input, _ := strings.Cut(block, "\n")
			input, _, _ = strings.Cut(input, "\n----")
			out = append(out, input)
		}
	}
	return out
}
