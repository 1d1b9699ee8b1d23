package registry

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"parlance/storage/dbfile"
)

// A model file holds versions of models with lineage and weights, upstream ones first:
//
//	magic, 16 bytes
//	format, uint32 little endian
//	length of the manifest, uint64 little endian
//	manifest, JSON
//	the sections of the weights, in the order of the manifest
//	sha256 of all of that, 32 bytes
const (
	modelMagic      = "parlance-model\r\n"
	modelFileFormat = 1
	modelFileHead   = len(modelMagic) + 4 + 8
)

// ErrNotModelFile is the error of a file that is no model file.
var ErrNotModelFile = errors.New("not a model file")

type modelManifest struct {
	Models []modelEntry `json:"models"`
}

type modelEntry struct {
	Version  Version        `json:"version"`
	Sections []modelSection `json:"sections"` // by name
}

type modelSection struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
}

// WriteModels writes versions as a model file. The same versions give the same bytes.
func (r *Registry) WriteModels(ctx context.Context, w io.Writer, versions []Version) error {
	var m modelManifest
	weights := make([]*Weights, len(versions))
	for i, v := range versions {
		var err error
		if weights[i], err = r.Weights(v.WeightsID); err != nil {
			return err
		}
		v.ObjectID, v.WeightsID = 0, 0
		e := modelEntry{Version: v, Sections: []modelSection{}}
		for _, name := range weights[i].Names() {
			e.Sections = append(e.Sections, modelSection{name, weights[i].sizes[name]})
		}
		m.Models = append(m.Models, e)
	}
	manifest, err := json.Marshal(m)
	if err != nil {
		return err
	}
	h := sha256.New()
	out := io.MultiWriter(w, h)
	head := binary.LittleEndian.AppendUint32([]byte(modelMagic), modelFileFormat)
	head = binary.LittleEndian.AppendUint64(head, uint64(len(manifest)))
	if _, err := out.Write(append(head, manifest...)); err != nil {
		return err
	}
	for i, e := range m.Models {
		for _, sec := range e.Sections {
			if err := ctx.Err(); err != nil {
				return err
			}
			p, err := weights[i].Section(sec.Name)
			if err != nil {
				return err
			}
			if _, err := out.Write(p); err != nil {
				return err
			}
		}
	}
	_, err = w.Write(h.Sum(nil))
	return err
}

// ModelFile is an open model file whose checksum is right. Versions have their numbers of the database that it was
// written from. The last one is the model; the others are upstream of it.
type ModelFile struct {
	Versions []Version
	Sum      string // checksum of the file
	sections []map[string]span
	r        io.ReaderAt
}

type span struct{ from, size int64 }

// ReadModels checks a model file of that size and reads its manifest. It returns ErrNotModelFile, dbfile.ErrNewer for a
// newer format, or dbfile.ErrCorrupt for a damaged file.
func ReadModels(ctx context.Context, r io.ReaderAt, size int64) (*ModelFile, error) {
	head := make([]byte, modelFileHead)
	if size < int64(modelFileHead+sha256.Size) {
		head = head[:min(size, int64(len(modelMagic)))]
	}
	if _, err := r.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case !bytes.HasPrefix([]byte(modelMagic), head[:min(len(head), len(modelMagic))]) || len(head) < len(modelMagic):
		return nil, ErrNotModelFile
	case len(head) < modelFileHead:
		return nil, fmt.Errorf("%w: the file ends early", dbfile.ErrCorrupt)
	}
	if format := binary.LittleEndian.Uint32(head[len(modelMagic):]); format != modelFileFormat {
		return nil, fmt.Errorf("%w: its format is %d, this program reads %d", dbfile.ErrNewer, format, modelFileFormat)
	}
	f := &ModelFile{r: r}
	if err := f.verify(ctx, size); err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint64(head[len(modelMagic)+4:])
	end := size - sha256.Size
	if length > uint64(end-int64(modelFileHead)) {
		return nil, fmt.Errorf("%w: length of the manifest", dbfile.ErrCorrupt)
	}
	raw := make([]byte, length)
	if _, err := r.ReadAt(raw, int64(modelFileHead)); err != nil {
		return nil, err
	}
	return f, f.manifest(raw, int64(modelFileHead)+int64(length), end)
}

// verify compares the checksum at the end with the rest.
func (f *ModelFile) verify(ctx context.Context, size int64) error {
	h := sha256.New()
	in := bufio.NewReaderSize(io.NewSectionReader(f.r, 0, size-sha256.Size), 1<<20)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := io.CopyN(h, in, 16<<20); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
	}
	want := make([]byte, sha256.Size)
	if _, err := f.r.ReadAt(want, size-sha256.Size); err != nil && err != io.EOF {
		return err
	}
	if !bytes.Equal(h.Sum(nil), want) {
		return fmt.Errorf("%w: the checksum is wrong", dbfile.ErrCorrupt)
	}
	f.Sum = hex.EncodeToString(want)
	return nil
}

// manifest reads the manifest; the sections fill the file from at to end.
func (f *ModelFile) manifest(raw []byte, at, end int64) error {
	var m modelManifest
	if err := json.Unmarshal(raw, &m); err != nil || len(m.Models) == 0 {
		return fmt.Errorf("%w: manifest", dbfile.ErrCorrupt)
	}
	for i, e := range m.Models {
		v := e.Version
		if v.Name == "" || v.Version < 1 ||
			slices.ContainsFunc(m.Models[:i], func(o modelEntry) bool {
				return o.Version.Name == v.Name && o.Version.Version == v.Version
			}) {
			return fmt.Errorf("%w: version %d of the manifest", dbfile.ErrCorrupt, i+1)
		}
		sections := map[string]span{}
		for _, s := range e.Sections {
			if _, twice := sections[s.Name]; twice || len(s.Name) > maxSectionName || s.Size < 0 || s.Size > end-at {
				return fmt.Errorf("%w: sections of %s@%d", dbfile.ErrCorrupt, v.Name, v.Version)
			}
			sections[s.Name] = span{at, s.Size}
			at += s.Size
		}
		f.Versions = append(f.Versions, v)
		f.sections = append(f.sections, sections)
	}
	if at != end {
		return fmt.Errorf("%w: %d bytes that no section has", dbfile.ErrCorrupt, end-at)
	}
	return nil
}

// maxSectionName is the longest name of a section, which is part of keys.
const maxSectionName = 1024

// Section reads a section of the weights of a version by its position; dbfile.ErrNotFound if there
// is none.
func (f *ModelFile) Section(version int, name string) ([]byte, error) {
	s, ok := f.sections[version][name]
	if !ok {
		return nil, fmt.Errorf("weights section %s: %w", name, dbfile.ErrNotFound)
	}
	out := make([]byte, s.size)
	if _, err := f.r.ReadAt(out, s.from); err != nil && (err != io.EOF || s.size > 0) {
		return nil, err
	}
	return out, nil
}

// WriteWeights copies the weights of a version to w.
func (f *ModelFile) WriteWeights(version int, w *WeightsWriter) error {
	buf := make([]byte, weightsChunk)
	for _, name := range slices.Sorted(maps.Keys(f.sections[version])) {
		s := f.sections[version][name]
		if err := w.Write(name, nil); err != nil {
			return err
		}
		for from, left := s.from, s.size; left > 0; {
			n := min(left, int64(len(buf)))
			if _, err := f.r.ReadAt(buf[:n], from); err != nil && err != io.EOF {
				return err
			}
			if err := w.Write(name, buf[:n]); err != nil {
				return err
			}
			from, left = from+n, left-n
		}
	}
	return nil
}
