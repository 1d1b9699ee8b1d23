package metrics

// labelled is something scored by a label: a bracket, an argument of a predicate, a relation.
type labelled[T comparable] struct {
	item  T
	label string
}

// count counts the items of a unit by label, each as often as it stands, and what was taken for what where
// items agree but for the label.
func count[T comparable](t *tally, pairs confusion, gold, predicted []labelled[T]) {
	left := map[labelled[T]]int{}
	for _, p := range predicted {
		left[p]++
	}
	missed := map[T][]string{}
	for _, g := range gold {
		if left[g] > 0 {
			left[g]--
			t.at(g.label)[0]++
			pairs[[2]string{g.label, g.label}]++
			continue
		}
		t.at(g.label)[2]++
		missed[g.item] = append(missed[g.item], g.label)
	}
	for _, p := range predicted {
		if left[p] == 0 {
			continue
		}
		left[p]--
		t.at(p.label)[1]++
		taken := ""
		if list := missed[p.item]; len(list) > 0 {
			taken, missed[p.item] = list[0], list[1:]
		}
		pairs[[2]string{taken, p.label}]++
	}
	for _, list := range missed {
		for _, label := range list {
			pairs[[2]string{label, ""}]++
		}
	}
}

// agree counts what both lists have, what only the predicted and what only the gold one has, each as often as it
// stands.
func agree[T comparable](gold, predicted []T) []float32 {
	left := map[T]int{}
	for _, g := range gold {
		left[g]++
	}
	both := float32(0)
	for _, p := range predicted {
		if left[p] > 0 {
			left[p]--
			both++
		}
	}
	return []float32{both, float32(len(predicted)) - both, float32(len(gold)) - both}
}

// bare returns items without their labels.
func bare[T comparable](list []labelled[T]) []T {
	out := make([]T, len(list))
	for i, x := range list {
		out[i] = x.item
	}
	return out
}

// once returns the list without what stands in it already.
func once[T comparable](list []T) []T {
	seen := make(map[T]bool, len(list))
	out := list[:0]
	for _, x := range list {
		if !seen[x] {
			seen[x] = true
			out = append(out, x)
		}
	}
	return out
}
