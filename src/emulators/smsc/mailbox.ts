import type { Esme, Mail, Mailbox, SmscState } from './state.ts'
import { STATUS } from '../../carriers/codec/status.ts'

/** Undelivered deliver_sm of an account, each kept until it is acknowledged. */
export function makeMailbox(smsc: SmscState, receivers: () => Esme[]): Mailbox {
  const waiting: Mail[] = []

  function post(mail: Mail): void {
    if (waiting.length >= smsc.settings().remember) {
      waiting.shift()
      smsc.counts.dropped++
    }
    waiting.push(mail)
    pump()
  }

  function pump(): void {
    while (waiting.length > 0) {
      const esme = choose(receivers(), waiting[0]!)
      if (esme === undefined) return
      void deliver(waiting.shift()!, esme)
    }
  }

  /** Prefers `via` and avoids `not_via`, among the ESMEs with a free window. */
  function choose(candidates: Esme[], { via, not_via }: Mail): Esme | undefined {
    const { deliver_window } = smsc.settings()
    const free = candidates.filter((esme) => esme.delivering < deliver_window)
    if (via !== undefined && free.includes(via)) return via
    return free.find((esme) => esme !== not_via) ?? free[0]
  }

  async function deliver(mail: Mail, esme: Esme): Promise<void> {
    const { deliver_timeout_ms, deliver_retry_ms } = smsc.settings()
    const command_status = await esme.deliver(mail.sm, deliver_timeout_ms).catch(() => null)
    if (command_status === STATUS.ROK) {
      mail.onTaken?.()
      return pump()
    }
    smsc.counts.retried++
    // After a cut, wait: a closing connection would be chosen repeatedly and never get to close.
    smsc.later(command_status === null ? AFTER_CUT_MS : deliver_retry_ms, () => {
      waiting.unshift(mail)
      pump()
    })
  }

  return { post, pump }
}

const AFTER_CUT_MS = 10
