package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"unicode"
)

// alignment is the contest of word alignment: both directions, joined.
var alignment = contest{key: "align", work: "alignment of 60,000 sentence pairs, both directions", peer: "fast_align",
	fresh: `cp pairs.parlance new.parlance`,
	ours:  `$P exec --db new.parlance -c "SET workers = 1; TRAIN aligner AS a ON zhen"`,
	theirs: `fast_align -i pairs.txt -d -o -v > forward && fast_align -i pairs.txt -d -o -v -r > reverse && ` +
		`atools -c grow-diag-final-and -i forward -j reverse > joined`,
	time: 1, memory: 1}

// peerPairs writes pairs of English and Chinese sentences as fast_align reads them, Chinese cut into characters.
func (b *bench) peerPairs() error {
	return b.writes("pairs.txt", func(w *bufio.Writer) error {
		pair := func(line string) {
			f := strings.SplitN(line, "\t", 3)
			if len(f) < 2 {
				return
			}
			en, zh := strings.Join(characters(f[0]), " "), strings.Join(characters(f[1]), " ")
			if en != "" && zh != "" {
				fmt.Fprintf(w, "%s ||| %s\n", en, zh)
			}
		}
		for _, name := range []string{"3am.train.en-zh.tsv.gz", "news-commentary.10k.en-zh.tsv.gz"} {
			if err := b.eachLine(b.file("mt", name), pair); err != nil {
				return err
			}
		}
		raw, err := os.ReadFile(b.file("mt", "tatoeba.en-zh.txt"))
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(raw)) {
			pair(strings.TrimSuffix(line, "\n"))
		}
		return nil
	})
}

// characters is the words of a text in lower case, and each character of Chinese.
func characters(text string) (out []string) {
	for _, w := range tokenPattern.FindAllString(strings.ToLower(text), -1) {
		rest := ""
		for _, r := range w {
			if !unicode.Is(unicode.Han, r) {
				rest += string(r)
				continue
			}
			if rest != "" {
				out = append(out, rest)
			}
			out, rest = append(out, string(r)), ""
		}
		if rest != "" {
			out = append(out, rest)
		}
	}
	return out
}
