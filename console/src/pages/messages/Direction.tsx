import { go } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Segments } from '../../ui/fields.tsx'

/** Out to people, or in from them. */
export function Direction({ value }: { value: 'sent' | 'received' }) {
  return (
    <Segments
      label={t('Direction')}
      value={value}
      onChange={(next) => go(next === 'sent' ? '/messages' : '/messages/received')}
      choices={[
        { value: 'sent', label: t('Sent||messages') },
        { value: 'received', label: t('Received||messages') },
      ]}
    />
  )
}
