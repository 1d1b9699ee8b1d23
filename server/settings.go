package server

import (
	"maps"
	"slices"
	"strings"

	"parlance/db"

	"github.com/jackc/pgx/v5/pgproto3"
)

// fixed are the settings that clients are told once, for they never change.
var fixed = []string{"server_version", "server_encoding", "integer_datetimes", "is_superuser", "session_authorization",
	"in_hot_standby"}

// settle gives the session the settings that the client starts with, and tells the client those
// that it keeps track of, now and whenever they change.
func (c *conn) settle(m *pgproto3.StartupMessage) error {
	settings, err := startSettings(m.Parameters)
	if err != nil {
		return err
	}
	c.db.SetConnection(int64(c.id), address(c.w.net.LocalAddr()), m.Parameters["database"])
	c.db.Identify(c.user, address(c.w.net.RemoteAddr()), settings["application_name"])
	c.db.Register(c.terminate)
	return c.db.SetDefaults(settings)
}

// startSettings are the settings in the parameters of a startup message; those by name override those in options.
func startSettings(params map[string]string) (map[string]string, error) {
	settings := map[string]string{}
	err := commandLine(params["options"], settings)
	for _, name := range slices.Sorted(maps.Keys(params)) {
		switch {
		case name == "user", name == "database", name == "replication", name == "options", strings.HasPrefix(name, "_pq_."):
		default:
			settings[strings.ToLower(name)] = params[name]
		}
	}
	return settings, err
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
// backslash takes the next character as it is. Names may have hyphens for underscores.
func commandLine(text string, settings map[string]string) error {
	words := commandWords(text)
	for i := 0; i < len(words); i++ {
		word, ok := strings.CutPrefix(words[i], "--")
		if !ok {
			if word, ok = strings.CutPrefix(words[i], "-c"); !ok {
				return &db.Error{Code: "22023", Message: "the parameter options has " + words[i] + " in it",
					Hint: "options are -c name=value or --name=value"}
			}
			if word == "" && i+1 < len(words) {
				i++
				word = words[i]
			}
		}
		name, v, given := strings.Cut(word, "=")
		if !given || name == "" {
			return &db.Error{Code: "22023", Message: "the parameter options names a setting without a value: " + words[i],
				Hint: "options are -c name=value or --name=value"}
		}
		settings[strings.ToLower(strings.ReplaceAll(name, "-", "_"))] = v
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
