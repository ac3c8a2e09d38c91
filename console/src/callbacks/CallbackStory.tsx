import type { CallbackAttempt } from '../types.ts'
import type { CallbackWithAttempts } from '../api-types.ts'
import { call } from '../api.ts'
import { useWrite } from '../read.ts'
import { Rich, t } from '../text/text.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { DataList } from '../ui/DataList.tsx'
import { duration, Time } from '../ui/Time.tsx'
import { useSay } from '../ui/Toast.tsx'
import './callbacks.css'

/** A callback: its payload, the response to each attempt, and a button to send it again. */
export function CallbackStory({ callback }: { callback: CallbackWithAttempts }) {
  const say = useSay()
  const replay = useWrite(
    () => call('POST', `/callbacks/${callback.id}/replay`),
    ['/console/api/messages', '/callbacks'],
  )
  return (
    <div className="callback">
      <p className="row">
        <Badge status={callback.status} />
        <span className="callback-url">
          <span className="soft">POST</span> {callback.url}
        </span>
        <Button
          look="bare"
          icon="again"
          busy={replay.isPending}
          onClick={() =>
            replay.mutate(undefined, {
              onSuccess: () => say(t('Callback resent.')),
              onError: (fault) => say(fault.message, 'bad'),
            })
          }
        >
          {t('Send again')}
        </Button>
      </p>
      {callback.next_attempt_datetime !== undefined && (
        <p className="soft small">
          <Rich text="Retried at {time}." values={{ time: <Time at={callback.next_attempt_datetime} /> }} />
        </p>
      )}
      <details>
        <summary>{t('Payload')}</summary>
        <DataList items={bodyItems(callback)} />
      </details>
      {callback.attempts_log.length > 0 && (
        <ol className="attempts">
          {callback.attempts_log.map((attempt) => (
            <Attempt key={attempt.attempt} attempt={attempt} />
          ))}
        </ol>
      )}
    </div>
  )
}

function Attempt({ attempt }: { attempt: CallbackAttempt }) {
  const { status_code, reason, excerpt, duration_ms, created_datetime } = attempt
  const taken = status_code !== undefined && status_code >= 200 && status_code < 300
  return (
    <li>
      <p className="attempt-head">
        <span>
          <span className="soft">{t('Attempt {n}', { n: attempt.attempt })}</span>{' '}
          <b className={taken ? 'attempt-good' : 'attempt-bad'}>
            {status_code === undefined
              ? (reason ?? t('no answer'))
              : t('responded with {status_code}', { status_code })}
          </b>{' '}
          {status_code !== undefined && (
            <span className="soft">{t('in {duration}', { duration: duration(duration_ms) })}</span>
          )}
        </span>
        <Time at={created_datetime} />
      </p>
      {excerpt && <pre className="attempt-excerpt">{excerpt}</pre>}
    </li>
  )
}

/** The body as names and values, with those of `data` beside the others. */
function bodyItems({ id, body }: CallbackWithAttempts): [string, string][] {
  const items: [string, string][] = [['webhook-id', id]]
  try {
    const { data = {}, ...rest }: { data?: object } = JSON.parse(body)
    for (const [name, value] of Object.entries({ ...rest, ...data })) {
      if (name !== 'id' || value !== id) items.push([name, wording(value)])
    }
  } catch {
    items.push(['body', body])
  }
  return items
}

function wording(value: unknown): string {
  if (typeof value === 'boolean') return value ? t('yes') : t('no')
  return typeof value === 'object' && value !== null ? Object.values(value).map(wording).join(', ') : String(value)
}
