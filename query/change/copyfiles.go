package change

import (
	"context"
	"errors"
	"io"

	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/fault"
	"parlance/query/operator"
	"parlance/storage/catalog"
	"parlance/storage/files"
	"parlance/storage/format/codec"
)

// copiesCorpus reports whether a statement writes documents of a corpus, not rows.
func copiesCorpus(r *exec.Execution, s *ast.CopyTo) (bool, error) {
	if s.Select != nil {
		return false, nil
	}
	o, err := Target(r, s.From)
	if err != nil {
		return false, err
	}
	return o.Kind == catalog.CorpusObject && s.From.Layer == "" && len(s.Columns) == 0, nil
}

// copyFiles writes documents in a format that has files for each. None takes its name before all are written.
func copyFiles(r *exec.Execution, ctx context.Context, s *ast.CopyTo, configured codec.Codec) (*operator.Result,
	error) {
	path, err := r.TextOf(s.Path)
	if err != nil {
		return nil, err
	}
	in, order, err := copiedDocuments(r, s)
	if err != nil {
		return nil, err
	}
	all := files.NewTogether(r.Files())
	dw, err := codec.NewFilesWriter(configured, path, func(name string, content []byte) error {
		return all.Write(name, func(w io.Writer) error {
			z, err := codec.Compress(name, &cancelWriter{ctx, w})
			if err == nil {
				_, err = z.Write(content)
			}
			if err != nil {
				return err
			}
			return z.Close()
		})
	})
	if err != nil {
		return nil, fault.At(s.Path.Position(), fault.Invalid("%v", err))
	}
	n := 0
	if err = ordered(ctx, in, order); err == nil {
		n, err = write(in, ctx, dw)
	}
	if err == nil {
		err = all.Commit()
	} else {
		err = errors.Join(err, all.Discard())
	}
	if err != nil {
		return nil, fault.At(s.Path.Position(), writeError(err))
	}
	noteFormat(r, configured)
	return copied(n, nil)
}
