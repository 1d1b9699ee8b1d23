package depparser

import "parlance/algo/parse/tree"

// The templates of parts. Those of arcs come bare and with direction and distance, the others with
// the directions of their arcs (McDonald et al. 2005; McDonald and Pereira 2006; Carreras 2007; Koo
// and Collins 2010).
var standard = features{
	between:  singly,
	head:     []string{"hw ht", "hw", "ht", "ht ht-1", "ht ht+1", "hc", "hw hc", "ht-1 ht ht+1"},
	modifier: []string{"mw mt", "mw", "mt", "mt mt-1", "mt mt+1", "mc", "mw mc", "mt-1 mt mt+1"},
	arcs: []string{
		"hw ht mw mt", "ht mw mt", "hw mw mt", "hw ht mt", "hw ht mw", "hw mw", "ht mt", "hw mt", "ht mw",
		"ht ht+1 mt-1 mt", "ht-1 ht mt-1 mt", "ht ht+1 mt mt+1", "ht-1 ht mt mt+1",
		"ht ht+1 mt", "ht-1 ht mt", "ht mt-1 mt", "ht mt mt+1",
		"ht+1 mt-1 mt", "ht-1 mt-1 mt", "ht ht+1 mt-1", "ht ht-1 mt+1",
		"hc mc", "hc mw", "hw mc", "hc hc+1 mc-1 mc", "hc-1 hc mc mc+1", "hc-1 hc mc-1 mc", "hc hc+1 mc mc+1",
		"hc-1 hc hc+1 mc-1 mc mc+1", "hp mp", "hp mc", "hc mp",
		"hf mf", "hf mt", "ht mf", "hf mc", "hc mf",
	},
	parts: map[tree.Type][]string{
		tree.Sib: {"ht mt st", "hc mc sc", "ht st", "mt st", "hc sc", "mc sc", "hw sw", "mw sw", "hw st", "mw st",
			"ht sw", "mt sw",
			"hw mt st", "ht mw st", "ht mt sw", "hc mw sw", "hw mc sw", "hw mw sc"},
		tree.Grand: {"gt ht mt", "gc hc mc", "gt mt", "gc mc", "gw mw", "gw mt", "gt mw", "gw mc", "gc mw",
			"gw ht mt", "gt hw mt", "gt ht mw", "gw hw mc", "gw hc mw", "gc hw mw"},
		tree.Leaf: {"ht mt", "hc mc", "mt", "mw", "hw mt", "ht mw", "mt mt-1", "mt mt+1", "mw mt"},
		tree.GrandSib: {"gt ht mt st", "gc hc mc sc", "gw hc mc sc", "gc hw mc sc", "gc hc mw sc", "gc hc mc sw",
			"gc mc sc", "gw mc sc", "gc mw sc", "gc mc sw", "gt mt st"},
		tree.TriSib: {"ht mt st tt", "hc mc sc tc", "hw mc sc tc", "hc mw sc tc", "hc mc sw tc", "hc mc sc tw",
			"mc sc tc", "mt st tt", "mc tc", "mw tw", "mw tc", "mc tw"},
		tree.End: {"ht mt", "hc mc", "hw mt", "ht mw", "ht", "hw", "hw mw"},
	},
	labels: []string{
		"ht mt", "mt", "hw ht mw mt", "ht mw mt", "hw mw mt", "hw ht mt", "hw ht mw", "hw mw", "hw mt", "ht mw", "mw",
		"mw mt", "hc mc",
		"ht mt-1 mt", "ht mt mt+1", "mt-1 mt mt+1", "ht ht+1 mt-1 mt", "ht-1 ht mt mt+1", "hc mw-1 mc", "hc mc mw+1",
		"hp mp", "ht mp", "hf mf", "ht mf", "mf",
		"ht mt st", "ht mt tt", "hc mc sc tc", "hw mt st", "hw mt tt", "hc mw sc", "hc mw tc", "hc mc sw", "hc mc tw",
		"ht mt lt", "ht mt rt", "hc mc lc rc", "mc lw", "mc rw", "hc mw lc", "hc mw rc", "hc mc lw", "hw mc lc",
		"gt ht mt", "gc hw mc", "gw hc mc", "gc hc mw",
		"ht mt tw", "ht mt sw",
	},
	below:   []string{"mc lw", "hc mc lw", "hc mc lt"},
	history: []string{"ht mt", "mt", "hw mt", "ht mw", "hc mc", "ht mt tt", "mw"},
}

// lean are few templates of arcs, for a pruner and where time counts more than the last tenth.
var lean = features{
	between:  sets,
	head:     []string{"hw ht", "ht", "ht ht-1", "ht ht+1"},
	modifier: []string{"mw mt", "mt", "mt mt-1", "mt mt+1"},
	arcs: []string{"hw ht mt", "ht mw mt", "hw mw", "ht mt", "hc mc", "ht ht+1 mt-1 mt", "ht-1 ht mt-1 mt",
		"ht ht+1 mt mt+1", "ht-1 ht mt mt+1",
		"hc-1 hc hc+1 mc-1 mc mc+1"},
	parts: map[tree.Type][]string{
		tree.Sib:      {"ht mt st", "hc mc sc", "mt st", "mw sw", "hw mt st", "ht mw st", "ht mt sw"},
		tree.Grand:    {"gt ht mt", "gc hc mc", "gt mt", "gw mw", "gw ht mt", "gt hw mt", "gt ht mw"},
		tree.Leaf:     {"ht mt", "hc mc", "mw", "ht mw"},
		tree.GrandSib: {"gt ht mt st", "gc hc mc sc", "gc mc sc"},
		tree.TriSib:   {"ht mt st tt", "hc mc sc tc", "mc sc tc"},
		tree.End:      {"ht mt", "hc mc", "hw mt", "ht"},
	},
	labels: []string{
		"ht mt", "mt", "ht mw mt", "hw ht mt", "hw mw", "hw mt", "ht mw", "mw", "hc mc", "ht mt-1 mt", "ht mt mt+1",
		"hf mf", "ht mf", "ht mt st", "ht mt tt", "hc mc lc rc", "gt ht mt",
	},
	below: []string{"mc lw", "hc mc lt"},
}

// pruning are the templates of the pruner: few words, so that it is no surer of the treebank that it
// has learned from than of other text.
var pruning = features{
	between:  sets,
	head:     []string{"ht", "ht ht-1", "ht ht+1", "hw"},
	modifier: []string{"mt", "mt mt-1", "mt mt+1", "mw"},
	arcs: []string{"ht mt", "hc mc", "ht mw", "hw mt", "ht ht+1 mt-1 mt", "ht-1 ht mt-1 mt", "ht ht+1 mt mt+1",
		"ht-1 ht mt mt+1",
		"hc-1 hc hc+1 mc-1 mc mc+1"},
}
