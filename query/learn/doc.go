// Package learn runs the statements that train: TRAIN, TUNE, REPLAY, and RESUME and CANCEL JOB. It binds options and
// inputs, waits for a slot in the queue of package jobs, trains, scores the model with package score, and publishes a
// version with its lineage. With the option jackknife, predictions that a model learns from are made fold by fold.
package learn
