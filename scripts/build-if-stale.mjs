import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'

/** Builds before a start, unless `dist` is newer than its sources, so that a start is fast. */
const PARTS = [
  { built: 'dist/main.js', sources: ['src', 'scripts/build.mjs', 'tsconfig.json', 'package.json'] },
  { built: 'dist/console/index.html', sources: ['console', 'scripts/texts'] },
]
const NOT_SOURCES = new Set(['node_modules', 'dist'])

const stale = PARTS.some(({ built, sources }) => {
  const since = age(built)
  return since === 0 || sources.some((path) => newest(path) > since)
})
if (stale) {
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}

function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  const names = readdirSync(path).filter((name) => !NOT_SOURCES.has(name))
  return Math.max(stat.mtimeMs, ...names.map((name) => newest(`${path}/${name}`)))
}

function age(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
