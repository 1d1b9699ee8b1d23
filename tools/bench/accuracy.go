package main

import "fmt"

// accuracy trains with the settings in the table and scores the test sets once.
func (b *bench) accuracy() error {
	for _, a := range []struct{ name, setup, train, on, metric string }{
		{"WNUT-17 entities",
			`CREATE CORPUS x (split TEXT); LOAD '$DATA/ner/wnut17.train' INTO x FORMAT conll WITH (columns = (form, entities)) SET split = 'train'; LOAD '$DATA/ner/wnut17.test' INTO x FORMAT conll WITH (columns = (form, entities)) SET split = 'test';`,
			"TRAIN crf AS m ON x WHERE split = 'train' WITH (l2 = 0.2)", "test", "f1"},
		{"CoNLL-2002 Spanish, testb",
			`CREATE CORPUS x (split TEXT); LOAD '$DATA/ner/conll2002.esp.train' INTO x FORMAT conll2002 SET split = 'train'; LOAD '$DATA/ner/conll2002.esp.testb' INTO x FORMAT conll2002 SET split = 'test';`,
			"TRAIN crf AS m ON x WHERE split = 'train'", "test", "f1"},
		{"CoNLL-2002 Dutch, testb",
			`CREATE CORPUS x (split TEXT); LOAD '$DATA/ner/conll2002.ned.train' INTO x FORMAT conll2002 SET split = 'train'; LOAD '$DATA/ner/conll2002.ned.testb' INTO x FORMAT conll2002 SET split = 'test';`,
			"TRAIN crf AS m ON x WHERE split = 'train'", "test", "f1"},
		{"BC5CDR, test",
			`CREATE CORPUS x (split TEXT); LOAD '$DATA/ner/bc5cdr.train' INTO x FORMAT conll WITH (columns = (form, entities)) SET split = 'train'; LOAD '$DATA/ner/bc5cdr.test' INTO x FORMAT conll WITH (columns = (form, entities)) SET split = 'test';`,
			"TRAIN crf AS m ON x WHERE split = 'train'", "test", "f1"},
		{"EWT upos, dev",
			`CREATE CORPUS x (split TEXT); LOAD '$DATA/ud/en_ewt.train.conllu' INTO x FORMAT conllu SET split = 'train'; LOAD '$DATA/ud/en_ewt.dev.conllu' INTO x FORMAT conllu SET split = 'test';`,
			"TRAIN crf AS m ON x WHERE split = 'train' WITH (layer = 'upos')", "test", "accuracy"},
		{"EWT xpos, dev",
			`CREATE CORPUS x (split TEXT); LOAD '$DATA/ud/en_ewt.train.conllu' INTO x FORMAT conllu SET split = 'train'; LOAD '$DATA/ud/en_ewt.dev.conllu' INTO x FORMAT conllu SET split = 'test';`,
			"TRAIN maxent AS m ON x WHERE split = 'train' WITH (layer = 'xpos', l2 = 0.3, iterations = 80)", "test", "accuracy"},
		{"R8, test",
			`CREATE CORPUS x (split TEXT); LOAD '$DATA/textcat/r8.train.txt.gz' INTO x FORMAT lines WITH (label = 'first') SET split = 'train'; LOAD '$DATA/textcat/r8.test.txt' INTO x FORMAT lines WITH (label = 'first') SET split = 'test';`,
			"TRAIN maxent AS m ON x WHERE split = 'train'", "test", "accuracy"},
	} {
		if err := b.score(a.name, a.setup, a.train, a.on, a.metric); err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
	}
	return nil
}

func (b *bench) score(name, setup, train, on, metric string) error {
	d, c, err := b.session("accuracy")
	if err != nil {
		return err
	}
	defer d.Close()
	if err := b.script(c, "DROP MODEL IF EXISTS m; DROP CORPUS IF EXISTS x; "+setup); err != nil {
		return err
	}
	sec, err := b.timed(c, train)
	if err != nil {
		return err
	}
	rows, err := c.Query(b.ctx, "SELECT value, low, high FROM (EVALUATE m ON x WHERE split = '"+on+"') e WHERE metric = '"+
		metric+"' AND label = 'ALL'")
	if err != nil {
		return err
	}
	defer rows.Close()
	var v, low, high float64
	if !rows.Next() {
		return fmt.Errorf("no %s: %w", metric, rows.Err())
	}
	if err := rows.Scan(&v, &low, &high); err != nil {
		return err
	}
	b.add(name, fmt.Sprintf("%s %.2f", metric, 100*v), "",
		fmt.Sprintf("[%.2f, %.2f]; `%s`, %.1f s", 100*low, 100*high, train, sec))
	return nil
}
