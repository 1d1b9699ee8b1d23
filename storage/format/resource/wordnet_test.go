package resource

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/storage/files"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
	"parlance/storage/value"
)

// knowledgeOf reads a knowledge base and counts the rows of its tables, those of triples by relation.
func knowledgeOf(t testing.TB, c codec.Codec, paths ...string) (map[string]int, error) {
	t.Helper()
	src, err := codec.OpenSources(files.Anywhere, InFolder(c, files.Anywhere, paths), nil, "")
	if err != nil {
		return nil, err
	}
	out := map[string]int{}
	err = codec.ReadKB(t.Context(), c, src, func(table string, rows [][]value.Value, places []string) error {
		if len(rows) != len(places) {
			t.Fatalf("%d rows, %d places", len(rows), len(places))
		}
		for _, row := range rows {
			if table == "triples" {
				out[row[1].S]++
			} else {
				out["table "+table]++
			}
		}
		return nil
	})
	return out, err
}

// TestWordNet30 compares what is read of WordNet 3.0 with counts that a script made of its files: pairs
// of synsets, and pairs of different words, by pointer.
func TestWordNet30(t *testing.T) {
	if os.Getenv("PARLANCE_SLOW") == "" {
		t.Skip("reading all of WordNet takes long; set PARLANCE_SLOW")
	}
	folder := "/usr/share/wordnet"
	synsets := 0
	for _, part := range wordnetParts {
		raw, err := os.ReadFile(filepath.Join(folder, "data."+part[1]))
		if err != nil {
			t.Skipf("WordNet is not installed: %v", err)
		}
		synsets += bytes.Count(raw, []byte("\n")) - bytes.Count(raw, []byte("\n  ")) - 1
	}
	if synsets != 117659 {
		t.Skipf("WordNet has %d synsets here, version 3.0 has 117,659", synsets)
	}
	got, err := knowledgeOf(t, suite.Configure(t, "wordnet", formattest.ListArg("relations", wordnetRelations(true)...)),
		folder)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{
		"synset": 206978, "synonym": 304856, "gloss": 117659, "lemma": 6046, "antonym": 7106, "synset_antonym": 7604,
		"hypernym": 89089, "hyponym": 89089, "instance_hypernym": 8577, "instance_hyponym": 8577,
		"member_holonym": 12293, "member_meronym": 12293, "part_holonym": 9097, "part_meronym": 9097,
		"substance_holonym": 797, "substance_meronym": 797,
		"attribute": 1278, "derivation": 37430, "topic": 6654, "topic_member": 6654, "region": 1360, "region_member": 1360,
		"usage": 1376, "usage_member": 1376,
		"entailment": 408, "cause": 220, "also_see": 3170, "verb_group": 1749, "similar_to": 21386, "participle": 73,
		"pertainym": 7492,
	}
	for name := range got {
		if strings.HasPrefix(name, "table ") {
			delete(got, name)
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// FuzzWordNet reads data and index files that may be anything.
func FuzzWordNet(f *testing.F) {
	for _, part := range []string{"noun", "verb", "adj", "adv"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "wordnet", "data."+part))
		if err != nil {
			f.Fatal(err)
		}
		index, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "wordnet", "index."+part))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(index), string(data))
	}
	f.Add("a n 9 0 1 1 00000001\n", "00000001 03 n ff a 0 000 | x\n")
	f.Add("a n 1 0 1 1 1\n", "1 03 n 01 a 0 001 @ 1 n 0109 | x\n")
	f.Add("a n 1 0 1 1 1\n", "1 03 n 01 (p) 0 001 @ 1 q zzzz | x\n")
	f.Fuzz(func(t *testing.T, index, data string) {
		all := &wordnetFiles{senses: map[string]int{}, at: map[string]*wordnetSynset{}}
		for _, file := range [][2]string{{"index.noun", index}, {"noun.exc", index}, {"data.noun", data}} {
			if err := all.read(t.Context(), codec.Lines(file[0], file[1])); err != nil {
				return // it may refuse, not panic
			}
		}
		w := &wordnet{relations: wordnetRelations(true)}
		rows := &wordnetRows{w: w, f: all, seen: map[[3]string]bool{},
			emit: func(table string, row []value.Value, _ string) error {
				for _, v := range row[:1] {
					if v.IsNull() || v.S == "" {
						t.Fatalf("an empty name in %s: %v", table, row)
					}
				}
				return nil
			}}
		_ = rows.all(t.Context())
	})
}
