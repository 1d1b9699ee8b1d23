package server

import (
	"fmt"
	"net"

	"parlance/db"
)

// limits are the limits on clients: options of the server, else settings of the database.
func (s *Server) limits() db.Limits {
	l := s.d.Limits()
	if s.o.MaxMessageBytes > 0 {
		l.MaxMessageBytes = s.o.MaxMessageBytes
	}
	if s.o.LoginTimeout > 0 {
		l.LoginTimeout = s.o.LoginTimeout
	}
	return l
}

// leastUnknown is how many connections may wait for their login at least, however few sessions there may be: the more,
// the longer each has before others take its place.
const leastUnknown = 1024

// tooManyLogins reports whether a further connection takes the place of the oldest that has not logged in. These count
// apart from sessions, so clients that say nothing keep nobody from logging in or cancelling.
func (s *Server) tooManyLogins() bool {
	return s.unknown.Len() >= max(leastUnknown, s.limits().MaxConnections)
}

// dropOldestLogin ends the connection that has waited longest for its login; the server's lock is held.
func (s *Server) dropOldestLogin() {
	if first := s.unknown.Front(); first != nil {
		c := first.Value.(*conn)
		s.unknown.Remove(first)
		c.waits = nil
		c.expel("53300", "others want to log in, and this client has not for longer than any of them")
		c.abandon(nil)
	}
}

// admit takes a place among max_connections, some of which only admins get; leave gives it back.
func (c *conn) admit() error {
	s, l := c.srv, c.srv.limits()
	role, err := c.db.Role()
	if err != nil {
		return err
	}
	most := l.MaxConnections
	if role != "admin" {
		most -= l.ReservedConnections
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.waits == nil {
		return net.ErrClosed // another took its place
	}
	if s.sessions >= most {
		return fatal{&db.Error{Code: "53300", Message: tooMany(role, s.sessions, l),
			Hint: "close some, or use a pool; an admin can ALTER SYSTEM SET max_connections"}}
	}
	s.sessions++
	c.admitted = true
	s.unknown.Remove(c.waits)
	c.waits = nil
	return nil
}

func tooMany(role string, open int, l db.Limits) string {
	text := fmt.Sprintf("connections are %d, max_connections is %d", open, l.MaxConnections)
	if role == "admin" || l.ReservedConnections == 0 {
		return text
	}
	return text + fmt.Sprintf(" and keeps %d for administrators (reserved_connections)", l.ReservedConnections)
}

// leave gives the place of a connection back; the server's lock is held.
func (c *conn) leave() {
	if c.admitted {
		c.srv.sessions--
	}
	if c.waits != nil {
		c.srv.unknown.Remove(c.waits)
		c.waits = nil
	}
}
