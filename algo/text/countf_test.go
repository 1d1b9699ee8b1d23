package text_test

import (
	"testing"

	"parlance/algo/text"
)

func TestCountf(t *testing.T) {
	const left = "%d {sentence is|sentences are} left out: a token has no %s"
	for _, c := range []struct{ got, want string }{
		{text.Countf(left, 1, "upos"), "1 sentence is left out: a token has no upos"},
		{text.Countf(left, 0, "upos"), "0 sentences are left out: a token has no upos"},
		{text.Countf(left, int64(21), "{a|b}"), "21 sentences are left out: a token has no {a|b}"},
		{text.Countf("%d of %d {word|words}, %.1f %%", 3, 1, 2.5), "3 of 1 word, 2.5 %"},
		{text.Countf("100 %% of %d {word|words} and %s of %d {text|texts}", 2, "1", int32(1)),
			"100 % of 2 words and 1 of 1 text"},
		{text.Countf("%s takes %d {argument|arguments}, not %d", "lower", 1, 2), "lower takes 1 argument, not 2"},
		{text.Countf("{a word|words} of %d", 1), "words of 1"},
		{text.Countf("nothing"), "nothing"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
