package pgcatalog

import (
	"hash/fnv"

	"parlance/storage/accounts"
)

// Owner is the role that owns all objects. What users may do depends on their own role.
const Owner = "parlance"

// OIDs of users are below those of the tables of the catalog.
const (
	oidFirstRole = 10000
	oidsOfRoles  = 2000
)

// roleEntry is a user as pg_roles lists it.
type roleEntry struct {
	oid   int64
	name  string
	super bool
}

// roles lists the owner and the users that the session may see, its own among them.
func (r *Reader) roles() []roleEntry {
	out := []roleEntry{{oidOwner, Owner, true}}
	taken := map[int64]bool{}
	add := func(name string, super bool) {
		h := fnv.New32a()
		h.Write([]byte(name))
		k := int64(h.Sum32()) % oidsOfRoles
		for taken[k] && len(taken) < oidsOfRoles {
			k = (k + 1) % oidsOfRoles
		}
		taken[k] = true
		out = append(out, roleEntry{oidFirstRole + k, name, super})
	}
	own, all := r.UserName(), r.superuser()
	if _, account := r.Store.User(own); !account && own != Owner {
		add(own, all)
	}
	for _, u := range r.Store.Users() {
		if all || u.Name == own {
			add(u.Name, u.Role == accounts.Admin)
		}
	}
	return out
}

// superuser reports whether the session may do everything.
func (r *Reader) superuser() bool {
	role, err := r.Role()
	return err == nil && role == accounts.Admin
}

// writes reports whether the session may change tables.
func (r *Reader) writes() bool {
	role, err := r.Role()
	return err == nil && role.Covers(accounts.Writer)
}

// RoleOIDs are the OIDs of the users that the session may see, by name.
func (r *Reader) RoleOIDs() map[string]int64 {
	out := map[string]int64{}
	for _, u := range r.roles() {
		out[u.name] = u.oid
	}
	return out
}
