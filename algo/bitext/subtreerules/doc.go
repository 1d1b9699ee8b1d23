// Package subtreerules is the kind of constraints between trees of two languages, which it learns from parsed pairs of
// sentences with links between their words.
//
// A rule maps a subtree of two or three words of the source to one of the target (Chen, Kazama and Torisawa 2010, sec.
// 4.2): V:0-N:1 => W_1:0-of/ADP:1-W_2:2 says that a noun below a verb before it may become a chain with of between
// both. Numbers are places of heads from 1, 0 for the root; N and V are any noun and verb; W_i is what word i is linked
// to.
//
// Pairs of subtrees are the words of a part of the source tree with those of the part that its images make in the
// target tree (Chen, Kazama, Zhang, Tsuruoka, Zhang, Wang, Torisawa and Li 2011, sec. 4.3.2).
//
// extract.go finds both in a pair of trees, left.go writes and reads source sides, learn.go counts, store.go keeps and
// looks up.
package subtreerules
