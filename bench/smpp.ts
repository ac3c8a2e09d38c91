import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openAccount } from '../src/billing/balance.ts'
import { newSecret } from '../src/callbacks/signature.ts'
import { decideConfig } from '../src/config/config.ts'
import { connect } from '../src/db/connect.ts'
import { startEmbedded } from '../src/db/embedded/start.ts'
import { migrate } from '../src/db/migrate.ts'
import { buildServer } from '../src/http/server.ts'
import { createOrganisation } from '../src/organisations/create.ts'
import { createKey } from '../src/organisations/keys.ts'
import { registerFirstSender } from '../src/senders/decide.ts'
import { makeService } from '../src/service.ts'
import { temporaryFolder } from '../test/support/folder.ts'
import { hasKannel, startKannel } from './kannel.ts'
import type { Figure } from './sends.ts'

const MESSAGES = Number(process.env.BENCH_SMPP ?? 20_000)
const PER_REQUEST = 1_000
const WINDOW = 100
const PER_KANNEL_REQUEST = 100
const LIMIT_MS = 240_000

type Peer = { ask(): Promise<Record<string, number>>; stop(): void }

/**
 * One bind, from the request to the callback: accepted and charged, handed over, reported, settled, told. The message
 * centre answers at once, so it is the gateway that is measured. In sandbox mode, because the endpoint is on this machine.
 */
export async function benchSmpp(): Promise<Figure[]> {
  const folder = await temporaryFolder()
  const postgres = await startEmbedded({ data_dir: folder.path })
  const db = connect(postgres.url_options)
  await migrate(db)
  const peer = await startPeer()
  const { smsc_port = 0, receiver_port } = await peer.ask()
  const gateway = await serve(db, smsc_port)
  const { url, key } = gateway

  const recipients = Array.from({ length: PER_REQUEST }, (_, n) => `234803${String(n).padStart(7, '0')}`).join(',')
  const body = { recipients, content: 'Hello', callback: `http://127.0.0.1:${receiver_port}/` }
  const headers = { authorization: key, 'content-type': 'application/json' }
  const began = performance.now()
  for (let sent = 0; sent < MESSAGES; sent += PER_REQUEST) {
    const { status } = await fetch(`${url}/sms/send`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (status !== 200) throw new Error(`a send was answered with ${status}`)
  }
  const took = await watch(peer, began)
  await gateway.stop()
  peer.stop()
  await db.end({ timeout: 1 })
  await postgres.stop()
  await folder.remove()

  const kannel = hasKannel() ? await timeKannel() : undefined
  const rate = (what: string, of = took): string =>
    `${Math.round((1_000 * MESSAGES) / (of[what] ?? Infinity)).toLocaleString('en')} messages/s`
  return [
    { name: `${MESSAGES.toLocaleString('en')} messages, one bind, window ${WINDOW}: taken`, figure: rate('accepted') },
    { name: '  reports stored and acknowledged', figure: rate('reports_taken') },
    { name: '  from the first request to the last callback', figure: rate('callbacks') },
    ...(kannel
      ? [
          { name: 'Kannel on the same line: taken', figure: rate('accepted', kannel) },
          { name: '  from the first request to the last report told', figure: rate('callbacks', kannel) },
          {
            name: '  Gangan against it',
            figure: `${((kannel.callbacks ?? 0) / (took.callbacks ?? Infinity)).toFixed(2)} ×`,
          },
        ]
      : [{ name: 'Kannel', figure: 'not installed (Debian package kannel): left out' }]),
  ]
}

/** When all messages had been taken, all reports acknowledged, and all callbacks received; in ms from the beginning. */
async function watch(peer: Peer, began: number): Promise<Record<string, number>> {
  const took: Record<string, number> = {}
  while (took.callbacks === undefined) {
    if (performance.now() - began > LIMIT_MS) throw new Error(`not done in time: ${JSON.stringify(await peer.ask())}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const counts = await peer.ask()
    for (const what of ['accepted', 'reports_taken', 'callbacks']) {
      if ((counts[what] ?? 0) >= MESSAGES) took[what] ??= performance.now() - began
    }
  }
  return took
}

/** The same through Kannel, which tells each report to a URL. */
async function timeKannel(): Promise<Record<string, number>> {
  const peer = await startPeer()
  const { smsc_port = 0, receiver_port } = await peer.ask()
  const kannel = await startKannel(smsc_port)
  const to = Array.from({ length: PER_KANNEL_REQUEST }, (_, n) => `234803${String(n).padStart(7, '0')}`).join('+')
  const told = `dlr-mask=3&dlr-url=${encodeURIComponent(`http://127.0.0.1:${receiver_port}/`)}`
  const url = `http://127.0.0.1:${kannel.port}/cgi-bin/sendsms?username=bench&password=bench&from=Bench&text=Hello&${told}&to=${to}`
  while (!(await (await fetch(kannel.status_url)).text()).includes('online')) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const began = performance.now()
  for (let sent = 0; sent < MESSAGES; sent += PER_KANNEL_REQUEST) {
    const { status } = await fetch(url)
    if (status !== 202) throw new Error(`Kannel answered with ${status}`)
  }
  const took = await watch(peer, began)
  await kannel.stop()
  peer.stop()
  return took
}

async function serve(db: ReturnType<typeof connect>, port: number) {
  const carrier = { kind: 'smpp', name: 'line', host: '127.0.0.1', port, system_id: 'bench', password: 'bench' }
  const file = {
    carriers: [{ ...carrier, window: WINDOW }],
    routes: [{ name: 'sms', channel: 'sms', carrier: 'line' }],
  }
  const config = { ...decideConfig({ GANGAN_PEPPER: 'the pepper of the bench' }, file), sandbox: true }
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const service = await makeService({ config, db, log })
  service.startWorkers()
  const app = await buildServer(service.http)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const id = await createOrganisation(
    { db, openAccount, newCallbackSecret: newSecret, registerSender: registerFirstSender },
    { name: 'Bench', default_country: 'NG', default_sender_id: 'Bench', currency: 'NGN', credit: 10n ** 14n },
  )
  const { key } = await createKey({ db }, id, 'live', { name: null, scopes: null, expires_datetime: null })
  return {
    url,
    key,
    async stop() {
      await app.close()
      await service.stop()
    },
  }
}

async function startPeer(): Promise<Peer> {
  const file = fileURLToPath(new URL('smpp-peer.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const first = once(lines, 'line')
  let greeted = false
  return {
    async ask() {
      const answer = greeted ? once(lines, 'line') : first
      if (greeted) child.stdin.write('?\n')
      greeted = true
      const [line] = (await answer) as [string]
      return JSON.parse(line) as Record<string, number>
    },
    stop: () => void child.kill('SIGTERM'),
  }
}
