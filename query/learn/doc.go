// Package learn runs the statements that train: TRAIN, TUNE, REPLAY, and RESUME and CANCEL JOB. It binds options and
// inputs, waits for its turn in the queue of package jobs, trains (with answers of models of other folds where inputs
// are annotated), scores with package score, and publishes a version with its lineage.
package learn
