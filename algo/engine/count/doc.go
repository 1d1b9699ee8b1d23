// Package count counts keys of any number in bounded memory: pairs of words, subtrees, n-grams, words themselves.
//
// A key is an integer, a tuple of integers in 128 bits, or a string. For a sequence of keys x_1, …, x_m the answer is
//
//	c(k) = |{ i : x_i = k }|   for each k with c(k) ≥ 1, by rising k.
//
// A Writer gathers integers and tuples in a buffer, which takes less time and memory than a hash table, and strings,
// which repeat more, in a hash table. What is full is sorted and becomes a run: rows of key and count by rising key, in
// blocks, each of which can be read alone. Blocks stay in memory while there is room; the others go to a temporary file
// that has no name, so that nothing is left behind. A merge of all runs adds the counts of equal keys:
//
//	c = c_1 + … + c_r   over runs.
//
// Sums of integers commute. So the answer, and each byte of a saved state, depends on the keys alone: not on their
// order, on how many workers or writers there are, on the memory, or on how the keys are cut into shards.
// States of shards are saved, loaded into another counter and merged there.
//
// Files: key.go has the kinds of keys and how blocks encode them, sort.go sorts, spool.go keeps blocks, run.go makes
// and reads runs, merge.go merges them, counter.go and writer.go are what callers use, state.go saves and loads,
// grams.go packs windows of ids into tuples and sums up their prefixes: the n-grams of all orders.
package count
