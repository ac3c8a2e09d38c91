import { t } from '../../text/text.ts'
import { ShowOnce } from '../../ui/FormDialog.tsx'

export function NewSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShowOnce title={t('The new key')} text={secret} onClose={onClose}>
      {t('Copy it now: it is not shown again. It stands in the Authorization header of every call, alone.')}
    </ShowOnce>
  )
}
