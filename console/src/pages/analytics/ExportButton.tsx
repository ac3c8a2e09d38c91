import { useState } from 'react'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { useSay } from '../../ui/Toast.tsx'

/** Saves what is shown as CSV. */
export function ExportButton({ save, label = t('Export CSV') }: { save: () => Promise<void>; label?: string }) {
  const [busy, setBusy] = useState(false)
  const say = useSay()
  function run() {
    setBusy(true)
    save()
      .catch((fault: Error) => say(fault.message, 'bad'))
      .finally(() => setBusy(false))
  }
  return (
    <Button icon="export" busy={busy} onClick={run}>
      {label}
    </Button>
  )
}
