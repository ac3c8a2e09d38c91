import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start } from './processes.ts'

export type Kannel = { port: number; status_url: string; stop(): Promise<void> }

const BEARERBOX = '/usr/sbin/bearerbox'
const SMSBOX = '/usr/sbin/smsbox'
const UP_MS = 10_000

type KannelWish = {
  /** What it binds with. */
  system_id?: string
  password?: string
  /** Groups that are added to its configuration. */
  also?: string
  /** The group of its SMSC, if that is no transceiver over SMPP. */
  smsc?: string
}

export function hasKannel(): boolean {
  return existsSync(BEARERBOX) && existsSync(SMSBOX)
}

/**
 * Kannel as its user's guide sets it up: bearerbox and smsbox, messages kept in a file, reports matched in memory, one
 * transceiver to the SMSC. Nothing is synced to disk and nothing is charged.
 */
export async function startKannel(smsc_port: number, wish: KannelWish = {}): Promise<Kannel> {
  const folder = await mkdtemp(join(tmpdir(), 'gangan-kannel-'))
  await mkdir(join(folder, 'store'))
  const [admin, box, http] = [await freePort(), await freePort(), await freePort()]
  const file = join(folder, 'kannel.conf')
  await writeFile(file, configuration({ folder, admin, box, http, smsc_port, ...wish }))
  const bearerbox = start(BEARERBOX, [file], { stdio: 'ignore' })
  const status_url = `http://127.0.0.1:${admin}/status.txt?password=bench`
  await answering(status_url)
  const smsbox = start(SMSBOX, [file], { stdio: 'ignore' })
  await answering(`http://127.0.0.1:${http}/`)
  return {
    port: http,
    status_url,
    async stop() {
      await end(smsbox)
      await end(bearerbox)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Places = { folder: string; admin: number; box: number; http: number; smsc_port: number }

function configuration(wish: Places & KannelWish): string {
  const { also = '', smsc = transceiver(wish), ...at } = wish
  return `
group = core
admin-port = ${at.admin}
admin-password = bench
smsbox-port = ${at.box}
box-allow-ip = "127.0.0.1"
box-deny-ip = "*.*.*.*"
log-file = "${at.folder}/bearerbox.log"
log-level = 3
store-type = file
store-location = "${at.folder}/store/messages"
dlr-storage = internal

${smsc}
group = smsbox
smsbox-id = bench
bearerbox-host = 127.0.0.1
sendsms-port = ${at.http}
log-file = "${at.folder}/smsbox.log"
log-level = 3

group = sendsms-user
username = bench
password = bench
max-messages = 10
concatenation = true
${also}`
}

function transceiver({ smsc_port, system_id = 'bench', password = 'bench' }: Places & KannelWish): string {
  return `
group = smsc
smsc = smpp
smsc-id = bench
host = 127.0.0.1
port = ${smsc_port}
smsc-username = ${system_id}
smsc-password = ${password}
system-type = VMA
transceiver-mode = true
max-pending-submits = 100
`
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function answering(url: string): Promise<void> {
  const started = Date.now()
  for (;;) {
    try {
      await (await fetch(url)).text()
      return
    } catch (fault) {
      if (Date.now() - started > UP_MS) throw new Error('Kannel does not start', { cause: fault })
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const patience = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await gone
  clearTimeout(patience)
}
