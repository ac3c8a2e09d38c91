import type { Esme, Mail, Mailbox, SmscState } from './state.ts'
import { STATUS } from '../../carriers/smpp/codec/status.ts'

/** What an account has yet to take: kept until it is acknowledged, whatever breaks on the way. */
export function makeMailbox(smsc: SmscState, receivers: () => Esme[]): Mailbox {
  const waiting: Mail[] = []

  function post(mail: Mail): void {
    waiting.push(mail)
    pump()
  }

  function pump(): void {
    while (waiting.length > 0) {
      const esme = choose(receivers(), waiting[0]!)
      if (esme === undefined) return
      void hand(waiting.shift()!, esme)
    }
  }

  /** The one it belongs to if it is there, or another one if that is wanted; nobody whose hands are full. */
  function choose(candidates: Esme[], { via, not_via }: Mail): Esme | undefined {
    const { deliver_window } = smsc.settings()
    const free = candidates.filter((esme) => esme.delivering < deliver_window)
    if (via !== undefined && free.includes(via)) return via
    return free.find((esme) => esme !== not_via) ?? free[0]
  }

  async function hand(mail: Mail, esme: Esme): Promise<void> {
    const { deliver_timeout_ms, deliver_retry_ms } = smsc.settings()
    const command_status = await esme.deliver(mail.sm, deliver_timeout_ms).catch(() => null)
    if (command_status === STATUS.ROK) {
      mail.onTaken?.()
      return pump()
    }
    smsc.counts.retried++
    // After a cut not at once: a connection that is closing would be chosen again and again, and never get to close.
    smsc.later(command_status === null ? AFTER_CUT_MS : deliver_retry_ms, () => {
      waiting.unshift(mail)
      pump()
    })
  }

  return { post, pump }
}

const AFTER_CUT_MS = 10
