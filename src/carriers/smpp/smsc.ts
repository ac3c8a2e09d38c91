import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { makeChance } from './chance.ts'
import { encodeText } from './encode-text.ts'
import { makeHandsets, type Handsets } from './handset.ts'
import { makePdu } from './pdu.ts'
import { makeMailbox, type Mailbox } from './smsc-mailbox.ts'
import { serveEsme, type Esme, type SmscHouse } from './smsc-esme.ts'
import { smscSettings, type SmscWish } from './smsc-settings.ts'

/**
 * An SMSC to try the gateway on without a carrier, as patient or as nasty as its settings say. It keeps what handsets
 * would show and counts what happened, so that a test can tell what was lost and what came twice.
 */
export async function startSmsc(wish: SmscWish = {}): Promise<Smsc> {
  let settings = smscSettings(wish)
  const timers = new Set<NodeJS.Timeout>()
  const mailboxes = new Map<string, Mailbox>()
  const esmes = new Set<Esme>()
  const house: SmscHouse = {
    settings: () => settings,
    chance: makeChance(settings.seed),
    handsets: makeHandsets(settings.alphabet, settings.remember),
    counts: { ...NO_COUNTS },
    messages: new Map(),
    taken: new Map(),
    esmes,
    mailbox,
    later,
  }

  function mailbox(system_id: string): Mailbox {
    const known = mailboxes.get(system_id)
    if (known) return known
    const made = makeMailbox(house, () => [...esmes].filter((esme) => esme.system_id === system_id && esme.receives))
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
    house.counts.connections++
    serveEsme(house, socket)
  }
  const { tls } = settings
  const server =
    tls === null
      ? createServer({ noDelay: true }, onSocket)
      : createTlsServer({ ...tls, requestCert: tls.ca !== undefined, noDelay: true }, onSocket)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(settings.port, settings.host, resolve)
  })

  async function sendText({ from, to, text, system_id, long = 'udh8' }: HandsetText): Promise<void> {
    const { alphabet } = settings
    const account = system_id ?? [...esmes].find((esme) => esme.receives)?.system_id ?? [...mailboxes.keys()][0]
    if (account === undefined) throw new Error('Nobody has bound yet: the text has nowhere to go.')
    const parts = encodeText(text, { alphabet, long }, ++house.counts.texts)
    await Promise.all(
      parts.map((part) => {
        const sm = makePdu('deliver_sm', { ...part, source_addr: from, destination_addr: to })
        return new Promise<void>((resolve) => mailbox(account).post({ sm, onTaken: resolve }))
      }),
    )
  }

  async function stop(): Promise<void> {
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
    cut()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  function cut(): void {
    for (const esme of house.esmes) esme.cut()
  }

  return {
    port: (server.address() as AddressInfo).port,
    counts: house.counts,
    handsets: house.handsets,
    get bound() {
      return esmes.size
    },
    change: (wish) => void (settings = smscSettings(wish, settings)),
    sendText,
    cut,
    stop,
  }
}

export type Smsc = {
  readonly port: number
  readonly counts: Readonly<SmscCounts>
  readonly handsets: Handsets
  /** Connections that are bound. */
  readonly bound: number
  /** From now on; the seed, the address and what is remembered stay as they were. */
  change(wish: SmscWish): void
  /** A text from a handset; resolves when every part was acknowledged. Waits for a bind, if none is up. */
  sendText(text: HandsetText): Promise<void>
  /** Cuts every connection without a word. */
  cut(): void
  stop(): Promise<void>
}

export type HandsetText = {
  from: string
  to: string
  text: string
  /** Whose text it is; otherwise that of whoever is bound. */
  system_id?: string
  long?: 'udh8' | 'udh16' | 'sar' | 'payload'
}

const NO_COUNTS = {
  connections: 0,
  binds: 0,
  binds_refused: 0,
  /** submit_sm and data_sm, every part and every attempt. */
  submits: 0,
  accepted: 0,
  throttled: 0,
  refused: 0,
  cut: 0,
  silent: 0,
  reports: 0,
  reports_taken: 0,
  texts: 0,
  /** deliver_sm that had to be sent again. */
  retried: 0,
  queries: 0,
  cancels: 0,
  unbinds: 0,
  /** PDUs that could not be read. */
  faults: 0,
}

export type SmscCounts = typeof NO_COUNTS
