// Package numeric is the page of the numerical foundation: code on plain numbers that knows no documents, features or
// models. Everything may import it; it imports nothing of Parlance.
//
// optimize minimises functions of many variables; tensor and lowrank decompose tensors and sparse matrices; topk
// keeps the best of many scores; assignment matches two sides by weighted pairs; fastexp is an exponential for
// inner loops; buffer reuses slices; pool keeps workers between short batches.
package numeric
