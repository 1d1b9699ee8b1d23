package check

import (
	"fmt"

	"parlance/algo/option"
)

// usualSame is the least number of characters of texts that are compared, unless told.
const usualSame = 40

// maxLimit bounds the findings that are kept.
const maxLimit = 1 << 20

// Options says what is looked for.
type Options struct {
	Rules     []string // empty for all
	Layer     string   // empty for all
	Limit     int      // findings reported a rule
	Split     string   // metadata column
	Train     string   // its value for training documents
	Rare      int      // occurrences of a label
	Others    int      // occurrences that disagree with a label
	Agreement float64  // share of the occurrences that disagree
	Same      int      // characters of texts that are compared
	Sentence  int      // tokens
	Size      int      // bytes of a text
}

// Declare declares the options with their defaults.
func (o *Options) Declare(s *option.Set) {
	s.List(&o.Rules, "rules", nil, "rules to follow, all if none is named; SHOW CHECKS lists them")
	s.Layer(&o.Layer, "layer", "", "layer to look at alone; a layer of predictions is looked at only if it is named")
	s.Int(&o.Limit, "limit", 20, 0, maxLimit, "rows a rule; one more row counts what is left out")
	s.Text(&o.Split, "split", "split", "metadata column that tells training from test documents")
	s.Text(&o.Train, "train", "train", "value of the column split for training documents")
	s.Int(&o.Rare, "rare", 5, 1, 1<<30, "a label that occurs fewer times is rare")
	s.Int(&o.Others, "others", 5, 1, 1<<30, "places that must disagree before a label is inconsistent")
	s.Float(&o.Agreement, "agreement", 0.8, 0, 1,
		"share of a string's occurrences that must agree against a label before it is inconsistent")
	s.Int(&o.Same, "same", usualSame, 1, 1<<30, "shorter texts are not compared with others").Per("characters")
	s.Int(&o.Sentence, "sentence", 250, 1, 1<<30, "a longer sentence is reported").Per("tokens")
	s.Int(&o.Size, "size", 1<<20, 1, 1<<30, "a longer text is reported").Per("bytes")
	s.Check("rules", func() error { return known(o.Rules) })
}

func known(names []string) error {
	for _, n := range names {
		if ruleIndex(n) < 0 {
			all := make([]string, len(rules))
			for i, r := range rules {
				all[i] = r.Name
			}
			return fmt.Errorf("there is no rule %s%s; SHOW CHECKS lists them", n, option.DidYouMean(n, all))
		}
	}
	return nil
}
