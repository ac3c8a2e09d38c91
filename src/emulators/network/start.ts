import { makeBoundedCache } from '../../values/concurrency/bounded-cache.ts'
import type { ShownText } from '../smsc/handset.ts'
import type { HandsetText, Smsc } from '../smsc/smsc.ts'
import { startClock } from './clock.ts'
import { makeCounts, type CountsTable } from './counts.ts'
import { makeEnterOtp, type OtpService } from './enter-otp.ts'
import { makeNetworkModel, type NetworkModel } from './model/network.ts'
import { makePeople } from './model/people.ts'
import { nextChange, outageAt } from './model/timetable.ts'
import { startPort } from './port.ts'
import type { OutageKind, Scenario } from './scenario/schema.ts'
import { messageOf } from '../../values/thrown.ts'

export type NetworkOptions = {
  host: string
  /** Null: people enter no OTPs. */
  otp_service: OtpService | null
  /** Of outages that begin and end. */
  onNote: (sentence: string) => void
}

/** A running scenario. */
export type Network = {
  model: NetworkModel
  counts: CountsTable
  /** Of each carrier, in the order of the scenario. */
  ports: readonly Smsc[]
  /** Simulated milliseconds since the start. */
  now: () => number
  stop(): Promise<void>
}

/** Phones whose texts are counted. */
const MAX_PHONES = 200_000

/** Starts an SMPP port for each carrier of a scenario, its outages by the timetable, and its people. */
export async function startNetwork(scenario: Scenario, options: NetworkOptions): Promise<Network> {
  const { host, otp_service, onNote } = options
  const model = makeNetworkModel(scenario)
  const clock = startClock(scenario.acceleration)
  const counts = makeCounts(model)
  const react = makePeople(scenario)
  const shown = makeBoundedCache<string, number>(MAX_PHONES)
  const enterOtp = otp_service && makeEnterOtp(otp_service)
  const ports: Smsc[] = []
  const kinds: (OutageKind | null)[] = []
  let is_stopped = false

  async function stop(): Promise<void> {
    is_stopped = true
    clock.stop()
    await Promise.all(ports.map((port) => port.stop()))
  }

  try {
    for (const [n, settings] of scenario.carriers.entries()) {
      const port = await startPort({ model, clock, counts, host }, n, settings)
      ports.push(port)
      port.handsets.watch((text) => show(text, n, port))
      void followTimetable(port, n)
    }
  } catch (fault) {
    await stop()
    throw fault
  }

  function show(text: ShownText, carrier: number, port: Smsc): void {
    const number = text.to.replace(/^\+/, '')
    const count = shown.get(number) ?? 0
    shown.set(number, count + 1)
    for (const reaction of react(number, text.text, count)) {
      if (reaction.kind === 'enter') clock.later(reaction.after_ms, () => void enter(number, reaction, carrier))
      // Names receive no answers.
      else if (/^\+?\d+$/.test(text.from))
        clock.later(reaction.after_ms, () => answer(port, { from: number, to: text.from, text: reaction.text }))
    }
  }

  /** Without a connection that ever received, the answer is lost. */
  function answer(port: Smsc, text: HandsetText): void {
    port.sendText(text).catch(() => {})
  }

  async function enter(number: string, { token, mistypes }: { token: string; mistypes: boolean }, carrier: number) {
    if (!enterOtp) return
    const cell = counts.of(carrier, model.subscriberOf(number, clock.now()).operator)
    cell.otps_entered++
    if (mistypes) await enterOtp(number, mistyped(token))
    if (await enterOtp(number, token)) cell.otps_verified++
  }

  /** Refuses or silences the port when an outage begins, and restores it when it ends; one change after the other. */
  async function followTimetable(port: Smsc, carrier: number): Promise<void> {
    const { name, outages } = model.carriers[carrier] ?? { name: '', outages: [] }
    const now_ms = clock.now()
    const kind = outageAt(outages, now_ms)?.kind ?? null
    if (is_stopped) return
    try {
      await port.interrupt(kind === 'refused' || kind === 'silent' ? kind : null)
    } catch (fault) {
      onNote(`${name}: port ${port.port} cannot be opened again (${messageOf(fault)})`)
    }
    if (kind !== (kinds[carrier] ?? null)) onNote(kind ? `${name}: outage (${kind})` : `${name}: the outage is over`)
    kinds[carrier] = kind
    const next_ms = nextChange(outages, now_ms)
    if (next_ms < Infinity) clock.later(next_ms - clock.now(), () => void followTimetable(port, carrier))
  }

  return { model, counts, ports, now: clock.now, stop }
}

/** The same token with another last digit. */
function mistyped(token: string): string {
  const last = token.at(-1)
  return token.slice(0, -1) + (last === '0' ? '1' : '0')
}
