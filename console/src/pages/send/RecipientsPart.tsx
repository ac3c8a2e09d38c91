import { useRef, type ReactNode } from 'react'
import { Link } from '../../router.tsx'
import { plural, Rich, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { AreaField } from '../../ui/fields.tsx'
import type { Recipients } from './read-recipients.ts'

/** To whom: numbers as they come from anywhere, checked while they are typed. */
export function RecipientsPart({
  typed,
  recipients: { entries, valid, wrong, duplicates },
  change,
  onSendOthers,
}: {
  typed: string
  recipients: Recipients
  change: (recipients: string) => void
  /** Undefined while there is nothing to send. */
  onSendOthers: ((recipients: string) => void) | undefined
}) {
  const part = useRef<HTMLDivElement>(null)
  const others = valid.join('\n')
  function leaveOut(act: (recipients: string) => void) {
    const area = part.current?.querySelector('textarea')
    area?.focus()
    // A form notices its fields by their input events, and drops the faults of what is left out.
    area?.dispatchEvent(new Event('input', { bubbles: true }))
    act(others)
  }
  return (
    <div className="stack" ref={part}>
      <AreaField
        name="recipients"
        label={t('Recipients')}
        rows={3}
        placeholder={'0803 123 4567, +234 805 123 4567'}
        spellCheck={false}
        entries={entries}
        hint={
          entries.length === 0 ? (
            <Rich
              text="One or many, separated by commas, spaces or line breaks. For a smartlist or a file, create a <link>campaign</link>."
              link={(inner: ReactNode) => <Link to="/campaigns/new">{inner}</Link>}
            />
          ) : (
            counted(valid.length, duplicates)
          )
        }
        value={typed}
        onChange={change}
      />
      {wrong.length > 0 && (
        <div className="send-wrong" role="group" aria-label={t('Not valid phone numbers')}>
          <p role="status">
            {plural(wrong.length, '{n} entry is not a valid phone number:', '{n} entries are not valid phone numbers:')}
          </p>
          {/* One text node, so that ten thousand are as quick to show as ten. */}
          <p className="send-wrong-list" tabIndex={0}>
            {wrong.join('\n')}
          </p>
          {onSendOthers && valid.length > 0 ? (
            <Button onClick={() => leaveOut(onSendOthers)}>
              {plural(
                valid.length,
                'Leave these out and send to the other {n}||one number',
                'Leave these out and send to the other {n}',
              )}
            </Button>
          ) : (
            <Button onClick={() => leaveOut(change)}>{t('Leave these out||wrong numbers')}</Button>
          )}
        </div>
      )}
    </div>
  )
}

function counted(count: number, duplicates: number): string {
  if (duplicates === 0) return plural(count, '{n} valid number.', '{n} valid numbers.')
  return plural(
    count,
    '{n} valid number, {duplicates} given twice and sent once.',
    '{n} valid numbers, {duplicates} given twice and sent once.',
    { duplicates },
  )
}
