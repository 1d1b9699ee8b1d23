package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"parlance/db"
)

// fulltextDocuments is the number of articles that are searched.
const fulltextDocuments = 50000

// searches are the queries that the benchmark mixes.
var searches = []struct{ name, query string }{
	{"a rare word", "SELECT id, title FROM n WHERE match(text, 'granja')"},
	{"a frequent word, top 10", "SELECT id, title, bm25() FROM n WHERE match(text, 'the') ORDER BY bm25() DESC LIMIT 10"},
	{"two words, top 10",
		"SELECT id, title, bm25() FROM n WHERE match(text, 'president china') ORDER BY bm25() DESC LIMIT 10"},
	{"a phrase", `SELECT id, title FROM n WHERE match(text, '"granja do torto"')`},
	{"a phrase, top 10",
		`SELECT id, title, bm25() FROM n WHERE match(text, '"united nations security council"') ORDER BY bm25() DESC LIMIT 10`},
	{"a phrase of frequent words, top 10",
		`SELECT id, title, bm25() FROM n WHERE match(text, '"one of the"') ORDER BY bm25() DESC LIMIT 10`},
	{"boolean, top 10", "SELECT id, title, bm25() FROM n WHERE match(text, '(earthquake OR tsunami) japan -nuclear') " +
		"ORDER BY bm25() DESC LIMIT 10"},
	{"boolean, counted", "SELECT count(*) FROM n WHERE match(text, '(earthquake OR flood) -japan')"},
	{"a prefix, top 10", "SELECT id, title, bm25() FROM n WHERE match(text, 'volcan*') ORDER BY bm25() DESC LIMIT 10"},
	{"texts of the top 10", "SELECT text FROM n WHERE match(text, 'parliament election') ORDER BY bm25() DESC LIMIT 10"},
}

// fulltext measures searches of news and encyclopedia articles, repeated to their number.
func (b *bench) fulltext() error {
	path, err := b.articles(fulltextDocuments)
	if err != nil {
		return err
	}
	d, c, err := b.session("fulltext")
	if err != nil {
		return err
	}
	defer d.Close()
	plain, err := b.statement(1, c, "CREATE CORPUS n (title TEXT); LOAD '"+path+"' INTO n FORMAT articles")
	if err != nil {
		return err
	}
	var docs, tokens, bytes int64
	if err := b.one(c, "SELECT count(*) FROM n", &docs); err != nil {
		return err
	}
	if err := b.one(c, "SELECT tokens FROM system.corpora WHERE name = 'n'", &tokens); err != nil {
		return err
	}
	build, err := b.statement(1, c, "CREATE FULLTEXT INDEX ON n (text)")
	if err != nil {
		return err
	}
	if err := b.one(c, "SELECT bytes FROM system.indexes WHERE object = 'n'", &bytes); err != nil {
		return err
	}
	b.add("CREATE FULLTEXT INDEX", fmt.Sprintf("%.2f M tokens/s", float64(tokens)/build.clock/1e6), "",
		build.note(fmt.Sprintf("%d documents, %d tokens, %.1f s; %.2f bytes a token", docs, tokens, build.clock,
			float64(bytes)/float64(tokens))))
	indexed, err := b.statement(1, c, "CREATE CORPUS again (title TEXT); CREATE FULLTEXT INDEX ON again (text); LOAD '"+
		path+"' INTO again FORMAT articles")
	if err != nil {
		return err
	}
	b.add("LOAD with a full-text index", fmt.Sprintf("%.2f M tokens/s", float64(tokens)/indexed.clock/1e6), "",
		indexed.note(fmt.Sprintf("%.2f M tokens/s and %.3g ms without", float64(tokens)/plain.clock/1e6,
			plain.processor*1e3)))
	return b.searches(c, docs)
}

func (b *bench) searches(c *db.Conn, docs int64) error {
	var all []float64
	for _, s := range searches {
		took, err := b.measure(21, func() error {
			t, err := b.timed(c, s.query)
			all = append(all, t)
			return err
		})
		if err != nil {
			return err
		}
		b.add("search: "+s.name, fmt.Sprintf("%.2f ms", took.clock*1e3), "< 10 ms", took.note(""))
	}
	sort.Float64s(all)
	b.add("median of all searches", fmt.Sprintf("%.2f ms", all[len(all)/2]*1e3), "< 10 ms",
		fmt.Sprintf("%d documents", docs))
	return nil
}

// articles writes the articles of Wikinews and Wikipedia again and again, with ids of their own,
// until there are at least n.
func (b *bench) articles(n int) (string, error) {
	files, err := filepath.Glob(b.file("text", "wiki*.txt.gz"))
	if err != nil || len(files) == 0 {
		return "", fmt.Errorf("%s holds no articles", b.file("text"))
	}
	path := filepath.Join(b.Dir, "articles.txt")
	out, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer out.Close()
	w := bufio.NewWriterSize(out, 1<<20)
	for round, count := 0, 0; count < n; round++ {
		for i, name := range files {
			k, err := copyArticles(w, name, fmt.Sprintf("# %d.%d.", round, i))
			if err != nil {
				return "", err
			}
			count += k
		}
	}
	return path, w.Flush()
}

// copyArticles copies a file with another beginning of the lines that begin articles.
func copyArticles(w *bufio.Writer, name, head string) (int, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return 0, err
	}
	lines, n := bufio.NewScanner(z), 0
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "# ") {
			line = head + strings.TrimPrefix(line, "# ")
			n++
		}
		if _, err := w.WriteString(line + "\n"); err != nil {
			return n, err
		}
	}
	return n, lines.Err()
}
