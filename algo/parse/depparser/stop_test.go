package depparser

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"parlance/algo/kind"
	"parlance/algo/testutil/testtime"
	"parlance/algo/text"
)

// TestAnnotateStops: parsing a long sentence with all arcs ends within 100 ms of its context.
func TestAnnotateStops(t *testing.T) {
	limit := testtime.Allow(100 * time.Millisecond)
	for _, x := range []struct {
		factorization, trees string
		tokens               int
	}{{"carreras", projective, 200}, {"model1", projective, 90}, {"model2", projective, 90},
		{"head_automata", nonprojective, 200}, {"grandparent_sibling", nonprojective, 80}} {
		m, _, _ := trained(t, 1, arg("factorization", x.factorization), arg("trees", x.trees), arg("prune", 0.0),
			arg("epochs", 1), arg("c", 1e-6))
		late := time.Hour
		for range 10 { // the machine may be busy
			if late = min(late, lateBy(t, m, x.tokens)); late < limit {
				break
			}
		}
		t.Logf("%s, %d tokens: ended %v after its context", x.factorization, x.tokens, late)
		if late >= limit {
			t.Errorf("%s: ended %v after its context", x.factorization, late)
		}
	}
}

// lateBy returns how long a sentence is parsed beyond the end of its context.
func lateBy(t *testing.T, m *model, tokens int) time.Duration {
	d := document(strings.Fields(strings.Repeat("dog bites man ", tokens/3)))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var watch testtime.Watch
	timer := time.AfterFunc(30*time.Millisecond, func() { watch = testtime.Start(); cancel() })
	err := m.Annotate(ctx, []*text.Document{d}, &kind.Run{Workers: 1, Wanted: []string{text.Dependencies.Name}})
	if timer.Stop() {
		t.Errorf("%d tokens are parsed before the context ends: error %v", tokens, err)
		return 0
	}
	<-ctx.Done()
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%d tokens: error %v", tokens, err)
	}
	return watch.Took()
}

// document is one sentence.
func document(words []string) *text.Document {
	d := &text.Document{ID: "long"}
	l := text.NewLayer(text.Tokens)
	l.N = len(words)
	sent, tok := make([]int32, l.N), make([]int32, l.N)
	for i := range words {
		sent[i], tok[i] = 1, int32(i+1)
	}
	l.SetInts("sent", sent)
	l.SetInts("tok", tok)
	l.SetStrs("form", words)
	d.SetLayer(l)
	return d
}
