package server

import (
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
)

// speak sends messages and tells the answers in words. A script is words: Q:statement (with _
// for spaces), P:name:statement, B:portal:statement, E:portal:rows, D:S:name, C:P:name, F, S.
func speak(t *testing.T, f *pgproto3.Frontend, script string) string {
	t.Helper()
	waits := 0
	for _, w := range strings.Fields(script) {
		p := append(strings.Split(strings.ReplaceAll(w, "_", " "), ":"), "", "")
		switch p[0] {
		case "Q":
			f.Send(&pgproto3.Query{String: p[1]})
			waits++
		case "P":
			f.Send(&pgproto3.Parse{Name: p[1], Query: p[2]})
		case "B":
			f.Send(&pgproto3.Bind{DestinationPortal: p[1], PreparedStatement: p[2]})
		case "E":
			n, _ := strconv.Atoi(p[2])
			f.Send(&pgproto3.Execute{Portal: p[1], MaxRows: uint32(n)})
		case "D":
			f.Send(&pgproto3.Describe{ObjectType: p[1][0], Name: p[2]})
		case "C":
			f.Send(&pgproto3.Close{ObjectType: p[1][0], Name: p[2]})
		case "F":
			f.Send(&pgproto3.FunctionCall{})
			waits++
		case "S":
			f.Send(&pgproto3.Sync{})
			waits++
		default:
			t.Fatalf("unknown word %s", w)
		}
	}
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	var out []string
	for waits > 0 {
		msg, err := f.Receive()
		if err != nil {
			t.Fatalf("after %v: %v", out, err)
		}
		w, ready := word(msg)
		if ready {
			waits--
		}
		if w != "" {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// word names an answer.
func word(msg pgproto3.BackendMessage) (string, bool) {
	switch m := msg.(type) {
	case *pgproto3.ReadyForQuery:
		return string(m.TxStatus), true
	case *pgproto3.DataRow:
		cells := make([]string, len(m.Values))
		for i, v := range m.Values {
			cells[i] = string(v)
		}
		return strings.Join(cells, ","), false
	case *pgproto3.CommandComplete:
		return strings.ReplaceAll(string(m.CommandTag), " ", "_"), false
	case *pgproto3.ErrorResponse:
		return m.Code, false
	case *pgproto3.BindComplete:
		return "bound", false
	case *pgproto3.ParseComplete:
		return "parsed", false
	case *pgproto3.CloseComplete:
		return "closed", false
	case *pgproto3.PortalSuspended:
		return "suspended", false
	case *pgproto3.EmptyQueryResponse:
		return "empty", false
	case *pgproto3.NoData:
		return "nodata", false
	case *pgproto3.RowDescription:
		names := make([]string, len(m.Fields))
		for i, f := range m.Fields {
			names[i] = string(f.Name)
		}
		return "(" + strings.Join(names, ",") + ")", false
	case *pgproto3.ParameterDescription:
		return "params" + strconv.Itoa(len(m.ParameterOIDs)), false
	}
	return "", false
}
