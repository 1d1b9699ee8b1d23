package storage

import "testing"

func TestFigures(t *testing.T) {
	s := filled(t)
	sn := s.Snapshot()
	f := s.Statistics()
	if f.Snapshots != 1 || f.Writes == 0 || f.FileBytes == 0 || f.PendingBytes > f.FreeBytes {
		t.Errorf("%+v", f)
	}
	st, err := s.FileStats()
	if err != nil || st.Bytes != f.FileBytes || st.Free != f.FreeBytes {
		t.Errorf("%+v beside %+v, %v", f, st, err)
	}
	objects := 0
	for _, n := range f.Objects {
		objects += n
	}
	if objects != len(s.Objects("")) {
		t.Errorf("%d objects, want %d", objects, len(s.Objects("")))
	}
	sn.Close()
	if f := s.Statistics(); f.Snapshots != 0 {
		t.Errorf("%d snapshots are open", f.Snapshots)
	}
}
