package setting

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"parlance/algo/option"
	"parlance/query/fn/timefn"
	"parlance/storage/value"
)

// ClientSettings are the settings that clients of PostgreSQL set and read. If this program has only one behaviour, the
// setting accepts only the value of that behaviour.
type ClientSettings struct {
	Application      string
	Encoding         string
	DateStyle        string
	Interval         string
	TimeZone         string
	Location         *time.Location // of TimeZone
	Digits           int
	Conforming       string
	SearchPath       []string
	MinMessages      string
	Bytea            string
	Isolation        string
	DefaultIsolation string // default_transaction_isolation
	ReadOnly         string // of the block
	DefaultReadOnly  string // by default
	Deferrable       string
	DeferAll         string
	Role             string
	RowSecurity      string
	Commit           string
	JIT              string
	LockTimeout      int
	IdleTimeout      int
	IdleSession      int
}

// declareClient declares the settings of clients.
func (s *Settings) declareClient() {
	c, set := &s.ClientSettings, &s.Set
	on, off, both := []string{"on"}, []string{"off"}, []string{"on", "off"}
	set.Text(&c.Application, "application_name", "",
		"name that the program of the client gives itself, shown in system.activity")
	set.Text(&c.Encoding, "client_encoding", "UTF8",
		"character encoding of the client: UTF8, or SQL_ASCII, bytes as they are, which are UTF-8 too")
	set.Text(&c.DateStyle, "DateStyle", "ISO, MDY", "how dates are written: ISO, MDY")
	set.Choice(&c.Interval, "IntervalStyle", "postgres",
		[]string{"postgres", "postgres_verbose", "sql_standard", "iso_8601"},
		"how values of type interval are written, which there are none of: intervals are texts such as 1 day 02:00:00")
	set.Text(&c.TimeZone, "TimeZone", "UTC", "zone in which clients of a server are shown timestamps, by its name, such "+
		"as Europe/Oslo, or hours east of UTC, such as -5 (a text '+05:00' counts to the west, as in POSIX); functions and "+
		"texts without a zone mean UTC")
	set.Int(&c.Digits, "extra_float_digits", 1, 1, 3,
		"from 1 on, floats are written with the fewest digits that read back equal")
	set.Choice(&c.Conforming, "standard_conforming_strings", "on", on, "whether '…' takes backslashes as they are")
	set.List(&c.SearchPath, "search_path", []string{"public"},
		`schemas, names of corpora and models among them, in which tables are looked up that stand without one; objects of public and tables of pg_catalog are always found; "$user" is the user's name`)
	set.Choice(&c.MinMessages, "client_min_messages", "notice",
		[]string{"debug5", "debug4", "debug3", "debug2", "debug1", "log", "notice", "warning", "error"},
		"lowest level of messages that the client gets; notices are notice")
	set.Choice(&c.Bytea, "bytea_output", "hex", []string{"hex"}, "how bytes are written to clients of a server")
	levels := []string{"read committed", "read uncommitted", RepeatableRead, Serializable}
	set.Choice(&c.Isolation, "transaction_isolation", levels[0], levels, "isolation of the transaction block: each "+
		"statement sees the state at its own start, or from repeatable read on that at the start of the first one; "+
		"serializable blocks have the effects of blocks one after the other")
	set.Choice(&c.DefaultIsolation, "default_transaction_isolation", levels[0], levels,
		"isolation of transaction blocks, as transaction_isolation")
	set.Choice(&c.ReadOnly, "transaction_read_only", "off", both,
		"whether statements that write are refused, until the end of the transaction block")
	set.Choice(&c.DefaultReadOnly, "default_transaction_read_only", "off", both,
		"whether statements that write are refused")
	set.Choice(&c.Deferrable, "transaction_deferrable", "off", both,
		"whether a serializable block that reads waits for a state that cannot fail: all are")
	set.Choice(&c.DeferAll, "default_transaction_deferrable", "off", both, "as transaction_deferrable, of blocks to come")
	set.Choice(&c.Role, "role", "none", []string{"none"},
		"role that a session takes on: users have one, which ALTER USER changes")
	set.Choice(&c.RowSecurity, "row_security", "on", both, "whether policies of rows apply; there are none")
	set.Choice(&c.Commit, "synchronous_commit", "on", on,
		"whether a statement that writes ends when its changes are on the disk")
	set.Choice(&c.JIT, "jit", "off", off, "whether queries are compiled")
	set.Int(&c.LockTimeout, "lock_timeout", 0, 0, math.MaxInt32,
		"how long a statement waits for others that write the same object, 0 for no limit").Per("ms")
	set.Int(&c.IdleTimeout, "idle_in_transaction_session_timeout", 600_000, 0, math.MaxInt32,
		"how long a client of a server may leave a transaction block alone before its connection is closed, 0 "+
			"for no limit").Per("ms")
	set.Int(&c.IdleSession, "idle_session_timeout", 0, 0, 0, "0: a session may stay idle").Per("ms")
	c.checkClient(set)
}

// checkClient declares the checks of settings of clients, and brings their values to the one form that is accepted.
func (c *ClientSettings) checkClient(set *option.Set) {
	set.Check("client_encoding", func() error {
		switch strings.ToUpper(strings.Map(lettersAndDigits, c.Encoding)) {
		case "UTF8", "UNICODE":
			c.Encoding = "UTF8"
			return nil
		case "SQLASCII":
			c.Encoding = "SQL_ASCII"
			return nil
		}
		return fmt.Errorf("client_encoding is UTF8, not %s", c.Encoding)
	})
	set.Check("DateStyle", func() error {
		switch strings.ToUpper(strings.ReplaceAll(c.DateStyle, " ", "")) {
		case "ISO", "ISO,MDY", "MDY,ISO", "MDY":
			c.DateStyle = "ISO, MDY"
			return nil
		}
		return fmt.Errorf("DateStyle is ISO, MDY, not %s", c.DateStyle)
	})
	set.Check("TimeZone", c.locate)
}

// lettersAndDigits drops all other characters from names of encodings: some clients send quotes.
func lettersAndDigits(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return r
	}
	return -1
}

// locate finds the time zone.
func (c *ClientSettings) locate() error {
	name := c.TimeZone
	switch strings.ToUpper(name) {
	case "UTC", "ETC/UTC", "GMT", "Z", "ZULU", "0", "+00", "+00:00":
		c.Location = time.UTC
		if strings.ToUpper(name) != "GMT" && strings.ToUpper(name) != "ETC/UTC" {
			c.TimeZone = "UTC"
		}
		return nil
	}
	l, err := time.LoadLocation(name)
	if err != nil || name == "" || strings.EqualFold(name, "local") {
		if name, l = timefn.FixedZone(name); l == nil {
			return fmt.Errorf("there is no zone %s: write its name, such as Europe/Oslo, UTC, or hours east of it, such as -5",
				c.TimeZone)
		}
	}
	c.TimeZone, c.Location = name, l
	return nil
}

func OnOff(b bool) string {
	if b {
		return "on"
	}
	return "off"
}

// Canonical is the declared name of a setting, which is written in any case.
func (s *Settings) Canonical(name string) string {
	for _, d := range s.Set.Decls() {
		if strings.EqualFold(d.Name, name) {
			return d.Name
		}
	}
	return name
}

// Canonicalise gives the value of SET the form that its setting takes: booleans become on and off, and a list becomes
// one text if the setting takes a text.
func Canonicalise(d *option.Decl, a option.Arg) option.Arg {
	switch {
	case d.Type == "text" && a.List != nil:
		parts := make([]string, len(a.List))
		for i, e := range a.List {
			parts[i] = e.Text()
		}
		a.Value, a.List = value.Str(strings.Join(parts, ", ")), nil
	case strings.HasPrefix(d.Range, "on") || d.Range == "off":
		if on, err := option.Truth(a); err == nil {
			a.Value, a.Ref = value.Str(OnOff(on)), nil
		}
	}
	return a
}

// reported are the settings whose changes the server reports to its clients, as ParameterStatus.
var reported = []string{"application_name", "client_encoding", "DateStyle", "IntervalStyle", "TimeZone",
	"standard_conforming_strings", "default_transaction_read_only", "search_path"}

// report calls Report for reported settings that have changed since its last call.
func (s *Settings) report() {
	if s.Report == nil {
		return
	}
	for i, name := range reported {
		if v := s.Set.Lookup(name).Value(); s.lastReported[i] != v {
			s.lastReported[i] = v
			s.Report(name, v)
		}
	}
}

// OnChange calls f for each reported setting now, and again when its value changes.
func (s *Settings) OnChange(f func(name, value string)) {
	s.lastReported = make([]string, len(reported))
	for i := range s.lastReported {
		s.lastReported[i] = "\x00"
	}
	s.Report = f
	s.report()
}

// BlockSettings are the settings to restore at the end of a transaction block.
type BlockSettings struct {
	before []option.Arg            // all settings at its start, restored by ROLLBACK
	local  map[string][]option.Arg // values that SET LOCAL replaced, restored by COMMIT too
}

// OpenBlock saves the settings at the start of a transaction block.
func (s *Settings) OpenBlock() {
	s.block = &BlockSettings{before: slices.Clone(s.args), local: map[string][]option.Arg{}}
}

// SaveForLocal saves a setting that SET LOCAL is about to replace. It returns false outside a block.
func (s *Settings) SaveForLocal(name string) bool {
	if s.block == nil {
		return false
	}
	if _, ok := s.block.local[name]; !ok {
		s.block.local[name] = s.ArgsOf(name)
	}
	return true
}

// ArgsOf are the arguments that SET gave for one setting.
func (s *Settings) ArgsOf(name string) []option.Arg {
	var out []option.Arg
	for _, a := range s.args {
		if a.Name == name {
			out = append(out, a)
		}
	}
	return out
}

// BlockModes are the transaction modes that BEGIN and SET TRANSACTION set.
func (s *Settings) BlockModes() []option.Arg {
	return slices.Concat(s.ArgsOf("transaction_isolation"), s.ArgsOf("transaction_read_only"),
		s.ArgsOf("transaction_deferrable"))
}

// Save returns the settings of the block, for a savepoint.
func (s *Settings) Save() BlockSettings {
	return BlockSettings{slices.Clone(s.args), maps.Clone(s.block.local)}
}

// RestoreSaved restores the settings of a savepoint.
func (s *Settings) RestoreSaved(to BlockSettings) error {
	s.block.local = maps.Clone(to.local)
	return s.Apply(slices.Clone(to.before))
}

// CloseBlock ends a block: ROLLBACK restores all settings, COMMIT those that were set by SET LOCAL.
func (s *Settings) CloseBlock(commit bool) error {
	b := s.block
	s.block = nil
	switch {
	case b == nil:
		return nil
	case !commit:
		return s.Apply(b.before)
	}
	var err error
	for name, before := range b.local {
		err = errors.Join(err, s.Apply(append(s.ArgsExcept(name), before...)))
	}
	return err
}
