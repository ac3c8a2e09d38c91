import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Builds the image with buildah and runs it like a container with a read-only root: with the user, environment and
 * entrypoint of the image, and only `/data` and `/tmp` writable. It must become ready and healthy, accept a message,
 * and end within ten seconds of SIGTERM. Requires root to mount. `GANGAN_BASE_IMAGE` replaces the base of the
 * Dockerfile. The build gets this machine's npm settings and additional certificate authorities (`NODE_EXTRA_CA_CERTS`) as
 * docs/install/docker.md describes, and nothing of them may be in the image.
 */

const root = fileURLToPath(new URL('../', import.meta.url))
const base = process.env.GANGAN_BASE_IMAGE
const IMAGE = 'localhost/gangan-test'
const PORT = '18080'
const STOPS_WITHIN_MS = 10_000

if (process.getuid?.() !== 0 || !isThere('buildah')) {
  process.stderr.write('!!! NOT TESTED: the image. It needs buildah, and root.\n')
  process.exit(1)
}

const npmrc = execFileSync('npm', ['config', 'get', 'userconfig'], { encoding: 'utf8' }).trim()
const secrets = { npmrc, ca: process.env.NODE_EXTRA_CA_CERTS ?? '' }
const given = Object.entries(secrets).flatMap(([id, src]) =>
  existsSync(src) ? ['--secret', `id=${id},src=${src}`] : [],
)
const build_args = base === undefined ? [] : ['--build-arg', `BASE=${base}`]
const began = Date.now()
buildah('bud', '--isolation', 'chroot', '--format', 'docker', ...given, ...build_args, '-t', IMAGE, '.')
const inspected: Inspected = JSON.parse(read('inspect', '--type', 'image', IMAGE))
const { config } = inspected.Docker
const [image]: { size: string }[] = JSON.parse(read('images', '--json', IMAGE))
process.stdout.write(`built in ${seconds(began)}, ${image?.size ?? 'of unknown size'}\n`)

type Inspected = {
  Docker: {
    config: {
      User: string
      Env: string[]
      Entrypoint: string[]
      Cmd: string[]
      WorkingDir: string
      Healthcheck: { Test: string[] }
    }
  }
}

const container = execFileSync('buildah', ['from', IMAGE], { encoding: 'utf8' }).trim()
const data = mkdtempSync(join(tmpdir(), 'gangan-image-'))
try {
  const mounted = execFileSync('buildah', ['mount', container], { encoding: 'utf8' }).trim()
  chownSync(data, Number(config.User), Number(config.User))
  for (const file of ['/run/secrets', '/root/.npmrc', '/build']) {
    require(!existsSync(join(mounted, file)), `the image has no ${file}`)
  }
  await runOnce(mounted)
} finally {
  buildah('rm', container)
  rmSync(data, { recursive: true, force: true })
}

async function runOnce(mounted: string): Promise<void> {
  const started = Date.now()
  const child = inContainer(mounted, [...config.Entrypoint, ...config.Cmd], ['ignore', 'pipe', 'inherit'])
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'exit')
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`the container ended before it was ready: ${output}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  process.stdout.write(`ready after ${seconds(started)}\n`)

  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  require(/^Uid:\t1000\t1000/m.test(status) && /^CapEff:\t0+$/m.test(status), 'it runs as user 1000, without rights')
  const mounts = readFileSync(`/proc/${child.pid}/mounts`, 'utf8')
  require(/^\S+ \/ \S+ ro[, ]/m.test(mounts), 'its root is read-only')
  const [kind, ...command] = config.Healthcheck.Test
  const [healthy] = await once(inContainer(mounted, command, 'inherit'), 'exit')
  require(kind === 'CMD' && healthy === 0, 'HEALTHCHECK says that it is healthy')
  require(await takesMessage(/gg_live_\w+/.exec(output)?.[0] ?? ''), 'it takes a message')
  for (const path of ['/console', '/docs', '/docs/runbook', '/openapi.json']) {
    require((await fetch(`http://127.0.0.1:${PORT}${path}`)).ok, `it serves ${path}`)
  }

  const stopped = Date.now()
  child.kill('SIGTERM')
  const [code] = await ended
  require(code === 0 && Date.now() - stopped < STOPS_WITHIN_MS, `it ended ${seconds(stopped)} after SIGTERM`)
}

/** The steps of a container engine that the image depends on. Each command replaces the previous process. */
function inContainer(mounted: string, command: string[], stdio: 'inherit' | ['ignore', 'pipe', 'inherit']) {
  const prepare = `
    mount --bind "$1" "$1" && mount --bind "$2" "$1/data" && mount -t tmpfs none "$1/tmp" && mount -t proc none "$1/proc" \\
      && mount --rbind /dev "$1/dev" && mount -o remount,bind,ro "$1" || exit 1
    root=$1 user=$3 folder=$4; shift 4
    exec chroot --userspec="$user:$user" --groups= "$root" sh -c 'cd "$0" && exec "$@"' "$folder" "$@"`
  const place = [mounted, data, config.User, config.WorkingDir]
  const child: ChildProcess = spawn('unshare', ['--mount', 'sh', '-c', prepare, 'sh', ...place, ...command], {
    env: { ...Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s).slice(0, 2))), PORT },
    stdio,
  })
  return child
}

async function isReady(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${PORT}/ready`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function takesMessage(key: string): Promise<boolean> {
  const { ok } = await fetch(`http://127.0.0.1:${PORT}/sms/send`, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json' },
    body: JSON.stringify({ recipients: '08031234567', content: 'From an image' }),
  })
  return ok
}

function require(held: boolean, what: string): void {
  if (!held) throw new Error(`failed: ${what}`)
  process.stdout.write(`${what}\n`)
}

function isThere(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function buildah(...args: string[]): void {
  execFileSync('buildah', args, { cwd: root, stdio: 'inherit' })
}

function read(...args: string[]): string {
  return execFileSync('buildah', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1_000).toFixed(1)} s`
}
