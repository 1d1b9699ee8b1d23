package external

import "parlance/algo/engine/chain"

// Export is a chain as writers of model files see it.
type Export struct {
	Labels  []string
	Chain   *chain.Model
	Name    func(attr uint32) string
	Foreign *Model // nil for a chain that was trained here
	Rules   string // what decoding keeps to beyond the weights; empty for nothing
}

// Exporter is a model that can be seen as a chain.
type Exporter interface {
	// Export returns the chain, or an error that says what of the model is more than a chain of first order.
	Export() (*Export, error)
}
