package engine

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/bind"
	"parlance/query/exec"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/accounts"
	"parlance/storage/value"
	"parlance/storage/verifier"
)

// maxUserName is the longest name of a user, in bytes.
const maxUserName = 128

// createUser adds an account. It stores a SCRAM verifier, not the password.
func (r *execution) createUser(s *ast.CreateUser) (*operator.Result, error) {
	if _, ok := r.Store.User(s.Name); ok && s.IfNotExists {
		r.ses.Notice(fmt.Sprintf("user %s exists already", s.Name))
		return operator.Tag("CREATE USER"), nil
	}
	if len(s.Name) > maxUserName || strings.ContainsFunc(s.Name, unicode.IsControl) {
		return nil, plan.Errorf(s.Pos, plan.CodeInvalid, "choose another name",
			"names of users have at most %d {byte|bytes} and no control characters", maxUserName)
	}
	v, err := r.verifierOf(s.Password)
	if err != nil {
		return nil, err
	}
	u := accounts.User{Name: s.Name, Role: accounts.Role(cmp.Or(s.Role, string(accounts.Reader))), Verifier: v}
	first := !r.Store.HasUsers()
	err = r.Store.CreateUser(u)
	if l := r.ses.Login; err == nil && first && l != nil {
		l.Founder.Store(true)
	}
	if errors.Is(err, storage.ErrExists) {
		return nil, plan.Errorf(s.Pos, "42710", "ALTER USER changes it; or write IF NOT EXISTS", "%v", err)
	}
	return operator.Tag("CREATE USER"), userError(s.Pos, "the first user is an admin, or nobody could make others",
		"CREATE USER … ROLE admin", err)
}

// alterUser changes the password or the role of an account.
func (r *execution) alterUser(s *ast.AlterUser) (*operator.Result, error) {
	if err := r.userExists(s.Pos, s.Name); err != nil {
		return nil, err
	}
	v := ""
	if s.Password != nil {
		var err error
		if v, err = r.verifierOf(s.Password); err != nil {
			return nil, err
		}
	}
	err := r.Store.AlterUser(s.Name, func(u *accounts.User) {
		u.Verifier, u.Role = cmp.Or(v, u.Verifier), accounts.Role(cmp.Or(s.Role, string(u.Role)))
	})
	return operator.Tag("ALTER USER"), userError(s.Pos, s.Name+" is the last admin",
		"make another user an admin first", err)
}

// dropUser removes an account, ends its sessions and rolls back their transactions.
func (r *execution) dropUser(s *ast.Drop) (*operator.Result, error) {
	u, ok := r.Store.User(s.Name)
	if !ok && s.IfExists {
		r.ses.Notice("there is no user " + s.Name)
		return operator.Tag("DROP USER"), nil
	}
	if err := r.userExists(s.Pos, s.Name); err != nil {
		return nil, err
	}
	err := r.Store.DropUser(s.Name)
	if err == nil {
		r.endSessionsOf(u.Name, u.Created)
	}
	return operator.Tag("DROP USER"), userError(s.Pos, s.Name+" is the last admin",
		"make another user an admin first, or drop the others first", err)
}

// userError gives the error of a change that would leave users without an admin its SQLSTATE and hint.
func userError(pos ast.Pos, msg, hint string, err error) error {
	if errors.Is(err, accounts.ErrLastAdmin) {
		return plan.Errorf(pos, "55000", hint, "%s", msg)
	}
	return err
}

func (r *execution) userExists(pos ast.Pos, name string) error {
	if _, ok := r.Store.User(name); ok {
		return nil
	}
	var names []string
	for _, u := range r.Store.Users() {
		names = append(names, u.Name)
	}
	return plan.Errorf(pos, plan.CodeUndefinedObject, "SHOW USERS", "there is no user %s%s", name,
		option.DidYouMean(name, names))
}

// verifierOf makes the SCRAM verifier of a password. A text that is a verifier already is stored as it is, so that
// clients can compute it and need not send the password.
func (r *execution) verifierOf(e ast.Expr) (string, error) {
	password, err := r.TextOf(e)
	if err != nil {
		return "", err
	}
	if v, err := verifier.Parse(password); err == nil {
		return v.String(), nil
	}
	v, err := verifier.New(password)
	if err != nil {
		return "", plan.Errorf(e.Position(), plan.CodeInvalid, "choose a password", "%v", err)
	}
	return v.String(), nil
}

// userRows lists the accounts: all of them for admins, only their own for others.
func userRows(r *execution) ([][]value.Value, error) {
	var out [][]value.Value
	role, err := r.engine.Role(r.ses)
	if err != nil {
		return nil, err
	}
	for _, u := range r.Store.Users() {
		if role == accounts.Admin || u.Name == r.ses.User {
			out = append(out, []value.Value{value.Str(u.Name), value.Str(string(u.Role)), exec.TimeOrNull(u.Created)})
		}
	}
	return out, nil
}

// describeUser lists the properties of an account.
func (r *execution) describeUser(s *ast.Describe) (*operator.Result, error) {
	rows, err := userRows(r)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if row[0].S == s.Name {
			var p pairs
			p.add("name", row[0].S)
			p.add("role", row[1].S)
			return operator.TableResult(pairColumns, p), nil
		}
	}
	return nil, plan.Errorf(s.Pos, plan.CodeUndefinedObject, "SHOW USERS", "there is no user %s", s.Name)
}

// passwordParameter is the type of a password that is a parameter.
func passwordParameter(e ast.Expr) bind.Parameters {
	p, ok := e.(*ast.Param)
	if !ok {
		return nil
	}
	out := make(bind.Parameters, p.Index)
	out[p.Index-1].Type = value.Text
	return out
}
