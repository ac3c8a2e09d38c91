import type { BindSettings } from './bind-settings.ts'
import { keepBound } from './keep-bound.ts'
import type { BindState, SessionDeps, SmppSession } from './session.ts'

/** A transmitter and a receiver as one: bound when both are. Each comes back by itself. */
export function keepPairBound(deps: SessionDeps, bind: BindSettings): SmppSession {
  const states: { out?: BindState; in?: BindState } = {}
  const noteState = (side: 'out' | 'in') => (state: BindState) => {
    states[side] = state
    if (states.out && states.in) deps.onState(worse(states.out, states.in))
  }
  const outgoing = keepBound({ ...deps, onState: noteState('out') }, bind, 'transmitter')
  const incoming = keepBound({ ...deps, onState: noteState('in') }, bind, 'receiver')
  return {
    submit: (sm, segments) => outgoing.submit(sm, segments),
    query: (fields) => outgoing.query(fields),
    cancel: (fields) => outgoing.cancel(fields),
    state: () => worse(outgoing.state(), incoming.state()),
    get inflight() {
      return outgoing.inflight
    },
    get waiting() {
      return outgoing.waiting
    },
    get rate() {
      return outgoing.rate
    },
    get paused_ms() {
      return outgoing.paused_ms
    },
    window: bind.window,
    // The receiver last, so that reports on the last submits can still come in.
    stop: async () => {
      await outgoing.stop()
      await incoming.stop()
    },
  }
}

/** From worst to best: what keeps the pair from being bound is what an operator wants to know. */
const ORDER: BindState['name'][] = ['waiting', 'connecting', 'binding', 'stopping', 'stopped', 'bound']

function worse(one: BindState, other: BindState): BindState {
  const difference = ORDER.indexOf(one.name) - ORDER.indexOf(other.name)
  if (difference === 0) return one.since >= other.since ? one : other
  return difference < 0 ? one : other
}
