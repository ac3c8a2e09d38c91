import type { Db } from '../../src/db/connect.ts'
import { groupBy } from '../../src/values/group.ts'

type Part = { table_name: string; text: string }

/**
 * The schema of a database as SQL that creates it: extensions, functions, tables with their constraints, indexes and
 * triggers, foreign keys last. Equal schemas give equal texts. Left out are partitions, whose names contain a month, and
 * the functions of `functions/*.sql`.
 */
export async function dumpSchema(db: Db): Promise<string> {
  const members = groupBy([...(await listColumns(db)), ...(await listConstraints(db))], ({ table_name }) => table_name)
  const additions = groupBy(await listAdditions(db), ({ table_name }) => table_name)
  const tables = (await listTables(db)).map(({ table_name, begin, end }) => {
    const inside = members.get(table_name)?.map(({ text }) => `  ${text}`) ?? []
    const table = `${begin} (\n${inside.join(',\n')}\n)${end};`
    return [table, ...(additions.get(table_name)?.map(({ text }) => text) ?? [])].join('\n')
  })
  const parts = [
    'set check_function_bodies = off;',
    ...(await listExtensions(db)),
    ...(await listFunctions(db)),
    ...tables,
    ...(await listForeignKeys(db)),
  ]
  return `${parts.join('\n\n').replaceAll('public.', '').replaceAll(/ +$/gm, '')}\n`
}

async function listTables(db: Db): Promise<{ table_name: string; begin: string; end: string }[]> {
  return db<{ table_name: string; begin: string; end: string }[]>`
    select relname as table_name,
      case relpersistence when 'u' then 'create unlogged table ' else 'create table ' end || relname as begin,
      coalesce(' partition by ' || lower(pg_get_partkeydef(oid)), '')
      || coalesce(' with (' || (
        select string_agg(option, ', ' order by option) from (
          select unnest(reloptions) union all
          select 'toast.' || unnest(toast.reloptions) from pg_class toast where toast.oid = pg_class.reltoastrelid
        ) options (option)
      ) || ')', '') as end
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    order by relname`
}

async function listColumns(db: Db): Promise<Part[]> {
  return db<Part[]>`
    select attrelid::regclass::text as table_name, quote_ident(attname) || ' ' || format_type(atttypid, atttypmod)
      || case when attcollation <> typcollation then ' collate "' || collname || '"' else '' end
      || case when attnotnull then ' not null' else '' end
      || case when attgenerated = 's' then ' generated always as (' || pg_get_expr(adbin, adrelid) || ') stored'
        when attidentity = 'a' then ' generated always as identity'
        when adbin is not null then ' default ' || pg_get_expr(adbin, adrelid)
        else '' end as text
    from pg_attribute
    join pg_class on pg_class.oid = attrelid and relnamespace = 'public'::regnamespace
    join pg_type on pg_type.oid = atttypid
    left join pg_collation on pg_collation.oid = attcollation
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped
    order by attrelid, attnum`
}

async function listConstraints(db: Db): Promise<Part[]> {
  return db<Part[]>`
    select conrelid::regclass::text as table_name, 'constraint ' || conname || ' ' || pg_get_constraintdef(oid) as text
    from pg_constraint where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'c')
    order by position(contype::text in 'puc'), conname`
}

/** Statements after a table: storage of columns, indexes without a constraint, triggers, functions of its row type. */
async function listAdditions(db: Db): Promise<Part[]> {
  return db<Part[]>`
    select table_id::regclass::text as table_name, text from (
      select attrelid as table_id, 1 as kind, attname::text as name,
        format('alter table %s alter column %I set storage external;', attrelid::regclass, attname) as text
      from pg_attribute join pg_type on pg_type.oid = atttypid
      where attnum > 0 and attstorage = 'e' and typstorage <> 'e'
      union all
      select indrelid, 2, indexrelid::regclass::text, pg_get_indexdef(indexrelid) || ';'
      from pg_index
      where not exists (select from pg_constraint where conindid = indexrelid and conrelid = indrelid)
      union all
      select tgrelid, 3, tgname, pg_get_triggerdef(oid) || ';' from pg_trigger where not tgisinternal
      union all
      select typrelid, 4, proname, pg_get_functiondef(pg_proc.oid) || ';'
      from pg_proc join pg_type on pg_type.oid = proargtypes[0] where typrelid <> 0 and ${isOfSchema(db)}
    ) addition
    join pg_class on pg_class.oid = table_id and relnamespace = 'public'::regnamespace
    order by kind, name`
}

async function listExtensions(db: Db): Promise<string[]> {
  const rows = await db<{ text: string }[]>`
    select 'create extension ' || extname || ';' as text
    from pg_extension where extname not in ('plpgsql', 'citus', 'citus_columnar') order by extname`
  return rows.map(({ text }) => text)
}

async function listFunctions(db: Db): Promise<string[]> {
  const rows = await db<{ text: string }[]>`
    select pg_get_functiondef(pg_proc.oid) || ';' as text
    from pg_proc left join pg_type on pg_type.oid = proargtypes[0] and typrelid <> 0
    where typrelid is null and ${isOfSchema(db)}
    order by proname`
  return rows.map(({ text }) => text)
}

/** Neither an extension's function nor one of `functions/*.sql`. */
function isOfSchema(db: Db) {
  return db`
    pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
    and pg_proc.oid not in (select made_function::regprocedure from function_files, unnest(made) made_function)`
}

async function listForeignKeys(db: Db): Promise<string[]> {
  const rows = await db<{ text: string }[]>`
    select format('alter table %s add constraint %s %s;', conrelid::regclass, conname, pg_get_constraintdef(oid)) as text
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
    order by conrelid::regclass::text, conname`
  return rows.map(({ text }) => text)
}
