package segment

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"parlance/algo/testutil/testtime"

	"pgregory.net/rapid"
)

// TestLong cuts texts on which looking back from every token would take hours.
func TestLong(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, long texts: nothing for a short run")
	}
	for _, part := range []string{"\" ", ".", "'", ".,", "a.", "'(", "a://b<", "www.,<", "a@", "x:", ") "} {
		text := "Hi. a" + strings.Repeat(part, 1<<20/len(part))
		var r Result
		for _, name := range Names() {
			tk, _ := New(name)
			watch := testtime.Start()
			tk.Segment(text, &r)
			if d := watch.Took(); d > testtime.Allow(20*time.Second) {
				t.Errorf("%s takes %v for a megabyte of %q", name, d, part)
			}
			if err := check(text, &r); err != nil {
				t.Errorf("%s of a megabyte of %q: %v", name, part, err)
			}
		}
	}
}

// TestReuse checks that nothing of an earlier text is left in a result.
func TestReuse(t *testing.T) {
	for _, name := range Names() {
		tk, _ := New(name)
		var used, fresh Result
		tk.Segment("One. Two! a@b.cc Three?", &used)
		tk.Segment("Four. Five", &used)
		tk.Segment("Four. Five", &fresh)
		if !slices.Equal(used.Tokens, fresh.Tokens) || !slices.Equal(used.Sentences, fresh.Sentences) {
			t.Errorf("%s: %v in a used result, %v in a fresh one", name, used, fresh)
		}
		if tk.Segment("", &used); len(used.Tokens)+len(used.Sentences) > 0 {
			t.Errorf("%s of an empty text: %v", name, used)
		}
	}
}

// TestAddressInvariants cuts addresses in all surroundings.
func TestAddressInvariants(t *testing.T) {
	parts := []string{"a@b.cc", "http://x.y/z.", "://", "www.", "www.x.y", "@", "<", ">", "(", ")", "\"", "é", ".", ",",
		" ", "cannot", "'tis", "$", "x"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(parts)).Draw(t, "parts"), "")
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

func FuzzAddresses(f *testing.F) {
	for _, s := range []string{"(www.x.y)a@b.cc,a://b)<x", "a://b(c))", "--a@b.cc.", "www.x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, chunk string) {
		if !utf8.ValidString(chunk) {
			return
		}
		done := 0
		addresses(chunk, func(at, n int) {
			if at < done || n <= 0 || at+n > len(chunk) || !utf8.ValidString(chunk[at:at+n]) {
				t.Fatalf("address [%d, %d) of %q after %d", at, at+n, chunk, done)
			}
			done = at + n
		})
	})
}

// TestEnds leaves a long text where its context has ended, in one chunk or in many.
func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, part := range []string{"a b ", "漢字", "a,"} {
		text := strings.Repeat(part, 1<<16)
		for _, name := range []string{"unicode", "ptb", "whitespace"} {
			tk, _ := New(name)
			whole, r := Result{}, Result{Ctx: ctx}
			tk.Segment(text, &whole)
			tk.Segment(text, &r)
			if len(whole.Tokens) > 1<<15 && len(r.Tokens) > 1<<14 {
				t.Errorf("%s of %q: %d tokens of %d after the end", name, part, len(r.Tokens), len(whole.Tokens))
			}
		}
	}
}
