import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isUnauthorised, makeCalls, type Fetch, type PhoneIdentity } from './calls.ts'
import { readEvents } from './events.ts'
import { newMemory, type KeptMessage, type PhoneMemory, type PhoneMessage, type PhoneWord } from './memory.ts'

/** What becomes of a message that the phone sends: its states one after the other, and why it failed. */
export type Fate = AsyncIterable<PhoneWord | { state: 'Failed'; error: string }>

export type PhoneEmulatorOptions = PhoneIdentity & {
  /** Puts a message on the air, once. */
  send: (message: PhoneMessage) => Fate
  /** What the app kept when it ran before. */
  memory?: PhoneMemory
  request?: Fetch
  /** How long it waits before it tries again what failed. */
  retry_ms?: number
  battery?: () => number
  onNote?: (sentence: string) => void
}

export type PhoneEmulator = {
  memory: PhoneMemory
  /** Resolves when it has joined. */
  joined: Promise<void>
  /** Somebody texts one of its SIMs. The same id is the same text. */
  receive(text: { from: string; text: string; sim?: number; recipient?: string; id?: string }): void
  ping(): void
  /** Resolves when it has told all that it knows. */
  quiet(): Promise<void>
  /** As when the system kills the app: nothing more is done. */
  kill(): void
  stop(): Promise<void>
}

const RETRY_MS = 2_000
const PING_EVERY_MS = 60_000

/**
 * A phone with the app SMSGate, as its server sees it: it joins, listens, fetches, sends and tells, with the app's calls
 * in the app's order. It keeps what it was given in its memory, and knows by the id what it has: so it sends nothing
 * twice, however often it is given.
 */
export function startPhoneEmulator(options: PhoneEmulatorOptions): PhoneEmulator {
  const memory = options.memory ?? newMemory()
  const retry_ms = options.retry_ms ?? RETRY_MS
  const over = new AbortController()
  const calls = makeCalls(options, memory, options.request ?? fetch, over.signal)
  const note = (sentence: string): void => options.onNote?.(sentence)
  const busy = new Set<Promise<void>>()
  const telling = new Map<string, Promise<void>>()
  let posting: Promise<void> | undefined
  let pulling: Promise<void> | undefined
  let pull_again = false

  /** Again and again, until it is done or the app is killed. */
  async function insist(work: () => Promise<void>): Promise<void> {
    while (!over.signal.aborted) {
      try {
        return await work()
      } catch (fault) {
        if (isUnauthorised(fault)) note('the server does not know this phone')
        await delay(retry_ms, undefined, { signal: over.signal }).catch(() => {})
      }
    }
  }

  function keepBusy(work: Promise<void>): Promise<void> {
    busy.add(work)
    void work.finally(() => busy.delete(work))
    return work
  }

  async function join(): Promise<void> {
    if (memory.registration) {
      try {
        return await calls.update()
      } catch (fault) {
        if (!isUnauthorised(fault)) throw fault
      }
    }
    await calls.register()
    note(`joined as ${memory.registration?.id}`)
  }

  async function listen(): Promise<void> {
    const stream = await calls.openEvents()
    pull()
    for await (const event of readEvents(stream)) {
      if (event === 'MessageEnqueued') pull()
      else if (event === 'SettingsUpdated') await calls.readSettings()
      else if (event === 'WebhooksUpdated') {
        await calls.readWebhooks()
        ping()
      }
    }
    throw new Error('the events have ended')
  }

  /** One at a time; one that is asked for meanwhile follows. */
  function pull(): void {
    pull_again = true
    pulling ??= keepBusy(
      insist(async () => {
        while (pull_again && !over.signal.aborted) {
          pull_again = false
          try {
            for (const message of await calls.pull()) take(message)
          } catch (fault) {
            pull_again = true
            throw fault
          }
        }
      }).finally(() => {
        pulling = undefined
      }),
    )
  }

  function take(message: PhoneMessage): void {
    const kept = memory.messages.get(message.id)
    if (kept) return tell(kept)
    const fresh: KeptMessage = { ...message, state: 'Pending', states: { Pending: new Date().toISOString() } }
    memory.messages.set(message.id, fresh)
    void keepBusy(send(fresh))
  }

  async function send(message: KeptMessage): Promise<void> {
    if (message.valid_until_ms < Date.now()) return move(message, 'Failed', 'TTL expired')
    for await (const fate of options.send(message)) {
      // Android remembers for whom it sends: what it hears is told to the app, though that was killed and came back.
      if (typeof fate === 'string') move(message, fate)
      else move(message, fate.state, fate.error)
    }
  }

  function move(message: KeptMessage, state: PhoneWord, error?: string): void {
    message.state = state
    message.states[state] ??= new Date().toISOString()
    if (error !== undefined) message.error = error
    memory.tell?.(message)
  }

  /** The app tells the state of the moment, so that one that was passed over is not told. */
  function tell(message: KeptMessage): void {
    const before = telling.get(message.id) ?? Promise.resolve()
    const told = before.then(() =>
      insist(async () => {
        const { state } = message
        await calls.tell(message)
        message.told = state
      }),
    )
    telling.set(message.id, told)
    void keepBusy(told)
  }

  function emit(event: string, payload: object, id: string = randomUUID()): void {
    for (const webhook of memory.webhooks.filter((one) => one.event === event)) {
      const body = { id, webhookId: event, event, deviceId: memory.registration?.id, payload }
      memory.posts.push({ url: webhook.url, body: JSON.stringify(body) })
    }
    post()
  }

  function post(): void {
    posting ??= keepBusy(
      insist(async () => {
        for (let [first] = memory.posts; first; [first] = memory.posts) {
          await calls.post(first)
          memory.posts.shift()
        }
      }).finally(() => {
        posting = undefined
      }),
    )
  }

  function ping(): void {
    const check = (observedValue: number) => ({ status: 'pass', observedValue, observedUnit: '', description: '' })
    const checks = {
      'battery:level': check(options.battery?.() ?? 80),
      'battery:charging': check(3),
      'connection:status': check(1),
      'connection:transport': check(4),
      'connection:cellular': check(4),
    }
    emit('system:ping', { health: { status: 'pass', version: 'emulator', releaseId: 0, checks } })
  }

  memory.tell = tell
  const joined = keepBusy(insist(join))
  void joined.then(() => {
    for (const message of memory.messages.values()) if (message.state === 'Pending') void keepBusy(send(message))
    for (const message of memory.messages.values()) if (message.told !== message.state) tell(message)
    if (memory.posts.length > 0) post()
    return insist(listen)
  })
  const pings = setInterval(ping, PING_EVERY_MS)

  return {
    memory,
    joined,
    receive({ from, text, sim = 1, recipient, id = randomUUID() }) {
      const receivedAt = new Date().toISOString()
      emit(
        'sms:received',
        {
          messageId: id.slice(0, 8),
          message: text,
          sender: from,
          phoneNumber: from,
          recipient,
          simNumber: sim,
          receivedAt,
        },
        id,
      )
    },
    ping,
    async quiet() {
      while (busy.size > 0) await Promise.all(busy)
    },
    kill() {
      over.abort()
      clearInterval(pings)
    },
    async stop() {
      over.abort()
      clearInterval(pings)
      await Promise.allSettled(busy)
    },
  }
}
