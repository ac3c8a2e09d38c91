import { go } from '../../router.tsx'
import { Segments } from '../../ui/fields.tsx'

/** Out to people, or in from them. */
export function Direction({ value }: { value: 'sent' | 'received' }) {
  return (
    <Segments
      label="Direction"
      value={value}
      onChange={(next) => go(next === 'sent' ? '/messages' : '/messages/received')}
      choices={[
        { value: 'sent', label: 'Sent' },
        { value: 'received', label: 'Received' },
      ]}
    />
  )
}
