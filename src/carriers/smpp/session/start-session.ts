import type { BindSettings } from './bind-settings.ts'
import { keepBound } from './keep-bound.ts'
import { keepPairBound } from './pair.ts'
import type { SessionDeps, SmppSession } from './session.ts'

/** A bind kept up until it is stopped: connects, binds, sends within window and rate, and comes back after every cut. */
export function startSession(deps: SessionDeps, bind: BindSettings): SmppSession {
  return bind.mode === 'pair' ? keepPairBound(deps, bind) : keepBound(deps, bind, bind.mode)
}
