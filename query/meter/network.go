package meter

import "sync/atomic"

// Network counts connections of clients and what they send. Without a server all stay 0.
type Network struct {
	open, idle             atomic.Int64
	total, logins, cancels atomic.Uint64
	received, sent         atomic.Uint64
	refused                Counts
}

// Opened counts a connection that was accepted.
func (n *Network) Opened() {
	n.open.Add(1)
	n.total.Add(1)
}

// Closed counts the end of a connection.
func (n *Network) Closed() { n.open.Add(-1) }

// Idle counts a connection that begins (waits), or ends, to wait for the next statement of its client.
func (n *Network) Idle(waits bool) {
	if waits {
		n.idle.Add(1)
	} else {
		n.idle.Add(-1)
	}
}

// Refused counts a connection that was closed before its session began, by the SQLSTATE of the reason.
func (n *Network) Refused(code string) { n.refused.Add(code) }

// LoginFailed counts a connection that was refused for its user name or password.
func (n *Network) LoginFailed() { n.logins.Add(1) }

// CancelRequested counts a request to cancel a statement.
func (n *Network) CancelRequested() { n.cancels.Add(1) }

// Received counts bytes from a client.
func (n *Network) Received(bytes int) { n.received.Add(uint64(bytes)) }

// Sent counts bytes to a client.
func (n *Network) Sent(bytes int) { n.sent.Add(uint64(bytes)) }

// Open is the number of connections.
func (n *Network) Open() int { return int(n.open.Load()) }

// Metrics returns the figures.
func (n *Network) Metrics() []Metric {
	out := []Metric{
		ConnectionsOpen.Of(float64(n.open.Load())), ConnectionsIdle.Of(float64(n.idle.Load())),
		ConnectionsTotal.Of(float64(n.total.Load())), LoginsFailed.Of(float64(n.logins.Load())),
		CancelsTotal.Of(float64(n.cancels.Load())),
		ReceivedBytes.Of(float64(n.received.Load())), SentBytes.Of(float64(n.sent.Load())),
	}
	return append(out, n.refused.Metrics(ConnectionsRefused)...)
}
