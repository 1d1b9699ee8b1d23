// Package setting declares the settings: those of sessions, which SET sets, those that clients of PostgreSQL set and
// read, and those of the database, which ALTER SYSTEM sets.
//
// Settings are declared once, as options with their ranges and documentation. A session takes its defaults from the
// database, keeps its settings within the limits of its role, and restores settings at the end of a transaction block.
// The settings of the database are one immutable value: ALTER SYSTEM makes a new one.
//
// The statements that read and change settings are in package engine.
package setting
