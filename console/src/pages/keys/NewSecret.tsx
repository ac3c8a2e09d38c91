import { t } from '../../text/text.ts'
import { ShowOnce } from '../../ui/FormDialog.tsx'

export function NewSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShowOnce title={t('The new key')} text={secret} onClose={onClose}>
      {t('Copy it now: it is not shown again. Send it as the value of the Authorization header with every call.')}
    </ShowOnce>
  )
}
