import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'

const SOURCES = ['console/src', 'console/public', 'console/index.html', 'console/vite.config.ts']

/** Builds the console before any test if it is older than its sources, so that no test uses an old build. */
export default function setup(): void {
  const built = statSync('dist/console/index.html', { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (SOURCES.every((path) => newest(path) <= built)) return
  const { status, stderr } = spawnSync('npx', ['vite', 'build', '--logLevel', 'error'], {
    cwd: 'console',
    encoding: 'utf8',
    // The test runner sets `test`, which would build React's development version.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (status !== 0) throw new Error(`The console could not be built: ${stderr}`)
}

function newest(path: string): number {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newest(`${path}/${name}`)))
}
