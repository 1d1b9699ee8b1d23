package learn

import (
	"context"
	"fmt"

	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/operator"
	"parlance/query/plan"
)

// CancelJob stops a training and waits until it has ended, so that RESUME JOB may follow.
func CancelJob(r *exec.Execution, ctx context.Context, s *ast.CancelJob) (*operator.Result, error) {
	id, err := r.JobNumber(s.Job)
	if err != nil {
		return nil, err
	}
	ended := r.Jobs.Cancel(id)
	if ended == nil {
		return nil, plan.Errorf(s.Pos, plan.CodeState, "SHOW JOBS lists them", "job %d is not running", id)
	}
	select {
	case <-ended:
		return operator.Tag("CANCEL JOB"), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func ResumeJob(r *exec.Execution, ctx context.Context, s *ast.ResumeJob) (*operator.Result, error) {
	id, err := r.JobNumber(s.Job)
	if err != nil {
		return nil, err
	}
	j, ok := r.Store.Job(id)
	if !ok {
		return nil, plan.Errorf(s.Pos, plan.CodeUndefinedObject, "SHOW JOBS lists them", "there is no job %d", id)
	}
	live := r.Jobs.Running(id)
	if live || j.State == "done" {
		return nil, plan.Errorf(s.Pos, plan.CodeState, "", "job %d is %s", id,
			map[bool]string{true: "running", false: j.State}[live])
	}
	stmt, err := r.Parse(j.Statement)
	if err != nil {
		return nil, fmt.Errorf("resume job %d: %w", id, err)
	}
	switch t := stmt.(type) {
	case *ast.Train:
		return trainAs(r, ctx, t, id)
	case *ast.Tune:
		return Tune(r, ctx, t, id)
	}
	return nil, plan.Errorf(s.Pos, plan.CodeState, "", "job %d is no training", id)
}
