package models

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"parlance/algo/option"
	"parlance/algo/segment"
)

// answered is a request to a model under its own options that reads no resources, with what follows from it.
type answered struct {
	layers []string
	prob   bool
	nbest  int

	wanted []string
	key    [8]byte
}

func (a *answered) matches(want Request) bool {
	return a.prob == want.Prob && a.nbest == want.Nbest &&
		(a.layers == nil) == (want.Layers == nil) && slices.Equal(a.layers, want.Layers)
}

// setKey sets the wanted layers and the key of the cache of predictions. Statements ask the same few things of a model
// again and again: what follows from requests that depend on nothing else is kept, and not hashed again.
func (r *Resolver) setKey(c *Configured, want Request, ownOptions bool) error {
	keeps := ownOptions && len(c.Schema.Resources) == 0
	if known := c.Loaded.answered.Load(); known != nil && keeps {
		for i := range *known {
			if a := &(*known)[i]; a.matches(want) {
				c.Run.Wanted, c.Key = a.wanted, a.key
				return nil
			}
		}
	}
	c.Run.Wanted = SomeOf(c.Schema.Writes, want.Layers)
	var err error
	if c.Key, err = r.cacheKey(c); err == nil && keeps {
		c.Loaded.remember(answered{slices.Clone(want.Layers), want.Prob, want.Nbest, c.Run.Wanted, c.Key})
	}
	return err
}

// maxAnswered bounds how many requests to a model are remembered.
const maxAnswered = 32

// remember adds a request, unless there are too many. Requests are never changed, so readers need no lock.
func (l *Loaded) remember(a answered) {
	for {
		old := l.answered.Load()
		var list []answered
		if old != nil {
			list = *old
		}
		if len(list) >= maxAnswered {
			return
		}
		list = append(slices.Clip(list), a)
		if l.answered.CompareAndSwap(old, &list) {
			return
		}
	}
}

// cacheKey hashes all that an answer depends on besides the document: the weights, the revisions of kind and tokeniser,
// the options, what is asked for, and the content of resources.
func (r *Resolver) cacheKey(c *Configured) (key [8]byte, err error) {
	layers := strings.Join(c.Run.Wanted, ",")
	h := sha256.New()
	if tk, err := segment.New(c.Meta.Tokenizer); err == nil {
		fmt.Fprintf(h, "%d\x00", tk.Revision())
	}
	fmt.Fprintf(h, "%s\x00%d\x00%s\x00%s\x00%v\x00%d\x00",
		c.Kind.Name, c.Kind.Revision, c.Meta.WeightsHash, c.Meta.Tokenizer, c.Run.Prob, c.Run.NBest)
	if layers != "" {
		fmt.Fprintf(h, "layers %s\x00", layers)
	}
	for _, o := range c.options.Values(option.Train, option.Predict) {
		fmt.Fprintf(h, "%s=%s\x00", o[0], o[1])
	}
	if err := r.HashResources(h, c.Schema.Resources, c.Meta.Upstream); err != nil {
		return key, fmt.Errorf("model %s: %w", c.Label, err)
	}
	copy(key[:], h.Sum(nil))
	return key, nil
}
