import type { Db } from '../../db/connect.ts'
import type { Log } from '../../values/log.ts'
import type { Graph } from './graph.ts'
import type { WhatsappSettings } from './schema.ts'
import { SyncFault, syncTemplates } from './sync.ts'

const AFTER_FAULT_MS = 30_000

/** Reads the templates now and then again and again. Several processes doing so is harmless. */
export function startSync(
  { db, log, graph }: { db: Db; log: Log; graph: Graph },
  settings: WhatsappSettings,
): { stop(): Promise<void> } {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let syncing = sync()

  async function sync(): Promise<void> {
    let pause_ms = settings.sync_minutes * 60_000
    try {
      const count = await syncTemplates({ db, graph }, settings.name)
      log.info({ carrier: settings.name, templates: count }, 'WhatsApp templates were read')
    } catch (fault) {
      const cause = fault instanceof SyncFault ? { reason: fault.message } : { err: fault }
      log.warn({ carrier: settings.name, ...cause }, 'WhatsApp templates could not be read')
      pause_ms = Math.min(pause_ms, AFTER_FAULT_MS)
    }
    if (stopped) return
    timer = setTimeout(() => {
      syncing = sync()
    }, pause_ms)
  }

  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await syncing
    },
  }
}
