package parse

import "testing"

// TestCopySpellings checks what PostgreSQL's spellings of COPY stand for.
func TestCopySpellings(t *testing.T) {
	const csv = ` FORMAT csv WITH (header = FALSE, quoted_null = FALSE)`
	for in, want := range map[string]string{
		`COPY docs FROM STDIN`:                                     `COPY docs FROM STDIN`,
		`copy "docs" ( "id", "text" ) from stdin binary;`:          `COPY docs (id, text) FROM STDIN FORMAT pgbinary`,
		`copy "docs"."entities" ( "doc" ) from stdin binary`:       `COPY docs.entities (doc) FROM STDIN FORMAT pgbinary`,
		`COPY docs TO STDIN WITH DELIMITER E'\t' NULL AS E'\\N'`:   `COPY docs TO STDOUT WITH (delimiter = '	', null = '\N')`,
		`COPY docs TO STDOUT (FORMAT text)`:                        `COPY docs TO STDOUT FORMAT pgcopy`,
		`COPY docs TO STDOUT FORMAT text`:                          `COPY docs TO STDOUT FORMAT text`,
		`COPY docs TO STDOUT WITH (FORMAT 'binary')`:               `COPY docs TO STDOUT FORMAT pgbinary`,
		`COPY docs FROM STDIN WITH CSV`:                            `COPY docs FROM STDIN` + csv,
		`COPY docs FROM STDIN csv`:                                 `COPY docs FROM STDIN` + csv,
		`COPY docs FROM STDIN (FORMAT CSV, ENCODING 'UTF8')`:       `COPY docs FROM STDIN` + csv,
		`COPY docs FROM STDIN (FORMAT csv, QUOTE '"', ESCAPE '"')`: `COPY docs FROM STDIN` + csv,
		`COPY docs FROM STDIN (FORMAT csv, QUOTE '|')`:             `COPY docs FROM STDIN FORMAT csv WITH (quote = '|', header = FALSE, quoted_null = FALSE)`,
		`COPY docs FROM STDIN (FORMAT csv, HEADER, DELIMITER ';')`: `COPY docs FROM STDIN FORMAT csv WITH (header = TRUE, delimiter = ';', quoted_null = FALSE)`,
		`COPY docs FROM STDIN (format csv, header off)`:            `COPY docs FROM STDIN` + csv,
		`COPY docs FROM STDIN (format = csv, header = on)`:         `COPY docs FROM STDIN FORMAT csv WITH (header = "on", quoted_null = FALSE)`,
		`COPY docs FROM STDIN CSV HEADER DELIMITER AS ';' NULL ''`: `COPY docs FROM STDIN FORMAT csv WITH (header = TRUE, delimiter = ';', null = '', quoted_null = FALSE)`,
		`COPY docs FROM STDIN DELIMITER '|' NULL AS 'none'`:        `COPY docs FROM STDIN WITH (delimiter = '|', null = 'none')`,
		`COPY docs FROM STDIN (DELIMITER '|', NULL 'none')`:        `COPY docs FROM STDIN WITH (delimiter = '|', null = 'none')`,
		`COPY (SELECT 1) TO STDOUT (FORMAT jsonl)`:                 `COPY (SELECT 1) TO STDOUT FORMAT jsonl`,
		`COPY docs TO 'a.csv' FORMAT csv WITH (header = false)`:    `COPY docs TO 'a.csv' FORMAT csv WITH (header = FALSE)`,
	} {
		s, err := Parse(in)
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if got := s.String(); got != want {
			t.Errorf("%s\nis   %s\nwant %s", in, got, want)
		}
		if again, err := Parse(want); err != nil || again.String() != want {
			t.Errorf("%s becomes %v, %v", want, again, err)
		}
	}
}

func TestCopyFaults(t *testing.T) {
	for in, want := range map[string]string{
		`COPY docs FROM STDIN (FORMAT csv, HEADER, header)`: `1:43: option header is given twice`,
		`COPY docs FROM STDIN CSV BINARY`:                   `1:26: option format is given twice`,
		`COPY docs FROM STDIN FORMAT csv (FORMAT text)`:     `1:34: the format is named twice`,
		`COPY docs FROM STDIN (FORMAT 3)`:                   `1:23: FORMAT takes the name of a format ((FORMAT csv))`,
		`COPY docs FROM STDIN DELIMITER`:                    `1:22: DELIMITER is not followed by what it takes (CSV HEADER DELIMITER ';' NULL '')`,
		`COPY docs USING ner FROM STDIN`:                    `1:1: COPY … FROM takes no USING, WHERE or ORDER BY (they say what COPY … TO writes)`,
		`COPY docs WHERE a FROM STDIN`:                      `1:1: COPY … FROM takes no USING, WHERE or ORDER BY (they say what COPY … TO writes)`,
		`COPY docs FROM STDIN CSV 'x'`:                      `1:22: CSV is not followed by what it takes (CSV HEADER DELIMITER ';' NULL '')`,
	} {
		_, err := Parse(in)
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v", in, err)
		}
	}
}
