// Package numeric is the page of the numerical foundation: code on plain numbers that knows no documents, features or
// models. Everything may import it; it imports nothing else of Parlance.
//
// optimize minimises functions of many variables; tensor and lowrank decompose tensors and sparse matrices; topk
// keeps the best of many scores; assignment matches two sides by weighted pairs; fastexp is an exponential for
// inner loops; buffer reuses slices; parallel runs loops over shards on several goroutines and reduces them in
// order; pool keeps workers between short batches.
package numeric
