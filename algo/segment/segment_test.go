package segment

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"
)

// TestFiles prints a sentence a line, tokens separated by blanks.
func TestFiles(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			tk, err := New(d.Cmd)
			if err != nil {
				return err.Error()
			}
			var r Result
			tk.Segment(d.Input, &r)
			var b strings.Builder
			for _, s := range r.Sentences {
				for i := s.First; i < s.Last; i++ {
					if i > s.First {
						b.WriteByte(' ')
					}
					b.WriteString(d.Input[r.Tokens[i].Start:r.Tokens[i].End])
				}
				b.WriteByte('\n')
			}
			return b.String()
		})
	})
}

// check reports what is wrong with a result.
func check(text string, r *Result) error {
	at := int32(0)
	for i, tok := range r.Tokens {
		if tok.Start < at || tok.End <= tok.Start || int(tok.End) > len(text) {
			return fmt.Errorf("token %d is [%d, %d) after %d", i, tok.Start, tok.End, at)
		}
		if gap := text[at:tok.Start]; strings.TrimSpace(gap) != "" {
			return fmt.Errorf("%q before token %d is in no token", gap, i)
		}
		if !utf8.ValidString(text[tok.Start:tok.End]) {
			return fmt.Errorf("token %d splits a character", i)
		}
		at = tok.End
	}
	if strings.TrimSpace(text[at:]) != "" {
		return fmt.Errorf("%q at the end is in no token", text[at:])
	}
	next := int32(0)
	for i, s := range r.Sentences {
		if s.First != next || s.Last <= s.First || s.Start != r.Tokens[s.First].Start || s.End != r.Tokens[s.Last-1].End {
			return fmt.Errorf("sentence %d is %+v after token %d", i, s, next)
		}
		next = s.Last
	}
	if int(next) != len(r.Tokens) {
		return fmt.Errorf("%d of %d tokens are in sentences", next, len(r.Tokens))
	}
	return nil
}

func TestInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(
			rapid.SliceOf(rapid.SampledFrom([]string{"don't", "U.S.", "Mr.", " ", "\n", "\n\n", "...", "a@b.cc", "http://x.y/z.",
				"“", "”", "é", "3.5", "-", "(", ")", "?", "word", "A", "'s", "\u3000", "日本"})).Draw(t, "parts"), "")
		var r Result
		for _, name := range Names() {
			tk, _ := New(name)
			tk.Segment(text, &r)
			if err := check(text, &r); err != nil {
				t.Fatalf("%s of %q: %v", name, text, err)
			}
		}
	})
}

// TestPlain compares the short way of chunks of letters and digits with the rules for all chunks.
func TestPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(
			rapid.SliceOf(rapid.SampledFrom([]string{"word", "A", "7", "cannot", "wwwhat", "n't", "don't", "U.S.", "Mr.", " ",
				"\n", "\n \n", "...", "?", ":", "@", "www.a.b", "_", "é", "日", "\u0085", "\u3000", "’", ",",
				"1.5"})).Draw(t, "parts"), "")
		var got, want Result
		cut(text, &got, unicodeWords, true)
		cut(text, &want, unicodeWords, false)
		if !slices.Equal(got.Tokens, want.Tokens) || !slices.Equal(got.Sentences, want.Sentences) {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
	})
}

func FuzzSegment(f *testing.F) {
	for _, s := range []string{"Dr. Smith paid $3.50 at 5 p.m. in the U.S. Then he left.", "", "\xe2\x80\xa6 ...",
		"a@b.c http://", "''--``"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		var r Result
		for _, name := range Names() {
			tk, _ := New(name)
			tk.Segment(text, &r)
			if err := check(text, &r); err != nil {
				t.Fatalf("%s of %q: %v", name, text, err)
			}
		}
	})
}

func TestUnknownTokenizer(t *testing.T) {
	_, err := New("unicorn")
	if err == nil || !strings.Contains(err.Error(), "did you mean unicode?") {
		t.Errorf("error %v", err)
	}
}

func BenchmarkUnicode(b *testing.B) {
	text := strings.Repeat(
		"Dr. Smith didn't pay $3.50 for the well-known book in New York. Then he left (by train) for www.example.com.\n", 200)
	tk, _ := New("unicode")
	var r Result
	for b.Loop() {
		tk.Segment(text, &r)
	}
	b.ReportMetric(float64(len(r.Tokens))*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
}
