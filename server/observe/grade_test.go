package observe

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"parlance/db"
)

// TestGrades: how loud statements are, at the time from which they are slow, and errors by the class of their code.
func TestGrades(t *testing.T) {
	fails := func(code string) *db.Error { return &db.Error{Code: code} }
	for _, c := range []struct {
		slow, took time.Duration
		all        bool
		err        *db.Error
		level      slog.Level
		what       string
	}{
		{0, time.Hour, false, nil, slog.LevelDebug, "statement"}, {0, time.Hour, true, nil, slog.LevelInfo, "statement"},
		{time.Second, time.Second - 1, true, nil, slog.LevelInfo, "statement"},
		{time.Second, time.Second, true, nil, slog.LevelWarn, "slow statement"},
		{time.Second, time.Second + 1, false, nil, slog.LevelWarn, "slow statement"},
		{1, 1, false, nil, slog.LevelWarn, "slow statement"}, {1, 0, false, nil, slog.LevelDebug, "statement"},
		{0, 0, false, fails("XX000"), slog.LevelError, "statement failed"},
		{0, 0, false, fails("53200"), slog.LevelWarn, "statement failed"},
		{0, 0, false, fails("58030"), slog.LevelWarn, "statement failed"},
		{0, 0, false, fails("XX"), slog.LevelError, "statement failed"},
		{0, 0, false, fails("X"), slog.LevelWarn, "statement failed"},
	} {
		s := statements{o: LogOptions{Slow: c.slow, Statements: c.all}}
		level, what := s.grade(db.StatementInfo{Duration: c.took, Err: c.err})
		if level != c.level || what != c.what {
			t.Errorf("%+v: %v, %s", c, level, what)
		}
	}
}

// TestClips: a text is cut in front of the character that does not fit.
func TestClips(t *testing.T) {
	for in, want := range map[string]string{
		strings.Repeat("x", longest):           strings.Repeat("x", longest),
		strings.Repeat("x", longest+1):         strings.Repeat("x", longest) + "…",
		strings.Repeat("x", longest-1) + "é":   strings.Repeat("x", longest-1) + "…",
		strings.Repeat("x", longest-2) + "é":   strings.Repeat("x", longest-2) + "é",
		strings.Repeat("x", longest-2) + "éx":  strings.Repeat("x", longest-2) + "é…",
		strings.Repeat("x", longest-2) + "日本語": strings.Repeat("x", longest-2) + "…",
		"a\xff": "a�", "": "",
	} {
		if got := clip(in); got != want {
			t.Errorf("%d bytes become %d, not %d: …%s", len(in), len(got), len(want), got[max(0, len(got)-9):])
		}
	}
}
