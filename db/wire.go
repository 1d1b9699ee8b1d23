package db

// Wire is a connection with what drivers and servers of a protocol need besides: unnamed statements and portals,
// statements that overlap, names of clients, notes of changed settings and of ended blocks. Programs that run
// statements have no use for it.
type Wire struct{ *Conn }

// Wire returns the connection as servers use it.
func (c *Conn) Wire() Wire { return Wire{c} }

// Cursor returns the columns of a cursor that DECLARE has opened; false if there is none.
func (c Wire) Cursor(name string) ([]Column, bool) {
	list, ok := c.ses.CursorColumns(name)
	out := make([]Column, len(list))
	for i, col := range list {
		out[i] = column(col)
	}
	return out, ok
}
