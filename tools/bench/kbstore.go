package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// kbStore measures knowledge bases as tables: loading, the size of the file, look-ups.
func (b *bench) kbStore() error {
	d, c, err := b.session("kb-store")
	if err != nil {
		return err
	}
	defer d.Close()
	if err := b.script(c, "CREATE KB fb"); err != nil {
		return err
	}
	sec, err := b.timed(c, "LOAD '"+b.file("kb", "FB15k-237", "*.txt")+"' INTO fb FORMAT triples")
	if err != nil {
		return err
	}
	b.add("LOAD of FB15k-237", fmt.Sprintf("%.1f s", sec), "< 10 s", "310,116 triples with three indexes")
	copied := filepath.Join(b.Dir, "kb-copy")
	if err := b.script(c, "BACKUP TO '"+copied+"'"); err != nil {
		return err
	}
	if info, err := os.Stat(copied); err == nil {
		b.add("file of FB15k-237", fmt.Sprintf("%.0f MB", float64(info.Size())/1e6), "", "as BACKUP writes it")
	}
	for _, q := range []struct{ name, query, bound string }{
		{"objects of a subject and relation",
			"SELECT object FROM fb.triples WHERE subject = '/m/027rn' AND relation = '/location/country/form_of_government'",
			"< 1 ms"},
		{"triples of a subject", "SELECT relation, object FROM fb.triples WHERE subject = '/m/027rn'", "< 1 ms"},
		{"relations between two entities",
			"SELECT relation FROM fb.triples WHERE subject = '/m/027rn' AND object = '/m/06cx9'", "< 1 ms"},
		{"a triple", "SELECT weight FROM fb.triples WHERE subject = '/m/027rn' AND relation = " +
			"'/location/country/form_of_government' AND object = '/m/06cx9'", "< 1 ms"},
		{"triples of a relation", "SELECT count FROM fb.relations WHERE relation = '/location/country/form_of_government'",
			"< 1 ms"},
		{"count(*) GROUP BY relation", "SELECT relation, count(*) FROM fb.triples GROUP BY relation", ""},
	} {
		sec, err := b.median(21, func() (float64, error) { return b.timed(c, q.query) })
		if err != nil {
			return err
		}
		b.add(q.name, fmt.Sprintf("%.2f ms", sec*1e3), q.bound, "of 310,116 triples")
	}
	return b.wordNet()
}

// wordNet measures the reading of WordNet where it is installed.
func (b *bench) wordNet() error {
	if _, err := os.Stat(filepath.Join(wordnetFolder, "data.noun")); err != nil {
		fmt.Fprintln(b.log, "  there is no WordNet in", wordnetFolder)
		return nil
	}
	d, c, err := b.session("wordnet")
	if err != nil {
		return err
	}
	defer d.Close()
	if err := b.script(c, "CREATE KB wn"); err != nil {
		return err
	}
	sec, err := b.timed(c, "LOAD '"+wordnetFolder+"' INTO wn FORMAT wordnet")
	if err != nil {
		return err
	}
	b.add("LOAD of WordNet", fmt.Sprintf("%.1f s", sec), "", "117,659 synsets, 735,039 triples")
	if sec, err = b.median(21, func() (float64, error) {
		return b.timed(c, "SELECT DISTINCT object FROM wn.triples WHERE subject = 'dog' AND relation = 'synonym'")
	}); err == nil {
		b.add("synonyms of a word", fmt.Sprintf("%.2f ms", sec*1e3), "< 1 ms", "")
	}
	return err
}
