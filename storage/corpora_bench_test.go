package storage

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"parlance/algo/text"
	"parlance/storage/catalog"
	"parlance/storage/documents"
	"parlance/storage/loading"
)

// treebank makes documents of 20 sentences of 25 tokens with all layers of CoNLL-U; word
// frequencies follow Zipf's law.
func treebank(documents int) []*text.Document {
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 2, 50000)
	tags := strings.Fields("NOUN VERB ADJ ADV DET ADP PRON AUX PUNCT PROPN NUM CCONJ")
	rels := strings.Fields("nsubj obj obl nmod amod det case root advmod punct conj cc")
	feats := []string{"", "Number=Sing", "Number=Plur", "Mood=Ind|Tense=Past|VerbForm=Fin", "Definite=Def|PronType=Art"}
	out := make([]*text.Document, documents)
	for i := range out {
		toks, dep := text.NewLayer(text.Tokens), text.NewLayer(text.Dependencies)
		var b strings.Builder
		for s := range int32(20) {
			for k := range int32(25) {
				w := zipf.Uint64()
				lemma := fmt.Sprint("w", w)
				form := lemma
				if w%3 == 0 {
					form += "s"
				}
				toks.Cols[0].Ints = append(toks.Cols[0].Ints, s+1)
				toks.Cols[1].Ints = append(toks.Cols[1].Ints, k+1)
				toks.Cols[2].Ints = append(toks.Cols[2].Ints, int32(b.Len()))
				b.WriteString(form)
				toks.Cols[3].Ints = append(toks.Cols[3].Ints, int32(b.Len()))
				b.WriteByte(' ')
				toks.Cols[4].Strs = append(toks.Cols[4].Strs, form)
				toks.Cols[5].Strs = append(toks.Cols[5].Strs, lemma)
				toks.Cols[6].Strs = append(toks.Cols[6].Strs, tags[w%12])
				toks.Cols[7].Strs = append(toks.Cols[7].Strs, tags[w%7])
				toks.Cols[8].Strs = append(toks.Cols[8].Strs, feats[w%5])
				dep.Cols[3].Ints = append(dep.Cols[3].Ints, max(0, k+1+r.Int32N(7)-4))
				dep.Cols[4].Strs = append(dep.Cols[4].Strs, rels[r.IntN(12)])
			}
		}
		toks.N = len(toks.Cols[0].Ints)
		dep.N, dep.Cols[0].Ints, dep.Cols[1].Ints = toks.N, toks.Cols[0].Ints, toks.Cols[1].Ints
		d := &text.Document{ID: fmt.Sprintf("doc%06d", i), Text: b.String()}
		d.SetLayer(toks)
		d.SetLayer(dep)
		var spans []text.Span
		for s := range int32(20) {
			spans = append(spans, text.Span{Sent: s + 1, First: 3, Last: 4, Label: []string{"PER", "LOC", "ORG"}[r.IntN(3)]})
		}
		d.SetLayer(d.SpanLayer(text.Entities, spans))
		out[i] = d
	}
	return out
}

func benchmarkStore(b *testing.B, docs []*text.Document) (*Store, *Object) {
	s, err := Open(filepath.Join(b.TempDir(), "bench"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	o, err := s.CreateObject(background, Object{Name: "docs", Kind: catalog.CorpusObject})
	if err != nil {
		b.Fatal(err)
	}
	l, err := s.NewLoad(background, o, loading.Options{OnConflict: "error"})
	if err != nil {
		b.Fatal(err)
	}
	for len(docs) > 0 {
		n := min(64, len(docs))
		if err := l.Add(background, docs[:n], nil); err != nil {
			b.Fatal(err)
		}
		docs = docs[n:]
	}
	if _, err := l.Commit(background); err != nil {
		b.Fatal(err)
	}
	return s, o
}

// BenchmarkLoadCorpus loads 500,000 tokens with tokens, dependencies and entities.
func BenchmarkLoadCorpus(b *testing.B) {
	docs := treebank(1000)
	b.ResetTimer()
	for range b.N {
		benchmarkStore(b, docs)
	}
	b.ReportMetric(float64(500*len(docs)*b.N)/b.Elapsed().Seconds(), "tokens/s")
}

// BenchmarkScanLabels reads the label column of all segments, not from the cache.
func BenchmarkScanLabels(b *testing.B) {
	s, o := benchmarkStore(b, treebank(1000))
	sn := s.Snapshot()
	defer sn.Close()
	want := documents.Want{Layers: []documents.LayerWant{{Name: "entities", Columns: []string{"label"}}}}
	b.ResetTimer()
	for range b.N {
		s.EvictSegments(o)
		rows := 0
		for _, id := range sn.Segments(o) {
			sg, err := sn.Segment(background, o, id, want)
			if err != nil {
				b.Fatal(err)
			}
			starts := sg.Rows("entities")
			v, _ := sg.Vec("entities", "label", 0, int(starts[len(starts)-1]))
			rows += len(v.Codes)
		}
		if rows != 20000 {
			b.Fatalf("%d rows", rows)
		}
	}
}

// BenchmarkPointRead finds documents by id and reads them with all layers, each from a segment
// that is not in the cache.
func BenchmarkPointRead(b *testing.B) {
	s, o := benchmarkStore(b, treebank(1000))
	sn := s.Snapshot()
	defer sn.Close()
	b.ResetTimer()
	for i := range b.N {
		s.EvictSegments(o)
		seq, ok, err := sn.Find(o, fmt.Sprintf("doc%06d", i*7919%1000))
		if err != nil || !ok {
			b.Fatal(ok, err)
		}
		if _, err := sn.Document(background, o, seq, everything); err != nil {
			b.Fatal(err)
		}
	}
}
