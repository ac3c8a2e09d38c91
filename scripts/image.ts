import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Builds the image with buildah and runs it: non-root, until it is ready, and stopped by SIGTERM within ten seconds.
 * `GANGAN_BASE_IMAGE` is the base, where it is not the one of the Dockerfile; npm in it asks the registry of this machine.
 */

const root = fileURLToPath(new URL('../', import.meta.url))
const base = process.env.GANGAN_BASE_IMAGE
const IMAGE = 'localhost/gangan-test'
const STOPS_WITHIN_MS = 10_000

try {
  execFileSync('buildah', ['--version'], { stdio: 'ignore' })
} catch {
  process.stderr.write('!!! NOT TESTED: the image. It needs buildah.\n')
  process.exit(1)
}

const npmrc = execFileSync('npm', ['config', 'get', 'userconfig'], { encoding: 'utf8' }).trim()
const given = existsSync(npmrc) ? ['--volume', `${npmrc}:/root/.npmrc:ro`] : []
const build_args = base === undefined ? [] : ['--build-arg', `BASE=${base}`]
const began = Date.now()
buildah('bud', '--isolation', 'chroot', '--format', 'docker', ...given, ...build_args, '-t', IMAGE, '.')
const [image]: { size: string }[] = JSON.parse(
  execFileSync('buildah', ['images', '--json', IMAGE], { encoding: 'utf8' }),
)
process.stdout.write(`built in ${seconds(began)}, ${image?.size ?? 'of unknown size'}\n`)

const container = execFileSync('buildah', ['from', IMAGE], { encoding: 'utf8' }).trim()
try {
  await runOnce(container)
} finally {
  buildah('rm', container)
}

async function runOnce(name: string): Promise<void> {
  const started = Date.now()
  const port = '18080'
  const child = spawn(
    'buildah',
    ['run', '--isolation', 'chroot', '--env', `PORT=${port}`, name, '--', ...entrypoint()],
    {
      stdio: 'inherit',
    },
  )
  const ended = once(child, 'exit')
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error('the container ended before it was ready')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  process.stdout.write(`ready after ${seconds(started)}\n`)
  const stopped = Date.now()
  child.kill('SIGTERM')
  await ended
  const took_ms = Date.now() - stopped
  if (took_ms > STOPS_WITHIN_MS) throw new Error(`it took ${took_ms} ms to stop`)
  process.stdout.write(`stopped after ${seconds(stopped)}\n`)
}

function entrypoint(): string[] {
  return ['node', '/app/node_modules/gangan/bin/gangan.mjs', 'serve']
}

async function isReady(port: string): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/ready`).then(
    ({ ok }) => ok,
    () => false,
  )
}

function buildah(...args: string[]): void {
  execFileSync('buildah', args, { cwd: root, stdio: 'inherit' })
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1_000).toFixed(1)} s`
}
