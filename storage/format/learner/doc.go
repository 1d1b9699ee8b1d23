// Package learner reads and writes the data of programs that train models: CRFsuite, CRF++, SVMlight and their kin.
package learner
