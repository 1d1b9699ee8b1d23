// Package verifier holds what proves a password without being it: SCRAM-SHA-256 verifiers of
// RFC 5802 and RFC 7677, in the text form of PostgreSQL.
package verifier

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/xdg-go/stringprep"
)

const (
	// Iterations is the work of one guess at a password, for new verifiers.
	Iterations = 4096
	// SaltLength is the length of new salts, in bytes.
	SaltLength = 16
	// maxIterations bounds what a verifier from outside may ask of a client.
	maxIterations = 10_000_000

	mechanism = "SCRAM-SHA-256"
)

// ErrEmpty is returned for a password without characters.
var ErrEmpty = errors.New("the password is empty")

// ErrMalformed is returned for a text that is no verifier.
var ErrMalformed = errors.New("not a SCRAM-SHA-256 verifier")

// Verifier is what a server knows of a password. Both keys have 32 bytes.
type Verifier struct {
	Salt       []byte
	Iterations int // 1 or more
	StoredKey  []byte
	ServerKey  []byte
}

// New makes a verifier of a password with a random salt.
func New(password string) (Verifier, error) {
	salt := make([]byte, SaltLength)
	rand.Read(salt) // never fails
	return Derive(password, salt, Iterations)
}

// Derive makes a verifier of a password with a given salt.
func Derive(password string, salt []byte, iterations int) (Verifier, error) {
	password = Prepare(password)
	if password == "" {
		return Verifier{}, ErrEmpty
	}
	salted, err := pbkdf2.Key(sha256.New, password, salt, iterations, sha256.Size)
	if err != nil {
		return Verifier{}, err
	}
	client := sha256.Sum256(mac(salted, "Client Key"))
	return Verifier{Salt: salt, Iterations: iterations, StoredKey: client[:], ServerKey: mac(salted, "Server Key")}, nil
}

// Prepare returns the form of a password that is compared: SASLprep, or the password as it is
// where SASLprep does not allow it, as PostgreSQL and its clients do.
func Prepare(password string) string {
	if p, err := stringprep.SASLprep.Prepare(password); err == nil {
		return p
	}
	return password
}

// Mock returns a verifier that no password fits. It is always the same for a secret and a name,
// and its salt looks like any other.
func Mock(secret []byte, name string) Verifier {
	return Verifier{Salt: mac(secret, "salt "+name)[:SaltLength], Iterations: Iterations,
		StoredKey: mac(secret, "stored "+name), ServerKey: mac(secret, "server "+name)}
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// String returns SCRAM-SHA-256$iterations:salt$StoredKey:ServerKey, the bytes in base64.
func (v Verifier) String() string {
	b := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("%s$%d:%s$%s:%s", mechanism, v.Iterations, b(v.Salt), b(v.StoredKey), b(v.ServerKey))
}

// Parse reads what String writes.
func Parse(text string) (Verifier, error) {
	parts := strings.Split(text, "$")
	if len(parts) != 3 || parts[0] != mechanism {
		return Verifier{}, ErrMalformed
	}
	count, salt, found := strings.Cut(parts[1], ":")
	stored, server, also := strings.Cut(parts[2], ":")
	v := Verifier{}
	var errs [4]error
	v.Iterations, errs[0] = strconv.Atoi(count)
	v.Salt, errs[1] = base64.StdEncoding.DecodeString(salt)
	v.StoredKey, errs[2] = base64.StdEncoding.DecodeString(stored)
	v.ServerKey, errs[3] = base64.StdEncoding.DecodeString(server)
	if !found || !also || errors.Join(errs[:]...) != nil || !v.sound() {
		return Verifier{}, ErrMalformed
	}
	return v, nil
}

func (v Verifier) sound() bool {
	return v.Iterations >= 1 && v.Iterations <= maxIterations && len(v.Salt) > 0 && len(v.StoredKey) == sha256.Size &&
		len(v.ServerKey) == sha256.Size
}
