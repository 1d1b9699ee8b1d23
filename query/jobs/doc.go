// Package jobs manages the trainings of a process: their records, which SHOW JOBS lists, cancelling and waiting for
// them, and the queue of trainings beyond max_trainings. The training itself is in package learn.
package jobs
