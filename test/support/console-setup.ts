import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'

const SOURCES = ['console/src', 'console/public', 'console/index.html', 'console/vite.config.ts']

/** Builds the console before any test when it is older than what it is made of, so that no test looks at an old one. */
export default function setup(): void {
  const built = statSync('dist/console/index.html', { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (SOURCES.every((path) => newest(path) <= built)) return
  const { status, stderr } = spawnSync('npx', ['vite', 'build', '--logLevel', 'error'], {
    cwd: 'console',
    encoding: 'utf8',
    // The test runner says `test`, with which React's large form for developers is built.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (status !== 0) throw new Error(`The console could not be built: ${stderr}`)
}

function newest(path: string): number {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newest(`${path}/${name}`)))
}
