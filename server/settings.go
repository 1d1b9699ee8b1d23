package server

import (
	"strings"

	"parlance/db"

	"github.com/jackc/pgx/v5/pgproto3"
)

// fixed are the settings that clients are told once, for they never change.
var fixed = []string{"server_version", "server_encoding", "integer_datetimes", "is_superuser", "session_authorization", "in_hot_standby"}

// settle gives the session the settings that the client starts with, and tells the client those
// that it keeps track of, now and whenever they change.
func (c *conn) settle(m *pgproto3.StartupMessage) error {
	settings := map[string]string{}
	for name, v := range m.Parameters {
		switch {
		case name == "user", name == "database", name == "replication", name == "options", strings.HasPrefix(name, "_pq_."):
		default:
			settings[name] = v
		}
	}
	if err := commandLine(m.Parameters["options"], settings); err != nil {
		return err
	}
	address := ""
	if a := c.w.net.LocalAddr(); a != nil {
		address = a.String()
	}
	c.db.Attach(int64(c.id), address, m.Parameters["database"])
	c.db.Identify(c.user, c.w.net.RemoteAddr().String(), settings["application_name"])
	return c.db.SetDefaults(settings)
}

// report tells the client its settings.
func (c *conn) report() {
	for _, name := range fixed {
		v, _ := c.db.Setting(name)
		c.send(&pgproto3.ParameterStatus{Name: name, Value: v})
	}
	c.db.OnSetting(func(name, value string) { c.send(&pgproto3.ParameterStatus{Name: name, Value: value}) })
}

// commandLine reads the parameter options: -c name=value and --name=value between spaces; a
// backslash takes the next character as it is.
func commandLine(text string, settings map[string]string) error {
	words := commandWords(text)
	for i := 0; i < len(words); i++ {
		word, ok := strings.CutPrefix(words[i], "--")
		switch {
		case ok:
			name, v, _ := strings.Cut(word, "=")
			settings[strings.ReplaceAll(name, "-", "_")] = v
			continue
		case words[i] == "-c" && i+1 < len(words):
			i++
			word = words[i]
		default:
			if word, ok = strings.CutPrefix(words[i], "-c"); !ok {
				return &db.Error{Code: "22023", Message: "the parameter options has " + words[i] + " in it", Hint: "options are -c name=value or --name=value"}
			}
		}
		name, v, given := strings.Cut(word, "=")
		if !given || name == "" {
			return &db.Error{Code: "22023", Message: "the parameter options names a setting without a value: " + word, Hint: "write -c name=value"}
		}
		settings[name] = v
	}
	return nil
}

func commandWords(text string) []string {
	var words []string
	var word strings.Builder
	within := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			word.WriteByte(text[i])
			within = true
		case c == ' ' || c == '\t' || c == '\n':
			if within {
				words = append(words, word.String())
				word.Reset()
			}
			within = false
		default:
			word.WriteByte(c)
			within = true
		}
	}
	if within {
		words = append(words, word.String())
	}
	return words
}
