package server

import (
	"encoding/binary"
	"fmt"
	"slices"

	"parlance/db"
)

// foreign is the beginning of another protocol, with an answer that its clients can read.
type foreign struct {
	fatal
	answer string
}

// httpMethods are the first four bytes of requests.
var httpMethods = []string{"GET ", "HEAD", "POST", "PUT ", "DELE", "CONN", "OPTI", "TRAC", "PATC", "PRI "}

const (
	// httpAnswer refuses a request.
	httpAnswer = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n" +
		"This port speaks the PostgreSQL protocol: connect with psql or a driver. Health and metrics are at the address " +
		"that --http gives.\n"
	// tlsAnswer is the fatal alert handshake_failure (RFC 8446, section 6.2).
	tlsAnswer = "\x15\x03\x01\x00\x02\x02\x28"
)

// notPostgres is the error for a connection that begins with four bytes that are no length of a first message.
func notPostgres(head []byte) error {
	refuse := func(hint, format string, args ...any) fatal {
		return fatal{&db.Error{Code: "08P01", Message: fmt.Sprintf(format, args...), Hint: hint}}
	}
	switch n := int32(binary.BigEndian.Uint32(head)); {
	case slices.Contains(httpMethods, string(head)):
		return foreign{refuse("health and metrics are at the address that --http gives",
			"the client speaks HTTP, not the PostgreSQL protocol"), httpAnswer}
	case head[0] == 0x16 && head[1] == 3:
		return foreign{refuse("sslnegotiation=postgres",
			"the client begins with a handshake of TLS before it asks for encryption"), tlsAnswer}
	case n > maxStartup && head[0] == 0:
		return refuse("", "a first message of %d bytes exceeds the limit of %d", n, maxStartup)
	}
	return refuse("", "the first bytes are %q: this is not the PostgreSQL protocol", head)
}
