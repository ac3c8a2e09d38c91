import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'

/** Builds before a start, unless `dist` is newer than everything it is made of: a start should take a moment. */
const SOURCES = ['src', 'tsconfig.json', 'tsconfig.build.json', 'package.json', ...consoleSources()]

const built = age('dist/main.js')
const stale = built === 0 || SOURCES.some((path) => newest(path) > built)
if (stale) {
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}

/** Without what an install puts there. */
function consoleSources() {
  return ['src', 'public', 'index.html', 'vite.config.ts', 'package.json'].map((name) => `console/${name}`)
}

function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(`${path}/${name}`)))
}

function age(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
