package format

import (
	"bytes"
	"compress/gzip"
	"path/filepath"
	"strings"
	"testing"

	"parlance/storage/files"
	"parlance/storage/format/codec"
	"parlance/storage/format/formattest"
)

// TestGuessFormat: files are told by what is in them.
func TestGuessFormat(t *testing.T) {
	const bio = "Ann\tB-PER\nflew\tO\nto\tO\nOslo\tB-LOC\n\nBen\tB-PER\nleft\tO\n"
	for _, c := range []struct{ name, content, want string }{
		{"a.bio", bio, "FORMAT conll WITH (columns = (form, entities))"},
		{"a.txt", bio, "FORMAT conll WITH (columns = (form, entities))"},
		{"a.tsv", bio, "FORMAT conll WITH (columns = (form, entities))"},
		{"a", strings.ReplaceAll(bio, "\t", " "), "FORMAT conll WITH (columns = (form, entities))"},
		{"a.txt", "-DOCSTART- O\n\n" + strings.ReplaceAll(bio, "\t", " "), "FORMAT conll WITH (columns = (form, entities))"},
		{"one.txt", "Ann B-PER\nflew O", "FORMAT conll WITH (columns = (form, entities))"},
		{"mark.bio", "\ufeff" + bio, "FORMAT conll WITH (columns = (form, entities))"},
		{"three.conll", "Ann NNP B-PER\nflew VBD O\n", "FORMAT conll WITH (columns = (form, xpos, entities))"},
		{"chunks.conll", "Ann NNP B-NP\nflew VBD B-VP\n", "FORMAT conll WITH (columns = (form, xpos, chunks))"},
		{"four.conll", "Ann NNP B-NP B-PER\nflew VBD B-VP O\n", "FORMAT conll WITH (columns = (form, xpos, chunks, " +
			"entities))"},
		{"five.conll", "1 Ann x y B-PER\n2 flew x y O\n", "FORMAT conll WITH (columns = (form, _, _, _, entities))"},
		{"tags.tsv", "Ann\tNNP\nflew\tVBD\n\nBen\tNNP\n", "FORMAT conll WITH (columns = (form, xpos))"},
		{"a.tsv", "#FORMAT=WebAnno TSV 3.3\n\n\n#Text=Ann\n1-1\t0-3\tAnn\t\n", "FORMAT inception"},
		{"a.xml", `<?xml version="1.0"?><xmi:XMI xmlns:xmi="http://www.omg.org/XMI">`, "FORMAT inception"},
		{"a.spacy", "x\x9c", "FORMAT spacy"},
		{"a.jsonl", `["Ann left", {"entities": [[0, 3, "PER"]]}]`, "FORMAT spacy"},
		{"a.json", `[["Ann left", {"cats": {"x": 1}}], ["Ben", {"cats": {}}]]`, "FORMAT spacy"},
		{"a.jsonl", `{"text": "Ann left", "entities": [[0, 3, "PER"]]}`, "FORMAT spacy"},
		{"a.json", `[{"id": 0, "paragraphs": [{"sentences": []}]}]`, "FORMAT spacy"},
		{"a.csv", "id,text\n1,Ann flew.\n", "FORMAT csv"},
		{"head.csv", "id,review\n1,Ann flew.\n", "FORMAT csv"},
		{"semicolon.csv", "id;text\n1;Ann, who flew.\n", "FORMAT csv WITH (delimiter = ';')"},
		{"quoted.csv", "label,text\nx,\"Ann\nflew, she said\"\n", "FORMAT csv"},
		{"a.tsv", "label\ttext\nsport\tThe game was long.\n", "FORMAT tsv"},
		{"bare.tsv", "sport\tThe game was long.\nweather\tIt rains.\n",
			"FORMAT tsv WITH (header = false, columns = (label, text))"},
		{"last.txt", "The game was long.\tsport\nIt rains again.\tweather\n",
			"FORMAT tsv WITH (header = false, columns = (text, label))"},
		{"a.json", "{\"text\": \"Ann\"}\n{\"text\": \"Ben\"}\n", "FORMAT jsonl"},
		{"list.json", "[{\"text\": \"Ann\"}]\n", "one value of JSON"},
		{"lines.json", "[\n  {\n  \"text\": \"Ann\"}\n]\n", "one value of JSON"},
		{"object.json", "{\n  \"text\": \"Ann\"\n}\n", "one value of JSON"},
		{"a.jsonl", "", "FORMAT jsonl"},
		{"a.jsonl", `{"text":"Ann","spans":[{"start":0,"end":3,"label":"P"}],"answer":"accept"}`, "FORMAT prodigy"},
		{"a.jsonl", `{"text":"Ann","label":"x","_input_hash":4}`, "FORMAT prodigy"},
		{"a.json", "\n" + `{"id":1,"text":"Ann","label":[],"Comments":[]}`, "FORMAT doccano"},
		{"a.jsonl", `{"id":1,"text":"Ann","entities":[{"start_offset":0,"end_offset":3}]}`, "FORMAT doccano"},
		{"a.jsonl", `{"id":1,"text":"Ann","entities":[{"start":0,"end":3,"label":"P"}],"spans":[]}`, "FORMAT jsonl"},
		{"a.jsonl", `{"id":1,"text":"Ann","label":[[0,3,"PER"]]}`, "FORMAT jsonl"},
		{"a.jsonl", `{"id":"0","tokens":["Ann","ate"],"ner_tags":[1,0]}`, "FORMAT hf"},
		{"a.jsonl", `{"text":"Ann ate","tokens":[{"start":0,"end":3}],"ner_tags":[]}`, "FORMAT jsonl"},
		{"a.json", `[{"id":1,"data":{"text":"Ann"},"annotations":[]}]`, "FORMAT label_studio"},
		{"a.json", "[\n  {\n\"data\": {\"t\": \"Ann\"},\n \"predictions\": []}]", "FORMAT label_studio"},
		{"a.json", `[{"id":1,"text":"Ann","ner":[],"annotation_id":1,"lead_time":2.5}]`, "FORMAT label_studio"},
		{"a.json", `[{"id":1,"data":{"text":"` + strings.Repeat("x\n", 3) + `"},"annotations":[{"result":[` +
			strings.Repeat("\n", 500) + `]}]}]`, "FORMAT label_studio"},
		{"a.conllu", "", "FORMAT conllu"},
		{"a.txt", "# text = Ann\n1\tAnn\t_\t_\t_\t_\t0\troot\t_\t_\n\n", "FORMAT conllu"},
		{"a.txt", "# global.columns = ID FORM\n1\tAnn\n\n", "FORMAT conllup"},
		{"a.txt", "S Ann go .\nA 1 2|||R:VERB|||goes|||REQUIRED|||-NONE-|||0\n", "FORMAT m2"},
		{"a.mrg", "( (S (NP (NNP Ann)) (VP (VBD flew))))\n", "FORMAT ptb"},
		{"a.conll", "#begin document (a); part 000\na 0 0 Ann NNP (S* - - - - * (1)\n", "FORMAT conll2012"},
		{"a.txt", "Ann flew to Oslo.\nBen left.\n", "plain text"},
		{"two.txt", "Ann flew\nBen left\n", "plain text"}, // two words a line, in no groups
		{"wide.tsv", "a\tb\tAnn flew to Oslo.\nc\td\tBen left.\n", "values without a header"},
		{"none.txt", "\n\n", "an empty file"},
		{"page.txt", "<!DOCTYPE html>\n<p>Ann</p>\n", "FORMAT html"},
	} {
		g, err := GuessFormat(formattest.FileOf(t, c.name, c.content))
		got := g.Looks
		if g.Format != "" {
			got = g.Statement()
			if f, ok := Lookup(g.Format); !ok || !f.Reads() {
				t.Errorf("%s: no format %s", c.name, g.Format)
			}
		} else if g.Hint == "" || strings.Contains(g.Hint, "lines") && got != "plain text" {
			t.Errorf("%s: hint %q", c.name, g.Hint)
		}
		if err != nil || got != c.want {
			t.Errorf("%s %q: %s, %v, want %s", c.name, c.content, got, err, c.want)
		}
	}
}

// TestGuessCompressed: what is compressed is looked into as well.
func TestGuessCompressed(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte("{\"text\": \"Ann\"}\n"))
	if err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	if g, err := GuessFormat(formattest.FileOf(t, "a.json.gz", b.String())); err != nil || g.Format != "jsonl" {
		t.Errorf("%+v, %v", g, err)
	}
}

// TestGuessBrat: a text with annotations beside it is one of brat, and so is a file that ends in .ann.
func TestGuessBrat(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.txt", "a.ann.gz", "b.txt"} {
		formattest.Write(t, dir, name, []byte("Ann flew to Oslo."))
	}
	for name, want := range map[string]string{"a.txt": "brat", "a.ann.gz": "brat", "b.txt": ""} {
		src, err := codec.OpenSources(files.Anywhere, []string{filepath.Join(dir, name)}, nil, "utf-8")
		if err != nil {
			t.Fatal(err)
		}
		if g, err := GuessFormat(src); err != nil || g.Format != want {
			t.Errorf("%s: %+v, %v", name, g, err)
		}
	}
}

func TestGuessVectors(t *testing.T) {
	src, err := codec.OpenSources(files.Anywhere, []string{"resource/testdata/vectors.txt"}, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	if g, err := GuessFormat(src); err != nil || g.Looks != "word vectors" {
		t.Errorf("%+v, %v", g, err)
	}
}
