package ast

// CreateUser is CREATE USER name WITH PASSWORD password [ROLE role].
type CreateUser struct {
	Pos
	IfNotExists bool
	Name        string
	Password    Expr   // a literal or parameter
	Role        string // reader, writer or admin, empty if unsaid
}

// AlterUser is ALTER USER name WITH [PASSWORD password] [ROLE role].
type AlterUser struct {
	Pos
	Name     string
	Password Expr   // a literal or parameter, nil if it stays
	Role     string // empty if it stays
}

func (*CreateUser) statement() {}
func (*AlterUser) statement()  {}

// String prints the statement, its password too; Redact does not.
func (s *CreateUser) String() string { return render(s) }
func (s *AlterUser) String() string  { return render(s) }

func (s *CreateUser) print(p *printer) {
	p.text("CREATE USER ")
	p.when(s.IfNotExists, "IF NOT EXISTS ")
	p.text(QuoteName(s.Name))
	p.account(s.Password, s.Role)
}

func (s *AlterUser) print(p *printer) {
	p.text("ALTER USER ", QuoteName(s.Name))
	p.account(s.Password, s.Role)
}

// account writes what a statement says about a user.
func (p *printer) account(password Expr, role string) {
	p.text(" WITH")
	p.clause(" PASSWORD ", password)
	p.when(role != "", " ROLE "+role)
}

// Redacted stands in texts where a password stood.
const Redacted = "***"

// Redact prints a statement for logs, lists and messages: as String does, but without passwords.
func Redact(s Statement) string {
	switch s := s.(type) {
	case *CreateUser:
		c := *s
		c.Password = hidden(s.Password)
		return c.String()
	case *AlterUser:
		c := *s
		c.Password = hidden(s.Password)
		return c.String()
	}
	return s.String()
}

// Secret reports whether a statement carries a password, in its text or its arguments.
func Secret(s Statement) bool {
	switch s := s.(type) {
	case *CreateUser:
		return true
	case *AlterUser:
		return s.Password != nil
	}
	return false
}

// hidden replaces a password; a parameter is none.
func hidden(password Expr) Expr {
	if l, ok := password.(*Literal); ok {
		return &Literal{Pos: l.Pos, Value: Redacted}
	}
	return password
}
