package meter

import (
	"maps"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestStatementsFallIntoBuckets(t *testing.T) {
	s := &Statements{}
	for _, d := range []time.Duration{-1, 0, 10 * time.Microsecond, 10*time.Microsecond + 1, time.Millisecond, time.Hour} {
		s.Start()
		s.End("SELECT", "", 1, d)
	}
	for _, m := range s.Metrics() {
		if m.Family != StatementSeconds {
			continue
		}
		got := map[float64]uint64{}
		for _, b := range m.Buckets {
			got[b.Bound] = b.Count
		}
		want := map[float64]uint64{1e-5: 3, 3e-5: 4, 1e-4: 4, 3e-4: 4, 1e-3: 5, 3e-3: 5, 1e-2: 5, 3e-2: 5, .1: 5, .3: 5, 1: 5,
			3: 5, 10: 5, 30: 5, 100: 5, 1000: 5}
		if !maps.Equal(got, want) || m.Count != 6 || m.Sum < 3600 || m.Sum > 3601 {
			t.Errorf("%v, %d observations add up to %v", got, m.Count, m.Sum)
		}
	}
}

func TestNetwork(t *testing.T) {
	var n Network
	n.Opened()
	n.Opened()
	n.Closed()
	n.Idle(true)
	n.Refused("53300")
	n.Refused("53300")
	n.LoginFailed()
	n.CancelRequested()
	n.Received(3)
	n.Sent(4)
	want := map[string]float64{"parlance_connections_open": 1, "parlance_connections_idle": 1,
		"parlance_connections_total": 2, "parlance_logins_failed_total": 1,
		"parlance_cancel_requests_total": 1, "parlance_received_bytes_total": 3, "parlance_sent_bytes_total": 4,
		"parlance_connections_refused_total53300": 2}
	got := map[string]float64{}
	for _, m := range n.Metrics() {
		got[m.Name+strings.Join(m.Values, "")] = m.Value
	}
	if !maps.Equal(got, want) || n.Open() != 1 {
		t.Errorf("%v, want %v", got, want)
	}
	if n.Idle(false); n.idle.Load() != 0 {
		t.Error("it is idle still")
	}
}

func TestNilCountsNothing(t *testing.T) {
	var s *Statements
	if s.End("SELECT", "", 1, 1); s.Start() != 0 || s.Metrics() != nil {
		t.Error("it counts")
	}
}

func TestCountingAllocatesNothing(t *testing.T) {
	s := &Statements{}
	s.End("SELECT", "42601", 0, 0)
	if n := testing.AllocsPerRun(100, func() {
		s.Start()
		s.End("SELECT", "", 1, 5)
		s.End("SELECT", "42601", 0, 5)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestFamilies checks names as Prometheus wants them.
func TestFamilies(t *testing.T) {
	name, seen := regexp.MustCompile(`^parlance(_[a-z]+)+$`), map[string]bool{}
	for _, f := range Families() {
		if !name.MatchString(f.Name) || seen[f.Name] || f.Help == "" ||
			(f.Type == Counter) != strings.HasSuffix(f.Name, "_total") {
			t.Errorf("%+v", *f)
		}
		seen[f.Name] = true
	}
}
