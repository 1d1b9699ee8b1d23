package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"parlance/query/ast"
	"parlance/query/parse"
	"parlance/storage/value"
)

// TestTerminateWaits: pg_terminate_backend waits as long as it is told for the end of a session, without a time not at
// all, and tells the client if the session has not ended by then.
func TestTerminateWaits(t *testing.T) {
	e := emptyEngine(t)
	last := int64(0)
	register := func(end func(*Session)) *Session {
		o := NewSession()
		last++
		o.ID = last
		e.RegisterSession(o, func(error, bool) { end(o) })
		return o
	}
	slow := register(func(*Session) {})
	quick := register(e.DeregisterSession)
	gone := register(func(*Session) {})
	e.DeregisterSession(gone)
	for _, c := range []struct {
		args, want string
	}{
		{fmt.Sprint(slow.ID), "true []"},
		{fmt.Sprint(slow.ID, ", 0"), "true []"},
		{fmt.Sprint(slow.ID, ", 1"), fmt.Sprintf("false [session %d has not ended within 1 ms]", slow.ID)},
		{fmt.Sprint(slow.ID, ", -1"), "22023"},
		{fmt.Sprint(gone.ID), fmt.Sprintf("false [there is no session %d]", gone.ID)},
		{fmt.Sprint(quick.ID, ", 9223372036854775807"), "true []"},
	} {
		stmt, err := parse.Parse("SELECT pg_terminate_backend(" + c.args + ")")
		if err != nil {
			t.Fatal(err)
		}
		ses, notices := NewSession(), []string{}
		ses.Notice = func(text string) { notices = append(notices, text) }
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		got := ""
		res, err := e.Execute(ctx, ses, stmt, nil)
		if err == nil {
			var b *value.Batch
			if b, err = res.Rows.Next(ctx); err == nil {
				got = fmt.Sprint(b.Row(nil, 0)[0], " ", notices)
			}
			res.Rows.Close()
		}
		if cancel(); err != nil {
			var fault *ast.Error
			if errors.As(err, &fault) {
				got = fault.Code
			} else {
				got = err.Error()
			}
		}
		if got != c.want {
			t.Errorf("pg_terminate_backend(%s): %s, want %s", c.args, got, c.want)
		}
	}
}
