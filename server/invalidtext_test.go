package server

import (
	"encoding/binary"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
)

// TestOnlyTextComesIn sends bytes that cannot stand in a text on every way into the database.
func TestOnlyTextComesIn(t *testing.T) {
	_, _, addr := start(t, Options{})
	r := loginRaw(t, addr)
	r.query("CREATE LEXICON terms (word TEXT); CREATE CORPUS docs")
	for _, bad := range []string{"a\x00b", "a\xffb", "a\xed\xa0\x80"} {
		for _, format := range []int16{textFormat, binaryFormat} {
			for _, statement := range []string{"SELECT $1::text", "SELECT $1::json", "SELECT text FROM tokens(TEXT $1)"} {
				r.send(&pgproto3.Parse{Query: statement},
					&pgproto3.Bind{ParameterFormatCodes: []int16{format}, Parameters: [][]byte{[]byte(bad)}}, &pgproto3.Sync{})
				if got := r.until("Z"); got != "parsed ERROR_22021 I" {
					t.Errorf("%s, %q in format %d: %s", statement, bad, format, got)
				}
			}
		}
		length := binary.BigEndian.AppendUint32(nil, uint32(len(bad)))
		for statement, data := range map[string]string{
			"COPY terms FROM STDIN":              bad + "\n",
			"COPY terms FROM STDIN (FORMAT csv)": bad + "\n",
			"COPY terms FROM STDIN (FORMAT binary)": "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01" +
				string(length) + bad + "\xff\xff",
			"LOAD STDIN INTO terms FORMAT jsonl":         `{"word":"` + bad + `"}`,
			"LOAD STDIN INTO docs FORMAT text":           bad,
			"LOAD STDIN INTO docs FORMAT conll":          bad + "\tO\n\n",
			"COPY terms FROM STDIN --escape":             `a\000b`,
			"LOAD STDIN INTO docs FORMAT jsonl":          `{"text":"a\u0000b"}`,
			"LOAD STDIN INTO docs FORMAT jsonl --nested": `{"text":"a","x":[{"b":"\u0000"}]}`,
		} {
			r.send(&pgproto3.Query{String: statement})
			r.until("G")
			r.send(&pgproto3.CopyData{Data: []byte(data)}, &pgproto3.CopyDone{})
			if got := r.until("Z"); got != "ERROR_22021 I" {
				t.Errorf("%s, %q: %s", statement, data, got)
			}
		}
	}
	if got := r.query("SELECT '\xff'"); got != "ERROR_22021 I" {
		t.Errorf("a statement: %s", got)
	}
	if got := r.query(`SELECT '{"a":"\u0000"}'::json ->> 'a'`); got != "ERROR_22023 I" {
		t.Errorf("an escape in JSON: %s", got)
	}
	for _, name := range []string{"user", "database", "application_name"} {
		r := dialRaw(t, addr)
		r.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30,
			Parameters: map[string]string{"user": "a", name: "a\xff"}})
		if got := r.until(""); got != "FATAL_22021" {
			t.Errorf("%s: %s", name, got)
		}
	}
}
