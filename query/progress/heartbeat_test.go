package progress

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parlance/algo/kind"
)

// TestHeartbeat: it beats while nothing is told and not after it has stopped, each time with the last step.
func TestHeartbeat(t *testing.T) { synctest.Test(t, testHeartbeat) }

func testHeartbeat(t *testing.T) {
	var mu sync.Mutex
	var got []kind.Progress
	beats := make(chan struct{}, 100)
	h := &Heartbeat{Every: time.Millisecond, Began: time.Now(), Tell: func(p kind.Progress) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, p)
		beats <- struct{}{}
	}}
	stop := h.Start()
	<-beats
	h.Report(kind.Progress{Step: 7, Of: 9, Seconds: 1})
	for len(beats) > 0 {
		<-beats
	}
	<-beats
	<-beats
	stop()
	if first := got[0].String(); !strings.HasPrefix(first, "before the first step  0.0 s") {
		t.Errorf("before the kind tells something: %s", first)
	}
	n := len(got)
	time.Sleep(5 * time.Millisecond)
	if len(got) != n {
		t.Error("beats after the end")
	}
	if p := got[n-1]; p.Step != 7 || p.Of != 9 || !p.Aside || p.Note != "under way" {
		t.Errorf("the last beat is %+v", p)
	}
	h.Every = time.Hour
	if h.beat(); len(got) != n {
		t.Error("a beat right after progress")
	}
}
