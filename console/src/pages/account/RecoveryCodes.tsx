import { t } from '../../text/text.ts'
import { ShowOnce } from '../../ui/FormDialog.tsx'

/** Shown once, when the first second factor is enabled. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <ShowOnce title={t('Recovery codes')} text={codes.join('\n')} onClose={onClose}>
      {t('Two-factor login is enabled. Save these recovery codes in case you lose your device; each works once.')}
    </ShowOnce>
  )
}
