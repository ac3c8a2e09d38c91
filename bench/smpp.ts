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
import type { Figure } from './sends.ts'

const MESSAGES = Number(process.env.BENCH_SMPP ?? 20_000)
const PER_REQUEST = 1_000
const WINDOW = 100

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
  const took: Record<string, number> = { requests: performance.now() - began }
  while (took.callbacks === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    const counts = await peer.ask()
    for (const what of ['accepted', 'reports_taken', 'callbacks']) {
      if ((counts[what] ?? 0) >= MESSAGES) took[what] ??= performance.now() - began
    }
  }
  await gateway.stop()
  peer.stop()
  await db.end({ timeout: 1 })
  await postgres.stop()
  await folder.remove()

  const rate = (what: string): string =>
    `${Math.round((1_000 * MESSAGES) / (took[what] ?? Infinity)).toLocaleString('en')} messages/s`
  return [
    { name: `${MESSAGES.toLocaleString('en')} messages, one bind, window ${WINDOW}: taken`, figure: rate('accepted') },
    { name: '  reports stored and acknowledged', figure: rate('reports_taken') },
    { name: '  from the first request to the last callback', figure: rate('callbacks') },
  ]
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
