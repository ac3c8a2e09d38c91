import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { codeOf, EmbeddedFault, postgresFault } from './fault.ts'

type Place = { data_dir: string; cluster_dir: string; account: Account; binaries: Binaries }

export const role = 'gangan'
export const database = 'gangan'

/** Fills an empty folder with a cluster that holds our database and lets nobody in without the password. */
export async function initialiseCluster(place: Place, password: string, signal?: AbortSignal): Promise<void> {
  // C.UTF-8 of the builtin provider sorts by code point and knows the letters of every language, and does not depend
  // on the locales of the machine. The password follows separately: initdb would want it in a file that its user,
  // who is not ours when we are root, can read.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const args = [`--pgdata=${place.cluster_dir}`, `--username=${role}`, '--auth=reject', '--no-instructions', ...locale]
  await run(place, place.binaries.initdb, args, '', signal)
  await writeFile(join(place.cluster_dir, 'pg_hba.conf'), access_rules)
  await runSql(place, [passwordStatement(password), `create database ${database}`], signal)
}

/** Gives our role the password, which must not hold a quote; the cluster must not be running. */
export async function setPassword(place: Place, password: string): Promise<void> {
  await runSql(place, [passwordStatement(password)])
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

function passwordStatement(password: string): string {
  return `alter role ${role} password '${password}'`
}

/** Single-user mode needs no password and opens no port; it reads one statement for each line. */
function runSql(place: Place, statements: string[], signal?: AbortSignal): Promise<void> {
  const args = ['--single', '-D', place.cluster_dir, '-c', 'exit_on_error=on', 'postgres']
  return run(place, place.binaries.postgres, args, `${statements.join('\n')}\n`, signal)
}

function run(place: Place, binary: string, args: string[], input: string, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error)
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
      else if (signal?.aborted === true) reject(signal.reason as Error)
      else reject(postgresFault(place.data_dir, `PostgreSQL could not set up ${place.cluster_dir}`, said))
    })
  })
}

const said_limit = 64_000
