package server

import (
	"fmt"

	"parlance/db"
)

// limits are the settings of the database; options of the server come before them.
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

// crowded reports whether there are so many connections that a further one is closed unheard. Those that
// have not logged in yet count here, so there is room for logins and cancellations.
func (s *Server) crowded() bool { return len(s.conns) >= 2*s.limits().MaxConnections+64 }

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
	if s.sessions >= most {
		return fatal{&db.Error{Code: "53300", Message: tooMany(role, s.sessions, l),
			Hint: "close some, or use a pool; an admin can ALTER SYSTEM SET max_connections"}}
	}
	s.sessions++
	c.admitted = true
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
}
