package change

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"parlance/algo/foreign"
	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/guard"
	"parlance/storage/registry"
)

// foreignLoad loads a model file of another program.
type foreignLoad struct {
	r      *exec.Execution
	stmt   *ast.LoadModel
	path   string
	format *foreign.Format
	reader foreign.Reader
	start  time.Time
}

// loadForeign publishes a version of what another program has trained; all of it, or nothing.
func loadForeign(r *exec.Execution, ctx context.Context, s *ast.LoadModel, path string) (*operator.Result, error) {
	l := &foreignLoad{r: r, stmt: s, path: path, start: time.Now()}
	if err := l.prepare(); err != nil {
		return nil, err
	}
	var text string
	err := readModel(r, ctx, s, path, func(f io.ReaderAt, size int64) (err error) {
		text, err = wholeFile(ctx, f, size)
		return err
	})
	if err != nil {
		return nil, fault.File(placeOf(s.Path, s.Pos), err)
	}
	m, err := l.read(ctx, text)
	if err != nil {
		return nil, l.fault(err)
	}
	v, err := l.publish(ctx, m, text)
	if err != nil {
		return nil, err
	}
	for _, n := range m.Notices {
		r.Session.Notice(n)
	}
	r.NoticeServing(v.Name, v.Version)
	return operator.Tag(fmt.Sprintf("LOAD %s@%d", v.Name, v.Version)), nil
}

// FindForeign finds a format of model files.
func FindForeign(r *exec.Execution, pos ast.Pos, name string) (*foreign.Format, error) {
	var names []string
	for i := range r.Models.Foreign {
		f := &r.Models.Foreign[i]
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	hint := "formats of models: " + strings.Join(names, ", ") + "; without FORMAT, files of COPY MODEL"
	if meant := option.DidYouMean(name, names); meant != "" {
		hint = strings.TrimPrefix(meant, "; ") + "; " + hint
	}
	return nil, plan.Errorf(pos, plan.CodeUndefinedObject, hint, "there is no format %s of models", name)
}

// prepare finds the format, sets its options, and refuses a name that is taken.
func (l *foreignLoad) prepare() (err error) {
	s := l.stmt
	if l.format, err = FindForeign(l.r, s.At, s.Format); err != nil {
		return err
	}
	if l.format.New == nil {
		return plan.Errorf(s.At, plan.CodeWrongKind, "SHOW FORMATS", "models of the format %s are written, not read",
			s.Format)
	}
	if o, ok := l.r.Snapshot.Object(s.Name); ok && o.Kind != catalog.ModelObject {
		return plan.Errorf(s.Pos, "42710", "LOAD … INTO MODEL another name", "%s is a %s already", s.Name, o.Kind)
	}
	args, err := optarg.Args(s.With, l.r.Env)
	if err != nil {
		return err
	}
	l.reader = l.format.New()
	set := &option.Set{}
	l.reader.Options(set)
	if err := set.Apply(args); err != nil {
		return optarg.AtOption(err, s.With)
	}
	return nil
}

// ForeignOptions are the options of a reader of model files, nil where there is none of the name.
func ForeignOptions(r *exec.Execution, name string) *option.Set {
	f, err := FindForeign(r, ast.Pos{}, name)
	if err != nil || f.New == nil {
		return nil
	}
	set := &option.Set{}
	f.New().Options(set)
	return set
}

func (l *foreignLoad) read(ctx context.Context, text string) (m *foreign.Model, err error) {
	defer guard.Recover(&err, "reading a model of "+l.format.Name)
	return l.reader.Read(ctx, &foreign.File{Name: filepath.Base(l.path), Data: text})
}

// fault gives errors of the file their place.
func (l *foreignLoad) fault(err error) error {
	var f *foreign.Error
	if !errors.As(err, &f) {
		return err
	}
	at := filepath.ToSlash(l.path)
	switch {
	case f.Line > 0:
		at += fmt.Sprintf(":%d", f.Line)
	case f.Offset >= 0:
		at += fmt.Sprintf(", byte %d", f.Offset)
	}
	return &ast.Error{Pos: placeOf(l.stmt.Path, l.stmt.Pos), Code: "22P04", Msg: at + ": " + f.Msg, Hint: f.Hint}
}

// publish writes the weights, reads them back, and publishes the version.
func (l *foreignLoad) publish(ctx context.Context, m *foreign.Model, text string) (v registry.Version, err error) {
	if v, err = l.lineage(m, text); err != nil {
		return v, err
	}
	size := len(text)
	w, err := l.r.Store.NewWeights(ctx)
	if err != nil {
		return v, err
	}
	defer func() {
		if err != nil {
			w.Abort()
		}
	}()
	if size > largeFile { // what reading made, and the model does not hold
		debug.FreeOSMemory()
	}
	if err := m.Encode(kind.NewWriter(w.Write)); err != nil {
		return v, err
	}
	weights, err := w.Weights()
	if err != nil {
		return v, err
	}
	m.Encode, l.reader = nil, nil // the weights are read back in the place of what they were made of
	if size > largeFile {
		debug.FreeOSMemory()
	}
	schema, err := l.r.Models.Loads(weights, v)
	if err != nil {
		return v, l.fault(foreign.Faultf("", "the model cannot be served: %v", err))
	}
	if v.Schema, err = json.Marshal(schema); err != nil {
		return v, err
	}
	v.Seconds = time.Since(l.start).Seconds()
	return l.r.Store.PublishModel(ctx, w, v)
}

// lineage is the record of the version without its weights.
func (l *foreignLoad) lineage(m *foreign.Model, text string) (v registry.Version, err error) {
	k := l.r.Models.Kind(m.Kind)
	if k == nil {
		return v, fault.New(plan.CodeUndefinedObject, "this program has no kind %s", m.Kind)
	}
	set := &option.Set{}
	k.New().Options(set)
	if err := set.Apply(m.Options); err != nil {
		return v, optarg.AtOption(err, l.stmt.With)
	}
	hash := sha256.New()
	io.WriteString(hash, text)
	sum, now := hex.EncodeToString(hash.Sum(nil)), time.Now().UTC().Truncate(time.Microsecond)
	v = registry.Version{Name: l.stmt.Name, Kind: k.Name, Revision: k.Revision, Encoding: kind.Encoding,
		Statement: l.stmt.String(), Program: l.r.Program, Created: now, SourceHash: sum, Tokenizer: m.Tokenizer,
		Origin: &registry.Origin{Path: filepath.ToSlash(l.path), File: sum, Loaded: now, Trainer: m.Program}}
	for _, a := range m.Options {
		v.Options = append(v.Options, [2]string{a.Name, set.Lookup(a.Name).Value()})
	}
	return v, nil
}

// copyForeign writes a version as another program would have it.
func copyForeign(r *exec.Execution, ctx context.Context, s *ast.CopyModel, v registry.Version) (*operator.Result,
	error) {
	f, err := FindForeign(r, s.At, s.Format)
	if err != nil {
		return nil, err
	}
	if f.Write == nil {
		return nil, plan.Errorf(s.At, plan.CodeWrongKind, "SHOW FORMATS", "models of the format %s are read, not written",
			s.Format)
	}
	l, err := r.Fetch(v.Name, v.Version)
	if err != nil {
		return nil, err
	}
	err = writeModel(r, s, func(w io.Writer) (err error) {
		defer guard.Recover(&err, "writing a model of "+f.Name)
		return f.Write(ctx, w, l.Model)
	})
	var refused *foreign.Refusal
	if errors.As(err, &refused) {
		return nil, plan.Errorf(s.Model.Pos, plan.CodeWrongKind, refused.Hint, "%s@%d cannot be written as %s: %s", v.Name,
			v.Version, f.Name, refused.Msg)
	}
	if err != nil {
		return nil, fault.File(placeOf(s.Path, s.Pos), err)
	}
	return operator.Tag(fmt.Sprintf("COPY %s@%d", v.Name, v.Version)), nil
}

// largeFile is from how many bytes on a file's memory is given back at once.
const largeFile = 4 << 20

// fileChunk is how much of a file is read between looks at the context.
const fileChunk = 8 << 20

// wholeFile reads a file of a size into memory.
func wholeFile(ctx context.Context, f io.ReaderAt, size int64) (string, error) {
	var b strings.Builder
	b.Grow(int(size))
	for at := int64(0); at < size; at += fileChunk {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		part := io.NewSectionReader(f, at, min(fileChunk, size-at))
		if n, err := io.Copy(&b, part); err != nil || n < part.Size() {
			return "", errors.Join(err, fmt.Errorf("the file became shorter while it was read"))
		}
	}
	return b.String(), nil
}
