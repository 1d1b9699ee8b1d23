package storage

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSettings(t *testing.T) {
	s := open(t)
	for _, v := range []string{"1", "2 GB", ""} {
		if err := s.SetSetting("cache_size", v); err != nil {
			t.Fatal(err)
		}
		if got, ok := s.Setting("cache_size"); got != v || !ok {
			t.Fatalf("the setting is %q", got)
		}
	}
	if err := s.SetSetting("default_model", "ner"); err != nil {
		t.Fatal(err)
	}
	s.Settings()["default_model"] = "changed"
	s = reopen(t, s)
	if d := cmp.Diff(map[string]string{"cache_size": "", "default_model": "ner"}, s.Settings()); d != "" {
		t.Fatal(d)
	}
	if _, ok := s.Setting("cache"); ok {
		t.Fatal("a setting that nobody set")
	}
}
