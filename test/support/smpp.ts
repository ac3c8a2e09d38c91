import { BIND_DEFAULTS, type BindSettings } from '../../src/carriers/smpp/session/bind-settings.ts'
import type { DataSm, DeliverSm } from '../../src/carriers/codec/pdu.ts'
import type { BindState, SessionDeps, SmppSession } from '../../src/carriers/smpp/session/session.ts'
import { startSession } from '../../src/carriers/smpp/session/start-session.ts'
import type { PduSummary } from '../../src/carriers/schema.ts'
import type { Log } from '../../src/values/log.ts'
import { until } from './until.ts'

export type TestSession = SmppSession & {
  delivered: (DeliverSm | DataSm)[]
  states: BindState[]
  pdus: ({ direction: 'in' | 'out' } & PduSummary)[]
  logged: { level: keyof Log; details: object; sentence: string }[]
  bound(): Promise<void>
}

/** A session to a local SMSC that records all events. Backoff is short. */
export function startTestSession(
  port: number,
  wish: Partial<BindSettings> = {},
  deps: Partial<SessionDeps> = {},
): TestSession {
  const delivered: TestSession['delivered'] = []
  const states: BindState[] = []
  const pdus: TestSession['pdus'] = []
  const logged: TestSession['logged'] = []
  const note = (level: keyof Log) => (details: object, sentence: string) =>
    void logged.push({ level, details, sentence })
  const session = startSession(
    {
      log: { info: note('info'), warn: note('warn'), error: note('error') },
      onDeliver: async (pdu) => {
        delivered.push(pdu)
        return 0
      },
      onState: (state) => void states.push(state),
      onPdu: (direction, summary) => void pdus.push({ direction, ...summary }),
      ...deps,
    },
    {
      ...BIND_DEFAULTS,
      host: '127.0.0.1',
      port,
      system_id: 'gangan',
      password: 'secret',
      backoff: { first_ms: 20, longest_ms: 100, credentials_ms: 60_000 },
      ...wish,
    },
  )
  const bound = async () => void (await until('the bind', () => session.state().name === 'bound'))
  return { ...session, delivered, states, pdus, logged, bound }
}
