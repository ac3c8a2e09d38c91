import { retryDelay } from './backoff.ts'
import type { BindSettings } from './bind-settings.ts'
import { openLink, type Link, type LinkEnd, type LinkMode } from './link.ts'
import { makeOutbox, submitAnswer } from './outbox.ts'
import { makePdu, type Pdu, type QuerySmResp, type PduFields } from '../../codec/pdu.ts'
import { SubmitFault, type BindState, type SessionDeps, type SmppSession } from './session.ts'
import { summarise } from '../../codec/summary.ts'
import { messageOf } from '../../../values/thrown.ts'

/** Opens one connection after another until stopped. States: connecting → binding → bound → waiting → connecting. */
export function keepBound(deps: SessionDeps, bind: BindSettings, mode: LinkMode): SmppSession {
  const about = { host: bind.host, port: bind.port, system_id: bind.system_id, mode }
  let state = stateNow('connecting')
  let link: Link | null = null
  let failures = 0
  /** Why it went down last; shown in the state while reconnecting. */
  let last_end: LinkEnd | null = null
  let is_stopping = false
  let endPause: (() => void) | null = null
  const outbox = makeOutbox(bind, () => {
    outbox.detach('The SMSC no longer knows our bind.')
    void link?.finish()
  })
  // In a microtask, so that the caller has the session before onState is first called.
  const running = Promise.resolve().then(run)

  async function run(): Promise<void> {
    while (!is_stopping) {
      setState({ ...stateNow('connecting'), ...last_end })
      const end = await oneLink()
      link = null
      outbox.detach(`The bind went down: ${end.reason}.`)
      if (is_stopping) break
      failures++
      last_end = end
      const retry_in_ms = Math.round(retryDelay(bind.backoff, end.fault, failures, bind.enquire_interval_ms))
      logEnd(end, retry_in_ms)
      setState({ ...stateNow('waiting'), ...end, retry_in_ms })
      await pause(retry_in_ms)
    }
    setState(stateNow('stopped'))
  }

  function oneLink(): Promise<LinkEnd> {
    return new Promise((onEnd) => {
      try {
        link = openLink(
          { log: deps.log, onDeliver: (pdu) => deps.onDeliver(pdu), onBinding, onBound, onEnd, onLate, onTrace },
          bind,
          mode,
        )
      } catch (fault) {
        // An invalid port or certificate.
        onEnd({ fault: 'unreachable', reason: messageOf(fault) })
      }
    })
  }

  function onBinding(): void {
    if (!is_stopping) setState({ ...stateNow('binding'), ...last_end })
  }

  function onBound(peer_version: number | null, certificate_expires: string | null): void {
    if (is_stopping || link === null) return
    failures = 0
    last_end = null
    deps.log.info({ ...about, peer_version }, 'Bound to an SMSC.')
    outbox.attach(link, takesTlvs(bind, peer_version))
    setState({ ...stateNow('bound'), peer_version, certificate_expires })
  }

  function onLate(request: Pdu, answer: Pdu): void {
    if (request.command === 'submit_sm') deps.onLateAnswer?.(request, submitAnswer(answer))
  }

  function onTrace(direction: 'in' | 'out', pdu: Pdu, bytes: number): void {
    if (deps.onPdu) deps.onPdu(direction, summarise(pdu, bytes))
  }

  function logEnd(end: LinkEnd, retry_in_ms: number): void {
    const details = { ...about, ...end, retry_in_ms }
    if (end.fault === 'credentials')
      deps.log.error(details, 'An SMSC refuses our credentials: check the configuration.')
    else deps.log.warn(details, 'A bind is down.')
  }

  function setState(next: BindState): void {
    state = next
    deps.onState(state)
  }

  function pause(time_ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, time_ms)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function ask(pdu: Pdu): Promise<Pdu> {
    if (link === null || state.name !== 'bound') throw new SubmitFault('not_sent', 'The bind is not up.')
    return link.request(pdu, bind.response_timeout_ms)
  }

  async function stop(): Promise<void> {
    if (!is_stopping) {
      const was_bound = state.name === 'bound'
      is_stopping = true
      setState(stateNow('stopping'))
      outbox.detach('The bind is being stopped.')
      endPause?.()
      if (was_bound) await link?.finish()
      else link?.close('we were stopped')
    }
    await running
  }

  return {
    submit: (sm, segments = 1) => outbox.submit(sm, segments),
    query: async (fields: PduFields<'query_sm'>) => queryAnswer(await ask(makePdu('query_sm', fields))),
    cancel: async (fields: PduFields<'cancel_sm'>) => {
      const { command_status } = await ask(makePdu('cancel_sm', fields))
      return { command_status }
    },
    state: () => state,
    load: () => outbox.load(),
    window: bind.window,
    stop,
  }
}

function stateNow(name: BindState['name']): BindState {
  const nothing = { reason: null, fault: null, retry_in_ms: null, peer_version: null, certificate_expires: null }
  return { name, since: Date.now(), ...nothing }
}

/** An SMSC that sends no version speaks 3.3 and may reject optional parameters. */
function takesTlvs({ tlvs }: BindSettings, peer_version: number | null): boolean {
  return tlvs === 'always' || (tlvs === 'auto' && peer_version !== null && peer_version >= 0x34)
}

function queryAnswer(answer: Pdu): QuerySmResp {
  if (answer.command === 'query_sm_resp') return answer
  return makePdu('query_sm_resp', { command_status: answer.command_status })
}
