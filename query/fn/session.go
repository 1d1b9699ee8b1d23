package fn

import "parlance/storage/value"

// sessionFuncs tell about the session and the database.
var sessionFuncs = []Func{
	{Name: "version", Doc: "version of the program, in the form that clients of PostgreSQL read", Example: "left(version(), 13)", Result: text, Host: true},
	{Name: "current_database", Doc: "name of the database: that of its file without the ending, or the one that the client asked for", Example: "current_database() = current_catalog", Result: text, Host: true},
	{Name: "current_schema", Doc: "first schema of search_path", Example: "current_schema()", Result: text, Host: true},
	{Name: "current_schemas", Doc: "schemas of search_path, after pg_catalog where the argument is true", Example: "current_schemas(true)", Args: []value.Type{boolean}, Result: value.JSON, Host: true},
	{Name: "current_user", Doc: "name of the user", Example: "current_user() = session_user", Result: text, Host: true},
	{Name: "session_user", Doc: "the same", Example: "session_user() = current_user", Result: text, Host: true},
	{Name: "now", Doc: "when the transaction block began, outside of one the statement", Example: "now() > '2020-01-01'::timestamp", Result: value.Timestamp, Host: true, Volatile: true},
	{Name: "transaction_timestamp", Doc: "the same as now()", Example: "transaction_timestamp() = now()", Result: value.Timestamp, Host: true, Volatile: true},
	{Name: "current_timestamp", Doc: "the same as now(), also without parentheses; the argument is how many decimals seconds have, 0 to 6, more being 6", Example: "current_timestamp(0) <= now() + '1 second'", Args: []value.Type{integer}, Optional: 1, Result: value.Timestamp, Host: true, Volatile: true},
	{Name: "localtimestamp", Doc: "the same as current_timestamp", Example: "localtimestamp(6) = now()", Args: []value.Type{integer}, Optional: 1, Result: value.Timestamp, Host: true, Volatile: true},
	{Name: "current_date", Doc: "the day of now() in UTC, also without parentheses", Example: "current_date() <= now()", Result: value.Timestamp, Host: true, Volatile: true},
	{Name: "statement_timestamp", Doc: "when the statement began", Example: "statement_timestamp() >= now()", Result: value.Timestamp, Host: true, Volatile: true},
	{Name: "current_setting", Doc: "value of a setting; for an unknown one an error, or NULL where the second argument is true", Example: "current_setting('client_encoding')", Args: []value.Type{text, boolean}, Optional: 1, Result: text, Host: true},
	{Name: "set_config", Doc: "sets a setting of the session and returns its value; with true until the end of the transaction block", Example: "set_config('application_name', 'report', false)", Args: []value.Type{text, text, boolean}, Result: text, Host: true, Volatile: true},
	{Name: "random", Doc: "a number from 0 to below 1. Each statement gets a sequence of its own, which depends on SET seed and on how many statements called random() since, so that a session that does the same again gets the same numbers", Example: "random() < 1", Result: float, Host: true, Volatile: true},
	{Name: "setseed", Doc: "SET seed, from -1 to 1; an empty text", Example: "setseed(0)", Args: []value.Type{float}, Result: text, Host: true, Volatile: true},
	{Name: "pg_backend_pid", Doc: "number of the session, 0 where no client is connected", Example: "pg_backend_pid() >= 0", Result: integer, Host: true},
	{Name: "pg_cancel_backend", Doc: "cancels what the session of a number runs, of the own user or as an administrator, and tells whether there is one", Example: "pg_cancel_backend(0)", Args: []value.Type{integer}, Result: boolean, Host: true, Volatile: true},
	{Name: "pg_terminate_backend", Doc: "CANCEL SESSION: ends the session of a number and undoes its transaction block, and tells whether there is one; the second argument is for how many milliseconds its end is waited for", Example: "pg_terminate_backend(0)", Args: []value.Type{integer, integer}, Optional: 1, Result: boolean, Host: true, Volatile: true},
	{Name: "pg_client_encoding", Doc: "character encoding of the client", Example: "pg_client_encoding()", Result: text, Host: true},
	{Name: "getdatabaseencoding", Doc: "character encoding of the database", Example: "getdatabaseencoding()", Result: text, Host: true},
	{Name: "pg_postmaster_start_time", Doc: "when the database was opened", Example: "pg_postmaster_start_time() <= now()", Result: value.Timestamp, Host: true},
	{Name: "pg_advisory_unlock_all", Doc: "an empty text: there are no advisory locks to give back", Example: "pg_advisory_unlock_all()", Result: text, Host: true},
	{Name: "pg_is_in_recovery", Doc: "false: there are no replicas", Example: "pg_is_in_recovery()", Result: boolean, Host: true},
	{Name: "txid_current", Doc: "number of the state of the database that the statement reads", Example: "txid_current() > 0", Result: integer, Host: true},
	{Name: "inet_server_addr", Doc: "address of the server, NULL where no client is connected", Example: "inet_server_addr() IS NULL", Result: text, Host: true},
	{Name: "inet_server_port", Doc: "port of the server, NULL where no client is connected", Example: "inet_server_port() IS NULL", Result: integer, Host: true},
	{Name: "inet_client_addr", Doc: "address of the client, NULL where none is connected", Example: "inet_client_addr() IS NULL", Result: text, Host: true},
	{Name: "inet_client_port", Doc: "port of the client, NULL where none is connected", Example: "inet_client_port() IS NULL", Result: integer, Host: true},
}
