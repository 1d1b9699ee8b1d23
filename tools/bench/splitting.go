package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// splitting measures what splitting class O by part of speech saves and gains with the number of
// tokens, as Kazama, Makino, Ohta and Tsujii 2002 did in table 2. The corpus is that of CoNLL-2002,
// Dutch, which has parts of speech and 90 % of its tokens outside of entities.
func (b *bench) splitting() error {
	d, c, err := b.session("splitting")
	if err != nil {
		return err
	}
	defer d.Close()
	if err := b.script(c, `CREATE CORPUS test; LOAD '$DATA/ner/conll2002.ned.testa' INTO test FORMAT conll2002;
CREATE FEATURES window AS 'form[-2..2], prefix(2)[-1..1], prefix(3)[-1..1], suffix(2)[-1..1], suffix(3)[-1..1], short_shape[-2..2], xpos[-2..2], bos, eos, label[-1], label[-2]';`); err != nil {
		return err
	}
	whole, err := os.ReadFile(b.file("ner", "conll2002.ned.train"))
	if err != nil {
		return err
	}
	for _, thousands := range []int{16, 32, 64, 128, 200} {
		name := fmt.Sprintf("part%d", thousands)
		if err := os.WriteFile(b.temporary(name), firstTokens(whole, 1000*thousands), 0o600); err != nil {
			return err
		}
		if err := b.script(c, fmt.Sprintf("CREATE CORPUS %s; LOAD '%s' INTO %s FORMAT conll2002;", name, b.temporary(name),
			name)); err != nil {
			return err
		}
		for _, split := range []string{"'none'", "'pos'", "'pos', part_machines = true"} {
			if thousands == 200 && strings.HasSuffix(split, "true") {
				continue // a minute or two
			}
			used := processor()
			if err := b.script(c,
				fmt.Sprintf("TRAIN svm_tagger AS tagger ON %s WITH (layer = 'entities', features = window, split_o = %s);", name,
					split)); err != nil {
				return err
			}
			sec, f1 := processor()-used, 0.0
			if err := b.one(c,
				"SELECT value FROM (EVALUATE tagger ON test WITH (samples = 0)) e WHERE metric = 'f1' AND label = 'ALL'",
				&f1); err != nil {
				return err
			}
			b.add(fmt.Sprintf("svm_tagger, %d,000 tokens, split_o = %s", thousands, split), fmt.Sprintf("%.1f s", sec), "",
				fmt.Sprintf("F1 %.2f", 100*f1))
		}
	}
	return nil
}

// firstTokens is the first sentences of a file with a line a token, until they have n tokens.
func firstTokens(file []byte, most int) []byte {
	n, at := 0, 0
	for at < len(file) {
		end := bytes.IndexByte(file[at:], '\n')
		if end < 0 {
			return file
		}
		if end == 0 && n >= most {
			return file[:at]
		}
		if end > 0 {
			n++
		}
		at += end + 1
	}
	return file
}
