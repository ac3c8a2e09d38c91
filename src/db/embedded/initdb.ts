import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { EmbeddedFault, postgresFault } from './fault.ts'
import { asError, codeOf } from '../../values/thrown.ts'

type Place = { data_dir: string; cluster_dir: string; account: Account; binaries: Binaries }

/** The cluster's superuser, used only for setup. */
export const administrator = 'gangan'
/** The role of the service: it owns the database and has no other privileges. */
export const role = 'gangan_service'
export const database = 'gangan'

export type Passwords = { administrator: string; service: string }

/** Creates a cluster with our database in an empty folder; every connection needs a password. */
export async function initialiseCluster(place: Place, passwords: Passwords, signal?: AbortSignal): Promise<void> {
  // C.UTF-8 of the builtin provider sorts by code point, knows the characters of every language, and does not depend on
  // the locales of the machine. The password is set later: initdb would read it from a file that its user, another one
  // if we are root, can read.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const args = [
    `--pgdata=${place.cluster_dir}`,
    `--username=${administrator}`,
    '--auth=reject',
    '--no-instructions',
    ...locale,
  ]
  await run(place, place.binaries.initdb, args, '', signal)
  await writeFile(join(place.cluster_dir, 'pg_hba.conf'), access_rules)
  const statements = [passwordStatement(administrator, passwords.administrator), `create database ${database}`]
  await runSql(place, 'postgres', [...statements, ...roleStatements(passwords.service)], signal)
}

/** Gives the superuser a password, which must not hold a quote; the cluster must not be running. */
export async function setPassword(place: Place, password: string): Promise<void> {
  await runSql(place, 'postgres', [passwordStatement(administrator, password)])
}

/**
 * Creates the service's role or sets its password, and makes it the owner of all objects of the superuser. Idempotent;
 * the cluster must not be running.
 */
export async function setRole(place: Place, password: string, signal?: AbortSignal): Promise<void> {
  await runSql(place, 'postgres', roleStatements(password), signal)
  await runSql(place, database, [reassignStatement()], signal)
}

/** The environment of every process of PostgreSQL: none of the PG variables of the operator's shell. */
export const environment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }

/** A child could not be run at all. */
export function spawnFault(binary: string, cause: unknown): EmbeddedFault {
  return new EmbeddedFault(
    `PostgreSQL could not be run from ${binary} (${codeOf(cause)}): its binaries need a system with glibc; on any other set DATABASE_URL to a PostgreSQL of your own.`,
    { cause },
  )
}

const access_rules = `local all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
`

function passwordStatement(name: string, password: string): string {
  return `alter role ${name} password '${password}'`
}

function roleStatements(password: string): string[] {
  const missing = `not exists (select from pg_roles where rolname = '${role}')`
  return [
    `do $$ begin if ${missing} then create role ${role}; end if; end $$`,
    `alter role ${role} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls`,
    passwordStatement(role, password),
    `alter database ${database} owner to ${role}`,
  ]
}

/**
 * Whatever the superuser owns in our schemas becomes the service's. `reassign owned` cannot do it, because this
 * superuser owns the catalogue as well. Of extensions, and of sequences that go with their table, only the whole moves.
 */
function reassignStatement(): string {
  const theirs = (catalogue: string, owner: string, bound: string) =>
    `${owner} = '${administrator}'::regrole and not exists (select from pg_depend d where d.classid = '${catalogue}'::regclass and d.objid = o.oid and d.deptype in (${bound}))`
  const inSchemas = (column: string) =>
    `${column} in (select oid from pg_namespace where nspname not like 'pg\\_%' and nspname <> 'information_schema')`
  const moves = [
    `select format('schema %I', nspname) from pg_namespace o where ${inSchemas('oid')} and ${theirs('pg_namespace', 'nspowner', `'e'`)}`,
    `select format('table %s', oid::regclass) from pg_class o where relkind in ('r', 'p', 'v', 'm', 'f') and ${inSchemas('relnamespace')} and ${theirs('pg_class', 'relowner', `'e'`)}`,
    `select format('sequence %s', oid::regclass) from pg_class o where relkind = 'S' and ${inSchemas('relnamespace')} and ${theirs('pg_class', 'relowner', `'e', 'a', 'i'`)}`,
    `select format('routine %s', oid::regprocedure) from pg_proc o where ${inSchemas('pronamespace')} and ${theirs('pg_proc', 'proowner', `'e', 'i'`)}`,
    `select format('type %s', oid::regtype) from pg_type o where typtype in ('e', 'd', 'r') and ${inSchemas('typnamespace')} and ${theirs('pg_type', 'typowner', `'e', 'i'`)}`,
    `select format('statistics %I.%I', stxnamespace::regnamespace, stxname) from pg_statistic_ext o where ${inSchemas('stxnamespace')} and ${theirs('pg_statistic_ext', 'stxowner', `'e'`)}`,
  ]
  const loops = moves.map(
    (move) => `for what in ${move} loop execute 'alter ' || what || ' owner to ${role}'; end loop;`,
  )
  return `do $$ declare what text; begin ${loops.join(' ')} end $$`
}

/** Single-user mode needs no password and opens no port; it reads one statement for each line. */
function runSql(place: Place, where: string, statements: string[], signal?: AbortSignal): Promise<void> {
  const args = ['--single', '-D', place.cluster_dir, '-c', 'exit_on_error=on', where]
  return run(place, place.binaries.postgres, args, `${statements.join('\n')}\n`, signal)
}

function run(place: Place, binary: string, args: string[], input: string, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(asError(signal.reason))
    // Our own working folder may be closed to the account.
    const child = spawn(binary, args, { ...place.account, cwd: '/', env: environment, stdio: 'pipe' })
    let said = ''
    const listen = (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(0, said_limit)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    const breakOff = () => void child.kill()
    signal?.addEventListener('abort', breakOff)
    child.on('error', (cause) => reject(spawnFault(binary, cause)))
    child.on('close', (code) => {
      signal?.removeEventListener('abort', breakOff)
      if (code === 0) resolve()
      else if (signal?.aborted === true) reject(asError(signal.reason))
      else reject(postgresFault(place.data_dir, `PostgreSQL could not set up ${place.cluster_dir}`, said))
    })
  })
}

const said_limit = 64_000
