package engine

import (
	"hash/fnv"

	"parlance/storage"
)

// owner is the role to which everything belongs: what users may do follows from their own role.
const owner = "parlance"

// Numbers of users lie below those of the tables of the catalog.
const (
	oidFirstRole = 10000
	oidsOfRoles  = 2000
)

// pgRole is a user as pg_roles lists it.
type pgRole struct {
	oid   int64
	name  string
	super bool
}

// roles lists the owner and the users that the session may know of, itself among them.
func (r *execution) roles() []pgRole {
	out := []pgRole{{oidOwner, owner, true}}
	taken := map[int64]bool{}
	add := func(name string, super bool) {
		h := fnv.New32a()
		h.Write([]byte(name))
		k := int64(h.Sum32()) % oidsOfRoles
		for taken[k] && len(taken) < oidsOfRoles {
			k = (k + 1) % oidsOfRoles
		}
		taken[k] = true
		out = append(out, pgRole{oidFirstRole + k, name, super})
	}
	own, all := r.user(), r.superuser()
	if _, account := r.Store.User(own); !account && own != owner {
		add(own, all)
	}
	for _, u := range r.Store.Users() {
		if all || u.Name == own {
			add(u.Name, u.Role == storage.Admin)
		}
	}
	return out
}

// user is the name of the session's user.
func (r *execution) user() string {
	if r.ses.User == "" {
		return owner
	}
	return r.ses.User
}

// superuser reports whether the session may do everything.
func (r *execution) superuser() bool {
	role, err := r.engine.Role(r.ses)
	return err == nil && role == storage.Admin
}

// writes reports whether the session may change tables.
func (r *execution) writes() bool {
	role, err := r.engine.Role(r.ses)
	return err == nil && role.Covers(storage.Writer)
}
