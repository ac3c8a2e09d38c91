import type { Db } from '../../db/connect.ts'
import type { Log } from '../../values/log.ts'
import type { WhatsappSettings } from './schema.ts'
import { syncTemplates } from './sync.ts'

/** Reads the templates now and then again and again. Several processes doing so is harmless. */
export function startSync({ db, log }: { db: Db; log: Log }, settings: WhatsappSettings): { stop(): Promise<void> } {
  let syncing = sync()
  const timer = setInterval(() => {
    syncing = syncing.then(sync)
  }, settings.sync_minutes * 60_000)

  async function sync(): Promise<void> {
    try {
      const count = await syncTemplates({ db }, settings)
      log.info({ carrier: settings.name, templates: count }, 'WhatsApp templates were read')
    } catch (fault) {
      log.warn({ carrier: settings.name, err: fault }, 'WhatsApp templates could not be read')
    }
  }

  return {
    async stop() {
      clearInterval(timer)
      await syncing
    },
  }
}
