import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { makeBoundedCache } from '../../values/concurrency/bounded-cache.ts'
import { makeRandom } from './random.ts'
import { encodeText } from '../../carriers/codec/encode-text.ts'
import { makeHandsets, type Handsets } from './handset.ts'
import { makePdu } from '../../carriers/codec/pdu.ts'
import { makeMailbox } from './mailbox.ts'
import { NO_COUNTS, type Esme, type Mailbox, type SmscCounts, type SmscState, type TakeSubmit } from './state.ts'
import { serveEsme } from './esme.ts'
import { smscSettings, type SmscOptions } from './settings.ts'
import { takeSubmit } from './submit.ts'
import { listeningPort } from '../../values/listening-port.ts'

/**
 * An emulated SMSC with configurable errors. It keeps the texts that handsets display and counts events, so that a test can
 * detect lost and duplicated messages.
 */
export async function startSmsc(options: SmscOptions = {}, take: TakeSubmit = takeSubmit): Promise<Smsc> {
  let settings = smscSettings(options)
  const timers = new Set<NodeJS.Timeout>()
  const mailboxes = new Map<string, Mailbox>()
  const esmes = new Set<Esme>()
  const sockets = new Set<Socket>()
  let outage: SmscOutage | null = null
  const smsc: SmscState = {
    settings: () => settings,
    take,
    random: makeRandom(settings.seed),
    handsets: makeHandsets(settings.alphabet, settings.remember),
    counts: { ...NO_COUNTS },
    messages: makeBoundedCache(settings.remember),
    taken: new Map(),
    esmes,
    mailbox,
    later,
  }

  function mailbox(system_id: string): Mailbox {
    const known = mailboxes.get(system_id)
    if (known) return known
    const made = makeMailbox(smsc, () => [...esmes].filter((esme) => esme.system_id === system_id && esme.receives))
    mailboxes.set(system_id, made)
    return made
  }

  function later(time_ms: number, work: () => void): void {
    if (time_ms <= 0) return work()
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, time_ms)
    timers.add(timer)
  }

  const onSocket = (socket: Socket) => {
    smsc.counts.connections++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (outage === 'silent') ignore(socket)
    else serveEsme(smsc, socket)
  }
  const { tls } = settings
  const server =
    tls === null
      ? createServer({ noDelay: true }, onSocket)
      : createTlsServer({ ...tls, requestCert: tls.ca !== undefined, noDelay: true }, onSocket)
  await listen(settings.port)
  const port = listeningPort(server)

  async function listen(on_port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(on_port, settings.host, () => {
        server.off('error', reject)
        resolve()
      })
    })
  }

  async function sendText({ from, to, text, system_id, long = 'udh8' }: HandsetText): Promise<void> {
    const { alphabet } = settings
    const account = system_id ?? [...esmes].find((esme) => esme.receives)?.system_id ?? [...mailboxes.keys()][0]
    if (account === undefined) throw new Error('No ESME has bound yet, so the text has no receiver.')
    const segments = encodeText(text, { alphabet, long }, ++smsc.counts.texts)
    await Promise.all(
      segments.map((segment) => {
        const sm = makePdu('deliver_sm', { ...segment, source_addr: from, destination_addr: to })
        return new Promise<void>((resolve) => mailbox(account).post({ sm, onTaken: resolve }))
      }),
    )
  }

  async function interrupt(kind: SmscOutage | null): Promise<void> {
    if (kind === outage) return
    const was_refused = outage === 'refused'
    outage = kind
    if (kind === 'silent') {
      esmes.clear()
      for (const socket of sockets) ignore(socket)
    } else for (const socket of sockets) socket.destroy()
    if (kind === 'refused') await new Promise<void>((resolve) => server.close(() => resolve()))
    else if (was_refused) await listen(port)
  }

  async function stop(): Promise<void> {
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  function cut(): void {
    for (const esme of smsc.esmes) esme.cut()
  }

  return {
    port,
    counts: smsc.counts,
    handsets: smsc.handsets,
    get bound() {
      return esmes.size
    },
    change: (wanted) => void (settings = smscSettings(wanted, settings)),
    sendText,
    cut,
    interrupt,
    stop,
  }
}

/** Reads and drops what arrives, until the peer closes. */
function ignore(socket: Socket): void {
  socket.removeAllListeners('data')
  socket.on('error', () => {})
  socket.resume()
}

export type Smsc = {
  readonly port: number
  readonly counts: Readonly<SmscCounts>
  readonly handsets: Handsets
  /** Connections that are bound. */
  readonly bound: number
  /** Changes settings at runtime, except seed, address and `remember`. */
  change(options: SmscOptions): void
  /** Sends a text from a handset; resolves when every segment is acknowledged. Waits for a bind if none is up. */
  sendText(text: HandsetText): Promise<void>
  /** Cuts every connection without an unbind. */
  cut(): void
  /** Refuses connections, or keeps them and answers nothing; null ends this and cuts the silent connections. */
  interrupt(kind: SmscOutage | null): Promise<void>
  stop(): Promise<void>
}

export type SmscOutage = 'refused' | 'silent'

export type HandsetText = {
  from: string
  to: string
  text: string
  /** The account that receives it; by default one that is bound. */
  system_id?: string
  long?: 'udh8' | 'udh16' | 'sar' | 'payload'
}
