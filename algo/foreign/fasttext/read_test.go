package fasttext

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"parlance/algo/classify/maxent"
	"parlance/algo/foreign"
	"parlance/algo/foreign/foreigntest"
	"parlance/algo/kind"
	"parlance/algo/kindtest"
	"parlance/algo/text"
)

var models = map[string]string{"softmax": ".bin", "hs": ".bin", "ns": ".bin", "ova": ".bin", "plain": ".bin",
	"quant": ".ftz", "pruned": ".ftz"}

// leastPrinted is what fastText prints for a probability of 0.
const leastPrinted = 1e-5

// TestEqualsFastText: the three best labels with their probabilities are those of fasttext predict-prob.
func TestEqualsFastText(t *testing.T) {
	texts := strings.Split(strings.TrimSuffix(foreigntest.File(t, "testdata/test.txt"), "\n"), "\n")
	for name, end := range models {
		m := foreigntest.Must(t, Format(), maxent.Kind(), "testdata/"+name+end)
		var docs []*text.Document
		for _, s := range texts {
			docs = append(docs, &text.Document{ID: s, Text: s})
		}
		if err := m.Annotate(context.Background(), docs, &kind.Run{Prob: true, NBest: 3}); err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(strings.TrimSuffix(foreigntest.File(t, "testdata/"+name+".out"), "\n"), "\n") {
			f, l := strings.Fields(line), docs[i].Layer(text.Labels.Name)
			for k := 0; 2*k < len(f); k++ {
				p, err := strconv.ParseFloat(f[2*k+1], 64)
				got := "__label__" + l.Strs("label")[k]
				tied := p == leastPrinted && strings.HasPrefix(f[2*k], "__label__") // all that is left has nothing
				if err != nil || got != f[2*k] && !tied || !foreigntest.Near(l.Prob[k], min(1, p), 2e-6) {
					t.Errorf("%s, text %d: %s %g, want %s %g", name, i+1, got, l.Prob[k], f[2*k], p)
				}
			}
		}
	}
}

// TestRefusals: what is wrong is told with its byte.
func TestRefusals(t *testing.T) {
	good := foreigntest.File(t, "testdata/softmax.bin")
	put := func(at int, v uint32) string {
		b := []byte(good)
		binary.LittleEndian.PutUint32(b[at:], v)
		return string(b)
	}
	nan := math.Float32bits(float32(math.NaN()))
	for _, c := range [][2]string{
		{"", "byte 0: a number of 4 bytes"}, {"lCRF\x00\x00", "byte 0: the file does not begin as models of fastText do"},
		{put(0, 0xBA164F2F), "the other byte order"}, {put(4, 11), "a model of the version 11"},
		{put(8+7*4, 1), "is of word vectors"}, {put(8+6*4, 9), "the loss 9"},
		{put(64, 1<<30), "entries"}, {put(68, 1<<30), "entries"},
		{put(len(good)-4, nan), "one of the numbers is NaN"}, {good + "x", "1 bytes follow the vectors"},
		{put(8, 6), "numbers, want"}, {put(8+8*4, 201), "numbers, want"}, {put(8+8*4, 0), "n-grams without buckets"},
	} {
		foreigntest.Refuses(t, Format(), maxent.Kind(), c[0], c[1])
	}
	foreigntest.Refuses(t, Format(), maxent.Kind(), strings.Replace(good, "__label__moon", "__label__boat", 1),
		"comes twice")
	foreigntest.Refuses(t, Format(), maxent.Kind(), strings.Replace(good, "__label__moon\x00", "__label__moon\x00", 1),
		"is empty", kindtest.Arg("prefix", "__label__moon"))
	for name, end := range models {
		foreigntest.Truncated(t, Format(), maxent.Kind(), foreigntest.File(t, "testdata/"+name+end), 41,
			func(int) bool { return false })
	}
}

// FuzzRead: any bytes are read or refused, without a panic and in memory bounded by the file.
func FuzzRead(f *testing.F) {
	for name, end := range models {
		f.Add(foreigntest.File(f, "testdata/"+name+end))
	}
	f.Fuzz(func(t *testing.T, data string) {
		m, err := foreigntest.Model(Format(), maxent.Kind(), data)
		var e *foreign.Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%v of type %T", err, err)
		}
		if err == nil {
			d := &text.Document{Text: "dough größe __label__x"}
			if err := m.Annotate(context.Background(), []*text.Document{d}, &kind.Run{Prob: true}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
