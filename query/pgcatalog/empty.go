package pgcatalog

import (
	"strings"

	"parlance/storage/value"
)

// emptyTables are the tables of pg_catalog for features that this database lacks. Queries of clients find no rows
// there.
func emptyTables() []catalogTable {
	var out []catalogTable
	for _, line := range strings.Split(strings.TrimSpace(emptySpec), "\n") {
		name, spec, _ := strings.Cut(line, " ")
		out = append(out, catalogTable{tableDef: tableDef{"pg_catalog", name, "empty", hiddenColumns(spec), noRows},
			oid: emptyOIDs[name], view: emptyOIDs[name] == 0})
	}
	return out
}

func noRows(*Reader) ([][]value.Value, error) { return nil, nil }

// emptyOIDs are the OIDs of those that are tables; the others are views.
var emptyOIDs = map[string]int64{
	"pg_attrdef": 2604, "pg_inherits": 2611, "pg_enum": 3501, "pg_extension": 3079, "pg_range": 3541, "pg_trigger": 2620,
	"pg_policy":       3256,
	"pg_auth_members": 1261, "pg_depend": 2608, "pg_shdepend": 1214, "pg_sequence": 2224, "pg_foreign_table": 3118,
	"pg_foreign_server": 1417, "pg_foreign_data_wrapper": 2328,
	"pg_user_mapping": 1418, "pg_publication": 6104, "pg_publication_rel": 6106, "pg_publication_namespace": 6237,
	"pg_subscription": 6100, "pg_partitioned_table": 3350,
	"pg_rewrite": 2618, "pg_shdescription": 2396, "pg_seclabel": 3596, "pg_shseclabel": 3592, "pg_statistic_ext": 3381,
	"pg_default_acl": 826, "pg_db_role_setting": 2964,
	"pg_operator": 2617, "pg_opclass": 2616, "pg_opfamily": 2753, "pg_amop": 2602, "pg_amproc": 2603, "pg_aggregate": 2600,
	"pg_cast": 2605, "pg_conversion": 2607,
	"pg_event_trigger": 3466, "pg_init_privs": 3394, "pg_largeobject_metadata": 2995, "pg_transform": 3576,
	"pg_ts_config": 3602, "pg_ts_dict": 3600, "pg_ts_parser": 3601, "pg_ts_template": 3764,
}

const emptySpec = `
pg_attrdef oid:int adrelid:int adnum:int adbin
pg_inherits inhrelid:int inhparent:int inhseqno:int inhdetachpending:bool
pg_enum oid:int enumtypid:int enumsortorder:float enumlabel
pg_extension oid:int extname extowner:int extnamespace:int extrelocatable:bool extversion extconfig:json extcondition:json
pg_range rngtypid:int rngsubtype:int rngmultitypid:int rngcollation:int rngsubopc:int rngcanonical:int rngsubdiff:int
pg_trigger oid:int tgrelid:int tgparentid:int tgname tgfoid:int tgtype:int tgenabled tgisinternal:bool tgconstrrelid:int tgconstrindid:int tgconstraint:int tgdeferrable:bool tginitdeferred:bool tgnargs:int tgattr tgargs tgqual tgoldtable tgnewtable
pg_policy oid:int polname polrelid:int polcmd polpermissive:bool polroles:json polqual polwithcheck
pg_auth_members roleid:int member:int grantor:int admin_option:bool
pg_depend classid:int objid:int objsubid:int refclassid:int refobjid:int refobjsubid:int deptype
pg_shdepend dbid:int classid:int objid:int objsubid:int refclassid:int refobjid:int deptype
pg_sequence seqrelid:int seqtypid:int seqstart:int seqincrement:int seqmax:int seqmin:int seqcache:int seqcycle:bool
pg_foreign_table ftrelid:int ftserver:int ftoptions:json
pg_foreign_server oid:int srvname srvowner:int srvfdw:int srvtype srvversion srvacl:json srvoptions:json
pg_foreign_data_wrapper oid:int fdwname fdwowner:int fdwhandler:int fdwvalidator:int fdwacl:json fdwoptions:json
pg_user_mapping oid:int umuser:int umserver:int umoptions:json
pg_publication oid:int pubname pubowner:int puballtables:bool pubinsert:bool pubupdate:bool pubdelete:bool pubtruncate:bool pubviaroot:bool
pg_publication_rel oid:int prpubid:int prrelid:int prqual prattrs
pg_publication_namespace oid:int pnpubid:int pnnspid:int
pg_publication_tables pubname schemaname tablename attnames:json rowfilter
pg_subscription oid:int subdbid:int subskiplsn subname subowner:int subenabled:bool subbinary:bool substream:bool subtwophasestate subdisableonerr:bool subconninfo subslotname subsynccommit subpublications:json
pg_partitioned_table partrelid:int partstrat partnatts:int partdefid:int partattrs partclass partcollation partexprs
pg_rewrite oid:int rulename ev_class:int ev_type ev_enabled is_instead:bool ev_qual ev_action
pg_shdescription objoid:int classoid:int description
pg_seclabel objoid:int classoid:int objsubid:int provider label
pg_seclabels objoid:int classoid:int objsubid:int objtype objnamespace:int objname provider label
pg_shseclabel objoid:int classoid:int provider label
pg_statistic_ext oid:int stxrelid:int stxname stxnamespace:int stxowner:int stxstattarget:int stxkeys stxkind:json stxexprs
pg_default_acl oid:int defaclrole:int defaclnamespace:int defaclobjtype defaclacl:json
pg_db_role_setting setdatabase:int setrole:int setconfig:json
pg_operator oid:int oprname oprnamespace:int oprowner:int oprkind oprcanmerge:bool oprcanhash:bool oprleft:int oprright:int oprresult:int oprcom:int oprnegate:int oprcode:int oprrest:int oprjoin:int
pg_opclass oid:int opcmethod:int opcname opcnamespace:int opcowner:int opcfamily:int opcintype:int opcdefault:bool opckeytype:int
pg_opfamily oid:int opfmethod:int opfname opfnamespace:int opfowner:int
pg_amop oid:int amopfamily:int amoplefttype:int amoprighttype:int amopstrategy:int amoppurpose amopopr:int amopmethod:int amopsortfamily:int
pg_amproc oid:int amprocfamily:int amproclefttype:int amprocrighttype:int amprocnum:int amproc:int
pg_aggregate aggfnoid:int aggkind aggnumdirectargs:int aggtransfn:int aggfinalfn:int aggsortop:int aggtranstype:int agginitval
pg_cast oid:int castsource:int casttarget:int castfunc:int castcontext castmethod
pg_conversion oid:int conname connamespace:int conowner:int conforencoding:int contoencoding:int conproc:int condefault:bool
pg_event_trigger oid:int evtname evtevent evtowner:int evtfoid:int evtenabled evttags:json
pg_init_privs objoid:int classoid:int objsubid:int privtype initprivs:json
pg_largeobject_metadata oid:int lomowner:int lomacl:json
pg_transform oid:int trftype:int trflang:int trffromsql:int trftosql:int
pg_ts_config oid:int cfgname cfgnamespace:int cfgowner:int cfgparser:int
pg_ts_dict oid:int dictname dictnamespace:int dictowner:int dicttemplate:int dictinitoption
pg_ts_parser oid:int prsname prsnamespace:int prsstart:int prstoken:int prsend:int prsheadline:int prslextype:int
pg_ts_template oid:int tmplname tmplnamespace:int tmplinit:int tmpllexize:int
pg_user_mappings umid:int srvid:int srvname umuser:int usename umoptions:json
pg_views schemaname viewname viewowner definition
pg_matviews schemaname matviewname matviewowner tablespace hasindexes:bool ispopulated:bool definition
pg_sequences schemaname sequencename sequenceowner data_type start_value:int min_value:int max_value:int increment_by:int cycle:bool cache_size:int last_value:int
pg_rules schemaname tablename rulename definition
pg_policies schemaname tablename policyname permissive roles:json cmd qual with_check
pg_stats schemaname tablename attname inherited:bool null_frac:float avg_width:int n_distinct:float
pg_group groname grosysid:int grolist:json
pg_locks locktype database:int relation:int page:int tuple:int virtualxid transactionid:int classid:int objid:int objsubid:int virtualtransaction pid:int mode granted:bool fastpath:bool waitstart:time
pg_prepared_xacts transaction:int gid prepared:time Owner database
pg_available_extensions name default_version installed_version comment
pg_available_extension_versions name version installed:bool superuser:bool trusted:bool relocatable:bool schema requires:json comment
pg_stat_database datid:int datname numbackends:int xact_commit:int xact_rollback:int blks_read:int blks_hit:int tup_returned:int tup_fetched:int tup_inserted:int tup_updated:int tup_deleted:int stats_reset:time
pg_stat_replication pid:int usesysid:int usename application_name client_addr state
pg_stat_ssl pid:int ssl:bool version cipher bits:int client_dn client_serial issuer_dn
pg_replication_slots slot_name plugin slot_type datoid:int database temporary:bool active:bool active_pid:int
`
