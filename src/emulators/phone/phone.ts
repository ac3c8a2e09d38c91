import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isUnauthorised, makeCalls, type Fetch, type PhoneIdentity } from './calls.ts'
import { newMemory, type KeptMessage, type PhoneMemory, type PhoneMessage, type PhoneState } from './memory.ts'

/** The successive states of a message that the phone sends, and the error of a failure. */
export type Fate = AsyncIterable<PhoneState | { state: 'Failed'; error: string }>

export type PhoneEmulatorOptions = PhoneIdentity & {
  /** Sends a message; called once for each. */
  send: (message: PhoneMessage) => Fate
  /** The storage of an earlier run. */
  memory?: PhoneMemory
  request?: Fetch
  /** Pause before a failed request is retried. */
  retry_ms?: number
  battery?: () => number
  onNote?: (sentence: string) => void
}

export type PhoneEmulator = {
  memory: PhoneMemory
  /** Resolves when the phone is registered. */
  joined: Promise<void>
  /** Receives a text on one of its SIMs; the id identifies it. */
  receive(text: { from: string; text: string; sim?: number; recipient?: string; id?: string }): void
  ping(): void
  /** Resolves when everything is reported. */
  quiet(): Promise<void>
  /** As when Android kills the app. */
  kill(): void
  stop(): Promise<void>
}

const RETRY_MS = 2_000
const PING_EVERY_MS = 60_000

/**
 * A phone with the app SMSGate, as its server sees it: it registers, listens for events, fetches messages, sends them and
 * reports their states, with the app's requests in the app's order. It stores messages by id and so sends none twice.
 */
export function startPhoneEmulator(options: PhoneEmulatorOptions): PhoneEmulator {
  const memory = options.memory ?? newMemory()
  const retry_ms = options.retry_ms ?? RETRY_MS
  const over = new AbortController()
  const calls = makeCalls(options, memory, options.request ?? fetch, over.signal)
  const note = (sentence: string): void => options.onNote?.(sentence)
  const busy = new Set<Promise<void>>()
  const reporting = new Map<string, Promise<void>>()
  let posting: Promise<void> | undefined
  let pulling: Promise<void> | undefined
  let pull_again = false

  /** Retries until it succeeds or the app is killed. */
  async function retry(work: () => Promise<void>): Promise<void> {
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
    const events = await calls.openEvents()
    pull()
    for await (const event of events) {
      if (event === 'MessageEnqueued') pull()
      else if (event === 'SettingsUpdated') await calls.readSettings()
      else if (event === 'WebhooksUpdated') {
        await calls.readWebhooks()
        ping()
      }
    }
    throw new Error('the event stream ended')
  }

  /** One at a time; a request during a pull causes another one after it. */
  function pull(): void {
    pull_again = true
    pulling ??= keepBusy(
      retry(async () => {
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
    if (kept) return report(kept)
    const fresh: KeptMessage = { ...message, state: 'Pending', states: { Pending: new Date().toISOString() } }
    memory.messages.set(message.id, fresh)
    void keepBusy(send(fresh))
  }

  async function send(message: KeptMessage): Promise<void> {
    if (message.valid_until_ms < Date.now()) return move(message, 'Failed', 'TTL expired')
    for await (const fate of options.send(message)) {
      // Android delivers results also to an app that was killed and restarted since.
      if (typeof fate === 'string') move(message, fate)
      else move(message, fate.state, fate.error)
    }
  }

  function move(message: KeptMessage, state: PhoneState, error?: string): void {
    message.state = state
    message.states[state] ??= new Date().toISOString()
    if (error !== undefined) message.error = error
    memory.report?.(message)
  }

  /** Reports the current state, so that states passed in the meantime are skipped. */
  function report(message: KeptMessage): void {
    const previous = reporting.get(message.id) ?? Promise.resolve()
    const reported = previous.then(() =>
      retry(async () => {
        const { state } = message
        await calls.report(message)
        message.reported = state
      }),
    )
    reporting.set(message.id, reported)
    void keepBusy(reported)
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
      retry(async () => {
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

  memory.report = report
  const joined = keepBusy(retry(join))
  void joined.then(() => {
    for (const message of memory.messages.values()) if (message.state === 'Pending') void keepBusy(send(message))
    for (const message of memory.messages.values()) if (message.reported !== message.state) report(message)
    if (memory.posts.length > 0) post()
    return retry(listen)
  })
  const pings = setInterval(ping, PING_EVERY_MS)

  function kill(): void {
    over.abort()
    clearInterval(pings)
  }

  return {
    memory,
    joined,
    receive({ from, text, sim = 1, recipient, id = randomUUID() }) {
      const received = { messageId: id.slice(0, 8), message: text, sender: from, phoneNumber: from, recipient }
      emit('sms:received', { ...received, simNumber: sim, receivedAt: new Date().toISOString() }, id)
    },
    ping,
    async quiet() {
      while (busy.size > 0) await Promise.all(busy)
    },
    kill,
    async stop() {
      kill()
      await Promise.allSettled(busy)
    },
  }
}
