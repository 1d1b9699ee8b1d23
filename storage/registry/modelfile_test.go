package registry

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"parlance/storage/dbfile"

	"github.com/google/go-cmp/cmp"
)

// modelFile is a file of two versions, with sections of all sizes, the largest of n bytes.
func modelFile(t testing.TB, n int) ([]byte, []Version) {
	t.Helper()
	s := open(t)
	list := []Version{
		publish(t, s, "tagger", map[string][]byte{"": []byte("nameless"), "empty": {}}),
		publish(t, s, "ner", map[string][]byte{"w": noise(n), "a": []byte("b")}),
	}
	var out, again bytes.Buffer
	for _, b := range []*bytes.Buffer{&out, &again} {
		if err := s.WriteModels(background, b, list); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(out.Bytes(), again.Bytes()) {
		t.Fatal("two files of the same models differ")
	}
	return out.Bytes(), list
}

func readModels(p []byte) (*ModelFile, error) {
	return ReadModels(background, bytes.NewReader(p), int64(len(p)))
}

// TestModelFileRoundTrip publishes together what was written together.
func TestModelFileRoundTrip(t *testing.T) {
	raw, list := modelFile(t, weightsChunk+7)
	f, err := readModels(raw)
	if err != nil {
		t.Fatal(err)
	}
	s := open(t)
	var batch []NewVersion
	for i, v := range f.Versions {
		w, err := s.NewWeights(background)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.WriteWeights(i, w); err != nil {
			t.Fatal(err)
		}
		b := NewVersion{Weights: w, Version: v}
		if i == 1 {
			b.Within = map[int]int{0: 0}
		}
		batch = append(batch, b)
	}
	got, err := s.PublishModels(background, batch)
	if err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s)
	for i, v := range list {
		here, ok := s.ModelVersion(v.Name, 1)
		if !ok || here.WeightsHash != v.WeightsHash {
			t.Fatalf("version %+v of %+v", here, v)
		}
		if d := cmp.Diff(here, got[i]); d != "" {
			t.Error(d)
		}
	}
	if p := s.Model("ner").Versions[0].Upstream[0]; p.Version != 1 || p.Name != "tagger" {
		t.Errorf("upstream %+v", p)
	}
	if !bytes.Equal(section(t, s, got[1].WeightsID, "w"), noise(weightsChunk+7)) ||
		len(section(t, s, got[0].WeightsID, "empty")) != 0 {
		t.Error("weights differ")
	}
	checked(t, s)
}

// TestModelFileDamaged flips every byte of the head and many others, and cuts there.
func TestModelFileDamaged(t *testing.T) {
	raw, _ := modelFile(t, 10000)
	step := len(raw) / 50
	for i := 0; i < len(raw); i += 1 + step*min(i/2000, 1) {
		bad := bytes.Clone(raw)
		bad[i] ^= 0x40
		if _, err := readModels(bad); !errors.Is(err, dbfile.ErrCorrupt) && !errors.Is(err, dbfile.ErrNewer) &&
			!errors.Is(err, ErrNotModelFile) {
			t.Fatalf("byte %d: %v", i, err)
		}
		if _, err := readModels(raw[:i]); !errors.Is(err, dbfile.ErrCorrupt) && !errors.Is(err, ErrNotModelFile) {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
	if _, err := readModels(append(bytes.Clone(raw), 0)); !errors.Is(err, dbfile.ErrCorrupt) {
		t.Errorf("a byte too many: %v", err)
	}
}

// signed is a file with a manifest and a right checksum.
func signed(manifest string, sections ...byte) []byte {
	p := binary.LittleEndian.AppendUint32([]byte(modelMagic), modelFileFormat)
	p = binary.LittleEndian.AppendUint64(p, uint64(len(manifest)))
	p = append(append(p, manifest...), sections...)
	sum := sha256.Sum256(p)
	return append(p, sum[:]...)
}

// TestModelFileManifests have right checksums and say what cannot be.
func TestModelFileManifests(t *testing.T) {
	entry := func(sections string) string {
		return `{"models":[{"version":{"name":"a","version":1},"sections":[` + sections + `]}]}`
	}
	if _, err := readModels(signed(entry(`{"name":"s","size":2}`), 1, 2)); err != nil {
		t.Errorf("a right one: %v", err)
	}
	for _, bad := range [][]byte{
		signed(``), signed(`{}`), signed(`{"models":[]}`), signed(`{"models":[{}]}`),
		signed(entry(`{"name":"s","size":3}`), 1, 2),
		signed(entry(`{"name":"s","size":1}`), 1, 2), signed(entry(`{"name":"s","size":-1},{"name":"t","size":3}`), 1, 2),
		signed(entry(`{"name":"s","size":1},{"name":"s","size":1}`), 1, 2),
		signed(entry(`{"name":"s","size":9223372036854775807}`), 1),
		signed(entry(`{"name":"` + strings.Repeat("s", 2000) + `","size":0}`)),
		signed(`{"models":[{"version":{"name":"a","version":1}},{"version":{"name":"a","version":1}}]}`),
	} {
		if _, err := readModels(bad); !errors.Is(err, dbfile.ErrCorrupt) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestPublishModelsTogether publishes nothing when one of a batch fails.
func TestPublishModelsTogether(t *testing.T) {
	s := open(t)
	var batch []NewVersion
	for _, hash := range []string{"", "not this"} {
		w, err := s.NewWeights(background)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write("w", noise(10)); err != nil {
			t.Fatal(err)
		}
		batch = append(batch, NewVersion{Weights: w, Version: Version{Name: "m", WeightsHash: hash}})
	}
	if _, err := s.PublishModels(background, batch); !errors.Is(err, dbfile.ErrCorrupt) {
		t.Errorf("a wrong hash: %v", err)
	}
	if n := weightsKeys(t, s); n != 0 || len(s.Model("m").Versions) != 0 {
		t.Errorf("%d weights and %d versions stay", n, len(s.Model("m").Versions))
	}
	checked(t, s)
}

// FuzzReadModels never panics, and reads the sections of what it accepts.
func FuzzReadModels(f *testing.F) {
	raw, _ := modelFile(f, weightsChunk+7)
	f.Add(raw[:3000])
	f.Add([]byte(modelMagic))
	f.Add(signed(`{"models":[{"version":{"name":"a","version":1},"sections":[{"name":"s","size":2}]}]}`, 1, 2))
	f.Add(signed(`{"models":[{"version":{"name":"a","version":1,"upstream":[{"name":"b","version":9}]}}]}`))
	f.Add(signed(`{"models":[null]}`))
	f.Fuzz(func(t *testing.T, p []byte) {
		p = bytes.Clone(p)
		if len(p) > modelFileHead+32 { // damage behind the checksum is found by it: sign it anew
			sum := sha256.Sum256(p[:len(p)-32])
			copy(p[len(p)-32:], sum[:])
		}
		m, err := readModels(p)
		if err != nil {
			return
		}
		for i := range m.Versions {
			for name := range m.sections[i] {
				if _, err := m.Section(i, name); err != nil {
					t.Errorf("section %q: %v", name, err)
				}
			}
		}
	})
}
