package db_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parlance/algo/segment"
)

// TestConlluBringsTextsBack cuts raw texts into tokens, writes these as CoNLL-U and loads them.
func TestConlluBringsTextsBack(t *testing.T) {
	piece := rapid.OneOf(rapid.StringMatching("[A-Za-z]{1,6}"),
		rapid.SampledFrom([]string{" ", "  ", "\n", "\t", "\r\n", ". ", "! ", ".", ",", "(", ") ", "\u00a0", "\u3000", "n't",
			"日本語。", "é", "|", "\\s", "1.5"}), rapid.String())
	raw := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 1, 12).Draw(t, "pieces"), "")
	})
	ctx := context.Background()
	for _, tokenizer := range segment.Names() {
		if tokenizer == "none" {
			continue
		}
		c := open(t, "").Conn()
		mustExec(t, c, fmt.Sprintf("CREATE CORPUS raw WITH (tokenizer = '%s')", tokenizer), "CREATE CORPUS again")
		want := map[string]string{}
		for i := range 300 {
			s, id := raw.Example(i), fmt.Sprint(i)
			if strings.ContainsRune(s, 0) {
				continue
			}
			if _, err := c.Exec(ctx, "INSERT INTO raw (id, text) VALUES ($1, $2)", id, s); err != nil {
				t.Fatal(err)
			}
			want[id] = s
		}
		var file bytes.Buffer
		c.Stdout(&file)
		mustExec(t, c, "COPY raw TO STDOUT FORMAT conllu")
		c.Stdin(&file)
		mustExec(t, c, "LOAD STDIN INTO again FORMAT conllu")
		rows, err := c.Query(ctx, "SELECT id, text FROM again")
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for rows.Next() {
			var id, text string
			if err := rows.Scan(&id, &text); err != nil {
				t.Fatal(err)
			}
			if found++; text != want[id] {
				t.Errorf("%s: %q became %q", tokenizer, want[id], text)
			}
		}
		if err := rows.Close(); err != nil || found < 250 {
			t.Errorf("%s: %d of %d texts came back: %v", tokenizer, found, len(want), err)
		}
	}
}
