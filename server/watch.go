package server

import (
	"fmt"
	"time"

	"parlance/db"
)

// graceLooks is how many looks long a client may read nothing of the answer of a statement that
// was cancelled: the error behind it cannot be sent before.
const graceLooks = 5

// watchedState is what the watch knows of a connection.
type watchedState struct {
	turn, write, half    uint64
	turned, stuck, begun time.Time // when these were first seen
	turnAge, stall       time.Duration
	halfAge              time.Duration // since the last part of a message that has not come whole
}

// watch looks at all connections once a second.
func (s *Server) watch() {
	tick := time.NewTicker(s.o.watch)
	defer tick.Stop()
	var list []*conn
	for {
		select {
		case <-s.ctx.Done():
			return
		case now := <-tick.C:
			list = s.look(now, list)
		}
	}
}

// look looks at all connections, for what their goroutines cannot see while they run a statement
// or wait. The list is room for them, which it returns empty.
func (s *Server) look(now time.Time, list []*conn) []*conn {
	s.mu.Lock()
	for _, c := range s.conns {
		list = append(list, c)
	}
	s.mu.Unlock()
	l := s.d.Limits()
	for _, c := range list {
		c.look(now, l)
	}
	clear(list)
	return list[:0]
}

// see notes the state of the connection and how long it has lasted.
func (x *watchedState) see(c *conn, now time.Time) {
	if n := c.waitState.Load(); n != x.turn || x.turned.IsZero() {
		x.turn, x.turned = n, now
	}
	if n := c.w.writes.Load(); n != x.write || n%2 == 0 {
		x.write, x.stuck = n, now
	}
	if n := c.w.half.Load(); n != x.half || n == 0 {
		x.half, x.begun = n, now
	}
	x.turnAge, x.stall, x.halfAge = now.Sub(x.turned), now.Sub(x.stuck), now.Sub(x.begun)
}

// look ends what should not go on: a statement whose client has gone, a connection that waits or
// is kept waiting for too long. Connections that log in have a clock of their own.
func (c *conn) look(now time.Time, l db.Limits) {
	x := &c.lastWatched
	x.see(c, now)
	switch {
	case x.turn == 0:
	case l.ReadTimeout > 0 && x.halfAge > l.ReadTimeout:
		c.expel("08P01", "a part of a message has come, and nothing more of it for longer than read_timeout, %v",
			l.ReadTimeout)
	case x.turn%2 == 1:
		if x.turnAge > 0 && gone(c.socket) {
			_ = c.socket.SetReadDeadline(time.Unix(1, 0)) // it may have gone in one piece with its last message
		}
		if l.IdleTimeout > 0 && x.turnAge > l.IdleTimeout {
			c.expel("57P05", "without a statement for longer than idle_timeout, %v", l.IdleTimeout)
		}
		c.lookAtBlock()
	case l.WriteTimeout > 0 && x.stall > l.WriteTimeout:
		c.expel("08006", "the client has read nothing for longer than write_timeout, %v", l.WriteTimeout)
	case x.stall > graceLooks*c.srv.o.watch && c.db.Cancelled():
		c.expel("57014", "the client reads nothing of a cancelled statement")
	case x.turnAge > 0 && gone(c.socket):
		c.abandon(nil)
	case x.turnAge > 0 && c.db.Cancelled():
		c.mu.Lock()
		c.wake() // it may wait for data, not knowing
		c.mu.Unlock()
	}
}

// lookAtBlock ends a connection that waits in a transaction block for too long.
func (c *conn) lookAtBlock() {
	own := c.idleTimeout.Load()
	if own == noBlockTimeout || c.lastWatched.turnAge == 0 {
		return
	}
	if most := c.db.IdleTimeout(int(own)); most > 0 && c.lastWatched.turnAge > most {
		c.expel("25P03", "in a transaction block without a statement for longer than idle_in_transaction_session_timeout, %v",
			most)
	}
}

// expel makes the goroutine of the connection end it with an error.
func (c *conn) expel(code, format string, args ...any) {
	c.endReason.Store(&db.Error{Code: code, Message: fmt.Sprintf(format, args...)})
	_ = c.socket.SetDeadline(time.Unix(1, 0))
}
