package change

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/catalog"
	"parlance/storage/dbfile"
	"parlance/storage/files"
	"parlance/storage/guard"
	"parlance/storage/registry"
)

// CopyModel writes a version of a model, and the versions it depends on, to a model file or to standard output.
func CopyModel(r *exec.Execution, ctx context.Context, s *ast.CopyModel) (*operator.Result, error) {
	v, err := r.Resolve(s.Model)
	if err != nil {
		return nil, err
	}
	if s.Format != "" {
		return copyForeign(r, ctx, s, v)
	}
	var versions []registry.Version
	if err := withUpstream(r, v, &versions); err != nil {
		return nil, fault.At(s.Model.Pos, err)
	}
	err = writeModel(r, s, func(w io.Writer) error { return r.Store.WriteModels(ctx, w, versions) })
	if errors.Is(err, storage.ErrCorrupt) {
		return nil, err
	}
	if err != nil {
		return nil, fault.File(placeOf(s.Path, s.Pos), err)
	}
	for _, v := range versions {
		for _, res := range v.Resources {
			r.Session.Notice(fmt.Sprintf("%s@%d reads %s %s, which the file does not hold", v.Name, v.Version,
				res.Role, res.Name))
		}
	}
	return operator.Tag(fmt.Sprintf("COPY %s@%d", v.Name, v.Version)), nil
}

// placeOf is the position of a path, or other without one.
func placeOf(path ast.Expr, other ast.Pos) ast.Pos {
	if path == nil {
		return other
	}
	return path.Position()
}

// writeModel calls write with the file that a statement names, or with standard output. A file appears whole or not at
// all.
func writeModel(r *exec.Execution, s *ast.CopyModel, write func(io.Writer) error) error {
	if s.Path != nil {
		path, err := r.TextOf(s.Path)
		if err != nil {
			return err
		}
		return files.Replace(r.Files(), path, write)
	}
	w := r.Session.Stdout
	if w == nil {
		return plan.Errorf(s.Pos, plan.CodeState, "COPY MODEL … TO 'path'", "there is no standard output here")
	}
	if shaped, ok := w.(Shaped); ok {
		shaped.Shape(0, true)
	}
	b := bufio.NewWriterSize(w, 1<<16)
	return errors.Join(write(b), b.Flush())
}

// readModel calls use with the file that a statement names, or with what standard input holds. name is what errors and
// the origin of the model call it.
func readModel(r *exec.Execution, ctx context.Context, s *ast.LoadModel, name string,
	use func(f io.ReaderAt, size int64) error) error {
	if s.Path != nil {
		return readFile(r, name, use)
	}
	in := r.Session.Stdin
	if in == nil {
		return plan.Errorf(s.Pos, plan.CodeState, "LOAD 'path' INTO MODEL …", "there is no standard input here")
	}
	if shaped, ok := in.(Shaped); ok {
		shaped.Shape(0, true)
	}
	f, err := files.NewUnnamed()
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := io.Copy(f, contextReader{ctx, in})
	if err != nil {
		return err
	}
	return use(f, size)
}

// contextReader fails once its context is cancelled.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// modelSource is the path of a statement, or standard input.
func modelSource(r *exec.Execution, s *ast.LoadModel) (string, error) {
	if s.Path == nil {
		return "standard input", nil
	}
	return r.TextOf(s.Path)
}

// withUpstream appends a version after all versions that it was trained with.
func withUpstream(r *exec.Execution, v registry.Version, list *[]registry.Version) error {
	for _, have := range *list {
		if have.WeightsID == v.WeightsID {
			return nil
		}
	}
	for _, p := range v.Upstream {
		up, ok := r.Store.ModelVersion(p.Name, p.Version)
		if !ok {
			return fault.New(plan.CodeUndefinedObject, "%s@%d was trained with %s@%d, which is gone", v.Name, v.Version,
				p.Name, p.Version)
		}
		if err := withUpstream(r, up, list); err != nil {
			return err
		}
	}
	*list = append(*list, v)
	return nil
}

// LoadModel publishes the version in a model file, or in standard input, and the versions it depends on that the
// database lacks.
func LoadModel(r *exec.Execution, ctx context.Context, s *ast.LoadModel) (*operator.Result, error) {
	path, err := modelSource(r, s)
	if err != nil {
		return nil, err
	}
	if r.Store.ReadOnly() {
		return nil, storage.ErrReadOnly
	}
	if exec.Reserved(s.Name) {
		return nil, plan.Errorf(s.Pos, "42939", "LOAD … INTO MODEL another name", "%s is a reserved name", s.Name)
	}
	if s.Format != "" {
		return loadForeign(r, ctx, s, path)
	}
	if len(s.With) > 0 {
		return nil, plan.Errorf(s.With[0].Pos, plan.CodeInvalid, "options belong to files of other programs: name the FORMAT",
			"a model file takes no options")
	}
	var out registry.Version
	err = readModel(r, ctx, s, path, func(f io.ReaderAt, size int64) error {
		file, err := registry.ReadModels(ctx, f, size)
		if err != nil {
			return modelFileError(placeOf(s.Path, s.Pos), path, err)
		}
		l := &modelLoad{r: r, stmt: s, file: file, origin: registry.Origin{Path: filepath.ToSlash(path), File: file.Sum}}
		out, err = l.run(ctx)
		return err
	})
	if err != nil {
		return nil, fault.File(placeOf(s.Path, s.Pos), err)
	}
	r.NoticeServing(out.Name, out.Version)
	return operator.Tag(fmt.Sprintf("LOAD %s@%d", out.Name, out.Version)), nil
}

// modelFileError turns an error of a model file into one of the statement.
func modelFileError(pos ast.Pos, path string, err error) error {
	switch {
	case errors.Is(err, registry.ErrNotModelFile):
		return plan.Errorf(pos, "22P04", "COPY MODEL … TO writes model files", "%s is %v", path, err)
	case errors.Is(err, dbfile.ErrNewer):
		return plan.Errorf(pos, "58P01", "use a newer parlance",
			"the model file %s was written by a newer version of parlance", path)
	case errors.Is(err, storage.ErrCorrupt), errors.Is(err, kind.ErrCorrupt), errors.Is(err, storage.ErrNotFound):
		return plan.Errorf(pos, "22P04", "copy the file again; nothing was loaded",
			"the model file %s is damaged: %v", path, err)
	}
	return err
}

// encodingHint is what helps where a model file has weights of another format.
func encodingHint(err error) string {
	if errors.Is(err, kind.ErrNewer) {
		return "use a newer parlance"
	}
	return "train it again, or load it with the version that wrote it; nothing was loaded"
}

// modelLoad loads the versions of a model file.
type modelLoad struct {
	r      *exec.Execution
	stmt   *ast.LoadModel
	file   *registry.ModelFile
	origin registry.Origin
	batch  []registry.NewVersion
	places []versionPlace // of the versions of the file
}

// versionPlace says where a version of the file goes: into the batch to publish, or to an equal version that the
// database has.
type versionPlace struct {
	batch int // entry of the batch, -1 for a version that the database has
	here  registry.Version
}

func (l *modelLoad) run(ctx context.Context) (out registry.Version, err error) {
	l.origin.Loaded = time.Now().UTC().Truncate(time.Microsecond)
	last := len(l.file.Versions) - 1
	for i := range l.file.Versions {
		if err := l.check(i, i == last); err != nil {
			return out, err
		}
	}
	defer func() {
		if err != nil {
			for _, b := range l.batch {
				b.Weights.Abort()
			}
		}
	}()
	for i := range l.file.Versions {
		if err := l.place(ctx, i, i == last); err != nil {
			return out, err
		}
	}
	var published []registry.Version
	if len(l.batch) > 0 {
		published, err = l.r.Store.PublishModels(ctx, l.batch)
	}
	if err != nil {
		return out, modelFileError(placeOf(l.stmt.Path, l.stmt.Pos), l.origin.Path, err)
	}
	l.notice(published)
	if at := l.places[last]; at.batch < 0 {
		return at.here, nil
	}
	return published[l.places[last].batch], nil
}

// name is the model under which a version of the file is published.
func (l *modelLoad) name(i int, last bool) string {
	if last {
		return l.stmt.Name
	}
	return l.file.Versions[i].Name
}

// check decodes the weights of a version before anything is written, and refuses what this program cannot use.
func (l *modelLoad) check(i int, last bool) (err error) {
	v, name := l.file.Versions[i], l.name(i, last)
	defer guard.Recover(&err, "reading the model "+v.Name)
	o, taken := l.r.Snapshot.Object(name)
	taken = taken && o.Kind != catalog.ModelObject
	switch {
	case taken && last:
		return plan.Errorf(l.stmt.Pos, "42710", "LOAD … INTO MODEL another name", "%s is a %s already", name, o.Kind)
	case taken, exec.Reserved(name):
		return plan.Errorf(l.stmt.Pos, "42710", "ALTER … RENAME TO frees the name",
			"the file brings the model %s, and the name is taken here", name)
	}
	k := l.r.Models.Kind(v.Kind)
	if k == nil {
		return plan.Errorf(l.stmt.Pos, plan.CodeUndefinedObject, l.r.Models.KindHint(v.Kind),
			"the file holds a model of the kind %s, which this program does not have", v.Kind)
	}
	if err := kind.CheckEncoding(fmt.Sprintf("%s@%d", v.Name, v.Version), v.Encoding); err != nil {
		return plan.Errorf(placeOf(l.stmt.Path, l.stmt.Pos), "58P01", encodingHint(err), "%v", err)
	}
	m, set := k.New(), &option.Set{}
	m.Options(set)
	if err = set.Recall(v.Options); err != nil {
		err = fmt.Errorf("%w: %s@%d: %w", kind.ErrCorrupt, v.Name, v.Version, err)
	} else {
		err = m.Decode(models.SectionReader(func(section string) ([]byte, error) { return l.file.Section(i, section) }))
	}
	if err != nil {
		return modelFileError(placeOf(l.stmt.Path, l.stmt.Pos), l.origin.Path, err)
	}
	return nil
}

// place finds an equal version in the database, or writes the weights of a new one.
func (l *modelLoad) place(ctx context.Context, i int, last bool) error {
	v, name := l.file.Versions[i], l.name(i, last)
	for _, here := range l.r.Store.Model(name).Versions {
		if here.Same(v) {
			l.places = append(l.places, versionPlace{-1, here})
			return nil
		}
	}
	origin := l.origin
	origin.Name, origin.Version = v.Name, v.Version
	v.Name, v.Origin = name, &origin
	within, err := l.pins(&v)
	if err != nil {
		return err
	}
	w, err := l.r.Store.NewWeights(ctx)
	if err != nil {
		return err
	}
	l.places = append(l.places, versionPlace{batch: len(l.batch)})
	l.batch = append(l.batch, registry.NewVersion{Weights: w, Version: v, Within: within})
	return l.file.WriteWeights(i, w)
}

// pins replaces the version numbers in the upstream of a version by those of this database. Versions of the batch have
// no number yet; the result maps their places in the upstream to entries of the batch.
func (l *modelLoad) pins(v *registry.Version) (map[int]int, error) {
	within := map[int]int{}
	pins := append([]registry.Pin(nil), v.Upstream...)
	for n, p := range pins {
		found := false
		for k, at := range l.places {
			if up := l.file.Versions[k]; up.Name != p.Name || up.Version != p.Version {
				continue
			}
			found = true
			pins[n].Was = models.RecordedVersion(p)
			if at.batch >= 0 {
				within[n] = at.batch
			} else {
				pins[n].Version = at.here.Version
			}
		}
		if !found {
			return nil, modelFileError(placeOf(l.stmt.Path, l.stmt.Pos), l.origin.Path,
				fmt.Errorf("%w: it lacks %s@%d", storage.ErrCorrupt, p.Name, p.Version))
		}
	}
	v.Upstream = pins
	return within, nil
}

// notice gives notices of the versions that came with the model, were here already, or are missing.
func (l *modelLoad) notice(published []registry.Version) {
	last := len(l.places) - 1
	for i, at := range l.places {
		was := l.file.Versions[i]
		switch {
		case at.batch < 0 && i == last:
			l.r.Session.Notice(fmt.Sprintf("%s@%d is this model already", at.here.Name, at.here.Version))
		case at.batch < 0:
			l.r.Session.Notice(fmt.Sprintf("upstream %s@%d is here already, as %s@%d", was.Name, was.Version, at.here.Name,
				at.here.Version))
		case i != last:
			v := published[at.batch]
			l.r.Session.Notice(fmt.Sprintf("upstream %s@%d comes with it, as %s@%d", was.Name, was.Version, v.Name, v.Version))
		}
		if k := l.r.Models.Kind(was.Kind); k != nil && k.Revision != was.Revision {
			l.r.Session.Notice(fmt.Sprintf("%s was trained by revision %d of %s, this program has %d: answers may differ",
				was.Name, was.Revision, was.Kind, k.Revision))
		}
		for _, res := range was.Resources {
			l.noticeResource(was.Name, res)
		}
	}
}

// noticeResource gives a notice if what a version was trained with is missing here, or another. The version is stored
// already, so that a resource which cannot be read is no error of this statement.
func (l *modelLoad) noticeResource(model string, res registry.Pin) {
	needs := fmt.Sprintf("%s needs the %s %s, which ", model, res.Role, res.Name)
	o, ok := l.r.LiveObject(res.Name, res.Role)
	if !ok {
		l.r.Session.Notice(needs + "is not here")
		return
	}
	if string(o.Kind) != res.Role {
		l.r.Session.Notice(fmt.Sprintf("%sis a %s here", needs, o.Kind))
		return
	}
	switch change, err := l.r.ChangedSince(o, res); {
	case err != nil:
		l.r.Session.Notice(fmt.Sprintf("%scannot be read: %v", needs, err))
	case change == models.OtherContent:
		l.r.Session.Notice(fmt.Sprintf("%s was trained with another content of the %s %s", model, res.Role, res.Name))
	case change == models.OtherOrder:
		l.r.Session.Notice(fmt.Sprintf("%s was trained with the %s %s in another order", model, res.Role, res.Name))
	}
}
