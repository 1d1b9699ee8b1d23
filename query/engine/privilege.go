package engine

import (
	"reflect"
	"sync/atomic"
	"time"

	"parlance/query/ast"
	"parlance/query/exec"
	"parlance/query/models"
	"parlance/query/plan"
	"parlance/storage/accounts"
	"parlance/storage/value"
)

// privileges is the role that each statement needs. Function needed refines it for statements whose need depends on
// their clauses.
var privileges = rolesOf(map[accounts.Role][]ast.Statement{
	accounts.Reader: {
		(*ast.Select)(nil), (*ast.Evaluate)(nil), (*ast.Explain)(nil), (*ast.ExplainPrediction)(nil), (*ast.DiffModels)(nil),
		(*ast.Show)(nil), (*ast.Describe)(nil), (*ast.Set)(nil), (*ast.SetTransaction)(nil), (*ast.Reset)(nil),
		(*ast.Discard)(nil), (*ast.Unlisten)(nil), (*ast.Declare)(nil), (*ast.Fetch)(nil), (*ast.Close)(nil),
		(*ast.Deallocate)(nil),
		(*ast.CancelStatement)(nil), (*ast.CancelSession)(nil), (*ast.Begin)(nil), (*ast.Commit)(nil), (*ast.Rollback)(nil),
		(*ast.Savepoint)(nil), (*ast.Release)(nil), (*ast.RollbackTo)(nil),
		(*ast.Check)(nil), (*ast.CopyTo)(nil), (*ast.AnnotateFiles)(nil),
	},
	accounts.Writer: {
		(*ast.Create)(nil), (*ast.CreateFeatures)(nil), (*ast.CreateIndex)(nil), (*ast.Drop)(nil), (*ast.DropIndex)(nil),
		(*ast.AlterRename)(nil), (*ast.AlterAddColumn)(nil), (*ast.AlterDropColumn)(nil), (*ast.AlterRenameColumn)(nil),
		(*ast.Load)(nil), (*ast.Insert)(nil), (*ast.Update)(nil), (*ast.Delete)(nil), (*ast.CopyFrom)(nil),
		(*ast.CopyModel)(nil), (*ast.LoadModel)(nil),
		(*ast.Train)(nil), (*ast.Tune)(nil), (*ast.Annotate)(nil), (*ast.Promote)(nil), (*ast.Replay)(nil),
		(*ast.CancelJob)(nil), (*ast.ResumeJob)(nil), (*ast.ClearCache)(nil),
	},
	accounts.Admin: {
		(*ast.CreateUser)(nil), (*ast.AlterUser)(nil), (*ast.AlterSystem)(nil), (*ast.Reload)(nil),
		(*ast.Backup)(nil), (*ast.Compact)(nil),
	},
})

func rolesOf(lists map[accounts.Role][]ast.Statement) map[reflect.Type]accounts.Role {
	out := map[reflect.Type]accounts.Role{}
	for role, list := range lists {
		for _, s := range list {
			out[reflect.TypeOf(s)] = role
		}
	}
	return out
}

// needed returns the role that a statement needs. A statement that is in no list needs the role admin.
func needed(stmt ast.Statement) accounts.Role {
	switch s := stmt.(type) {
	case *ast.Explain:
		return needed(s.Statement)
	case *ast.CopyTo:
		if s.Path != nil { // a file of the server
			return accounts.Writer
		}
	case *ast.AnnotateFiles:
		if s.To != nil || len(s.Paths) > 0 {
			return accounts.Writer
		}
	case *ast.Check:
		if s.Corpus == "" {
			return accounts.Admin
		}
	case *ast.Set: // memory of all sessions
		if _, ok := models.PinnedModel(s.Name); ok {
			return accounts.Admin
		}
	case *ast.Reset:
		if _, ok := models.PinnedModel(s.Name); ok {
			return accounts.Admin
		}
	case *ast.Drop:
		if s.Object == ast.ObjectUser {
			return accounts.Admin
		}
	}
	if role, ok := privileges[reflect.TypeOf(stmt)]; ok {
		return role
	}
	return accounts.Admin
}

// Login is how the user of a session was authenticated.
type Login struct {
	Guest   bool        // not authenticated: valid as long as the database has no users
	Founder atomic.Bool // the guest who created the first user, whose session stays valid
	Created time.Time   // when the account was created: a later account of the same name is another user
}

// LoginAs makes the session one of an authenticated user.
func (e *Engine) LoginAs(ses *Session, user string) error {
	u, ok := e.Store.User(user)
	if !ok {
		return unknownUser(user)
	}
	ses.User, ses.Login = user, &Login{Created: u.Created}
	return nil
}

// Role is the present role of a session. It is looked up for each statement, so that changes of accounts reach open
// sessions.
func (e *Engine) Role(ses *Session) (accounts.Role, error) {
	switch l := ses.Login; {
	case l == nil, l.Guest && (l.Founder.Load() || !e.Store.HasUsers()):
		return accounts.Admin, nil
	case l.Guest:
		return "", plan.Errorf(ast.Pos{}, "28000", "connect again, with a password",
			"the database has users since this session began")
	default:
		u, ok := e.Store.User(ses.User)
		if !ok || !u.Created.Equal(l.Created) {
			return "", unknownUser(ses.User)
		}
		return u.Role, nil
	}
}

func unknownUser(name string) error {
	return plan.Errorf(ast.Pos{}, "28000", "connect as another user", "there is no user %s", name)
}

// authorize refuses a statement that the role of the session does not allow.
func (r *execution) authorize(stmt ast.Statement) error {
	have, err := r.engine.Role(r.ses)
	if err != nil {
		return err
	}
	r.Catalog.Session.Role = have
	if need := needed(stmt); !have.Covers(need) {
		return plan.Errorf(stmt.Position(), "42501", "an admin can run ALTER USER "+ast.QuoteName(r.ses.User)+
			" ROLE "+string(need),
			"%s needs the role %s, %s is a %s", ast.KindOf(stmt), need, r.ses.User, have)
	}
	return nil
}

// visibility is what a session sees of the statements, sessions and trainings of a user.
type visibility int

// The degrees of visibility.
const (
	notSeen visibility = iota // not that there are any
	masked                    // that there are some, without names and texts
	wholly
)

// text is a name or text of a user as it is seen, NULL if it is empty.
func (v visibility) text(s string) value.Value {
	if v != wholly {
		return value.Value{}
	}
	return exec.TextOrNull(s)
}

// sight returns what the session sees of each user: readers see their own alone, admins all of all users, and writers,
// whom those of others keep waiting, that they are there.
func (r *execution) sight() (func(user string) visibility, error) {
	role, err := r.engine.Role(r.ses)
	return func(user string) visibility {
		switch {
		case r.ses.mayControl(role, user):
			return wholly
		case role == accounts.Reader:
			return notSeen
		}
		return masked
	}, err
}

// mayControl reports whether a session of the role may see and cancel the statements of a user: those of its own user,
// and those of all users if it is an admin.
func (s *Session) mayControl(role accounts.Role, user string) bool {
	return role == accounts.Admin || s.User == user
}
