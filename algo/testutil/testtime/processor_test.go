package testtime

import (
	"testing"
	"time"
)

func TestWatch(t *testing.T) {
	w := Start()
	time.Sleep(20 * time.Millisecond)
	if took := w.Took(); took >= 20*time.Millisecond {
		t.Errorf("waiting counts as %v", took)
	}
	before := Processor(t)
	for Processor(t)-before < 0.01 {
	}
	if took := w.Took(); took < 10*time.Millisecond {
		t.Errorf("10 ms of computing count as %v", took)
	}
}
