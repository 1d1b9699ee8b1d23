// Package jobs has the trainings that run in a process: their records, which SHOW JOBS lists, cancelling and waiting
// for them, and the queue in which they wait where max_trainings are under way. What a training does belongs to the
// package that trains.
package jobs
