import { useState } from 'react'
import type { ConversationMessage } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { Rich, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Reason } from '../../ui/Reason.tsx'
import { Time } from '../../ui/Time.tsx'
import { TimeLink } from '../../ui/TimeLink.tsx'

const WORDS: Record<string, string> = {
  stop: t('opted out||status'),
  start: t('opted in||status'),
  help: t('asks for help||status'),
}
const FAILED = ['rejected', 'undelivered', 'failed']

/** A text of the thread with its delivery state, or a note. */
export function Entry({
  entry,
  phone,
  may_delete,
}: {
  entry: ConversationMessage
  phone: string
  may_delete: boolean
}) {
  const { id, direction, text, status, channel, keyword, created_datetime, send_at } = entry
  if (direction === 'note') return <Note entry={entry} may_delete={may_delete} />
  return (
    <div className={direction === 'out' ? 'talk mine' : 'talk'}>
      <p className="talk-text">{text ?? <i>{t('No longer stored.')}</i>}</p>
      <p className="talk-foot soft small">
        {direction === 'out' ? (
          <TimeLink
            to={`/messages/${id}/${phone}`}
            at={created_datetime}
            about={t('what happened to this message')}
            seconds={false}
          />
        ) : (
          <Time at={created_datetime} seconds={false} />
        )}
        {channel === 'whatsapp' && <span>WhatsApp</span>}
        {status !== undefined && <Badge status={status} />}
        {keyword !== undefined && <Badge status={WORDS[keyword] ?? keyword} />}
        {status === 'scheduled' && send_at !== undefined && (
          <span>
            <Rich text="goes {time}" values={{ time: <Time at={send_at} seconds={false} zoned /> }} />
          </span>
        )}
        {status !== undefined && FAILED.includes(status) && <Reason {...entry} />}
      </p>
    </div>
  )
}

function Note({
  entry: { id, text, author, created_datetime },
  may_delete,
}: {
  entry: ConversationMessage
  may_delete: boolean
}) {
  const [asking, setAsking] = useState(false)
  return (
    <div className="talk note">
      <p className="talk-text">{text}</p>
      <p className="talk-foot soft small">
        <span>{author === undefined ? t('Note by an API key') : t('Note by {name}', { name: author })}</span>
        <Time at={created_datetime} seconds={false} />
        {may_delete && <IconButton label={t('Delete the note')} icon="trash" onClick={() => setAsking(true)} />}
      </p>
      {asking && (
        <Confirm
          title={t('Delete the note?')}
          action={t('Delete the note')}
          keep={t('Keep the note')}
          write={() => call('DELETE', `/notes/${id}`)}
          stale={['/conversations']}
          onClose={() => setAsking(false)}
        >
          <p>{text}</p>
        </Confirm>
      )}
    </div>
  )
}
