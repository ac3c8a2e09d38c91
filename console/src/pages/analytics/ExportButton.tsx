import { useState } from 'react'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { useSay } from '../../ui/Toast.tsx'

/** Saves what is shown as CSV. */
export function ExportButton({ save }: { save: () => Promise<void> }) {
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
      {t('Export CSV')}
    </Button>
  )
}
