package exec

import (
	"context"
	"errors"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/operator"
	"parlance/query/optarg"
	"parlance/query/plan"
	"parlance/storage/format/table"
	"parlance/storage/guard"
	"parlance/storage/value"
)

// File finds the columns of a file in FROM.
func (r *Execution) File(path *ast.Literal, with []ast.Option) (*table.File, error) {
	name, _ := path.Value.(string)
	if err := r.Host.MayReadFiles(path.Pos); err != nil {
		return nil, err
	}
	args, err := optarg.Args(with, r.Env)
	if err != nil {
		return nil, err
	}
	t, err := table.Open(r.Env.Ctx, r.Files(), name, args)
	var faults option.Faults
	if errors.As(err, &faults) {
		return nil, optarg.AtOption(err, with)
	}
	if err != nil {
		return nil, FileError(path.Pos, err)
	}
	return t, nil
}

// file makes the operator that reads a file. A goroutine reads one batch ahead.
func (r *Execution) file(n *plan.File) operator.Operator {
	t := &tableScan{batches: make(chan *value.Batch), errs: make(chan error, 1)}
	keep := n.Groups(r.Env)
	t.start = func(ctx context.Context) {
		ctx, t.cancel = context.WithCancel(ctx)
		go func() {
			err := guard.Call("reading "+n.Table.Path, func() error {
				return n.Table.Scan(ctx, n.Need, func(g int) bool { return keep[g] }, r.Session.Notice, func(b *value.Batch) error {
					select {
					case t.batches <- b:
						return nil
					case <-ctx.Done():
						return ctx.Err()
					}
				})
			})
			t.errs <- FileError(n.Pos, err)
			close(t.batches)
		}()
	}
	return t
}
