package mention

import (
	"strconv"
	"strings"

	"parlance/algo/kind"
)

// tops are the synsets that name what nouns are about; the first one above a sense counts.
var tops = map[string]string{"person.n.01": "person", "animal.n.01": "animal", "group.n.01": "group",
	"social_group.n.01": "group", "plant.n.02": "plant", "food.n.01": "substance", "substance.n.01": "substance",
	"location.n.01": "place", "region.n.03": "place", "structure.n.01": "place", "artifact.n.01": "artifact",
	"body_part.n.01": "body", "event.n.01": "event", "act.n.02": "event", "time_period.n.01": "time",
	"time_unit.n.01": "time", "communication.n.02": "communication", "cognition.n.01": "thought",
	"measure.n.02": "measure", "possession.n.02": "possession", "feeling.n.01": "feeling", "attribute.n.02": "attribute",
	"state.n.02": "state", "relation.n.01": "relation", "process.n.06": "process", "phenomenon.n.01": "phenomenon"}

// FirstSense is the synset of the commonest sense of a noun, "" for what is no noun: that which is called by the word
// and has the lowest number, else the one with the lowest number.
func FirstSense(wn kind.KB, lemma string) string {
	best, rank := "", 1<<30
	name := strings.ReplaceAll(lemma, " ", "_")
	for _, s := range wn.Objects(lemma, "synset") {
		at := strings.Index(s, ".n.")
		if at < 0 {
			continue
		}
		n, err := strconv.Atoi(s[at+3:])
		if err != nil {
			continue
		}
		if strings.ReplaceAll(s[:at], " ", "_") != name {
			n += 1000
		}
		if n < rank {
			best, rank = s, n
		}
	}
	return best
}

// Hypernyms appends what is above a synset by one way up, the synset first, at most most of them.
func Hypernyms(wn kind.KB, synset string, most int, out []string) []string {
	for range most {
		if synset == "" {
			break
		}
		out = append(out, synset)
		up := wn.Objects(synset, "hypernym")
		if len(up) == 0 {
			up = wn.Objects(synset, "instance_hypernym")
		}
		synset = ""
		if len(up) > 0 {
			synset = up[0]
		}
	}
	return out
}

// Sense is what the commonest sense of a noun is about, such as person, place or event; "" where it is unknown.
func Sense(wn kind.KB, lemma string) string {
	for _, s := range Hypernyms(wn, FirstSense(wn, lemma), 20, nil) {
		if t, ok := tops[strings.ReplaceAll(s, " ", "_")]; ok {
			return t
		}
	}
	return ""
}
