import type { BindSettings } from './bind-settings.ts'
import { keepBound } from './keep-bound.ts'
import type { BindState, SessionDeps, SmppSession } from './session.ts'

/** Keeps a bind up until it is stopped: connects, binds, sends within window and rate, reconnects after every failure. */
export function startSession(deps: SessionDeps, bind: BindSettings): SmppSession {
  return bind.mode === 'pair' ? keepPairBound(deps, bind) : keepBound(deps, bind, bind.mode)
}

/** A transmitter and a receiver as one session: bound when both are. Each reconnects on its own. */
function keepPairBound(deps: SessionDeps, bind: BindSettings): SmppSession {
  const states: { transmitter?: BindState; receiver?: BindState } = {}
  const noteState = (side: 'transmitter' | 'receiver') => (state: BindState) => {
    states[side] = state
    if (states.transmitter && states.receiver) deps.onState(worse(states.transmitter, states.receiver))
  }
  const transmitter = keepBound({ ...deps, onState: noteState('transmitter') }, bind, 'transmitter')
  const receiver = keepBound({ ...deps, onState: noteState('receiver') }, bind, 'receiver')
  return {
    submit: (sm, segments) => transmitter.submit(sm, segments),
    query: (fields) => transmitter.query(fields),
    cancel: (fields) => transmitter.cancel(fields),
    state: () => worse(transmitter.state(), receiver.state()),
    load: () => transmitter.load(),
    window: bind.window,
    // The receiver last, so that reports on the last submits can still arrive.
    stop: async () => {
      await transmitter.stop()
      await receiver.stop()
    },
  }
}

/** From worst to best: an operator needs to see what keeps the pair from being bound. */
const ORDER: BindState['name'][] = ['waiting', 'connecting', 'binding', 'stopping', 'stopped', 'bound']

function worse(one: BindState, other: BindState): BindState {
  const difference = ORDER.indexOf(one.name) - ORDER.indexOf(other.name)
  if (difference === 0) return one.since >= other.since ? one : other
  return difference < 0 ? one : other
}
