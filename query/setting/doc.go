// Package setting declares the settings: those of sessions, which SET sets, those that clients of PostgreSQL set and
// ask for, and those of the database, which ALTER SYSTEM sets.
//
// Settings are declared once, as options with their ranges and documentation. A session takes its defaults from the
// database, keeps what SET has set below the ceilings of its role, and brings settings back at the end of a
// transaction block. The settings of the database are one value that never changes: ALTER SYSTEM makes a new one.
//
// What statements do with settings belongs to query/exec.
package setting
