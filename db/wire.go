package db

// Wire is a connection with what drivers and servers of a protocol need besides: unnamed statements and portals,
// statements that overlap, names of clients, notes of changed settings and of ended blocks. Programs that run
// statements have no use for it.
type Wire struct{ *Conn }

// Wire returns the connection as servers use it.
func (c *Conn) Wire() Wire { return Wire{c} }
