import { useState } from 'react'
import type { OperatorPause } from '../../api-types.ts'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useWrite } from '../../read.ts'
import { Rich, t } from '../../text/text.ts'
import { LiveBadge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { DateField } from '../../ui/date/DateField.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { CARRIERS } from './binds.ts'

type Subject = Pick<OperatorPause, 'kind' | 'name'>

/** That an operator has paused it, why, and until when. */
export function Paused({ pause: { mode, reason, actor, created_datetime, until } }: { pause: OperatorPause }) {
  const values = { actor, since: <Time at={created_datetime} />, until: until === undefined ? '' : <Time at={until} /> }
  return (
    <>
      <LiveBadge status={mode} tone="warn" /> {reason}{' '}
      <span className="soft small">
        {until === undefined ? (
          <Rich text="by {actor}, since {since}" values={values} />
        ) : (
          <Rich text="by {actor}, since {since}, until {until}" values={values} />
        )}
      </span>
    </>
  )
}

/** Pauses a carrier or a route, or resumes it. */
export function PauseButton({ kind, name, pause }: Subject & { pause: OperatorPause | undefined }) {
  const [asking, setAsking] = useState<'pause' | 'resume'>()
  const onClose = () => setAsking(undefined)
  return (
    <>
      <Button look="bare" onClick={() => setAsking(pause ? 'resume' : 'pause')}>
        {pause ? t('Resume||a carrier') : t('Pause||a carrier')}
      </Button>
      {asking === 'resume' && <ResumeDialog kind={kind} name={name} onClose={onClose} />}
      {asking === 'pause' && <PauseDialog kind={kind} name={name} onClose={onClose} />}
    </>
  )
}

const MODES: readonly { value: OperatorPause['mode']; label: string }[] = [
  { value: 'paused', label: t('Pause: submit nothing') },
  { value: 'draining', label: t('Drain: submit no new messages, finish retries') },
]

const EFFECTS = {
  carrier: t(
    'Messages in flight complete. The route’s next carrier takes over as after a failure; without one, messages wait.',
  ),
  route: t('Messages in flight complete. All others wait, one-time passwords included.'),
}

function PauseDialog({ kind, name, onClose }: Subject & { onClose: () => void }) {
  const say = useSay()
  const draft = useDraft(`pause.${kind}.${name}`, { mode: 'paused', reason: '', until: '' })
  const [{ mode, reason, until }, change] = draft
  const body = { mode, reason, ...(until === '' ? {} : { until }) }
  const write = useWrite(
    () => call('POST', `/console/api/${kind}s/${encodeURIComponent(name)}/pause`, body),
    [CARRIERS, '/console/api/audit'],
  )
  return (
    <FormDialog
      title={t('Pause {name}?', { name })}
      action={mode === 'paused' ? t('Pause||a carrier') : t('Drain||a carrier')}
      write={write}
      draft={draft}
      onDone={() => say(mode === 'paused' ? t('{name} is paused.', { name }) : t('{name} is draining.', { name }))}
      onClose={onClose}
      blocked={reason.trim() === '' ? t('Enter a reason first.') : undefined}
    >
      <p>{EFFECTS[kind]}</p>
      <SelectField
        name="mode"
        label={t('What to do')}
        value={mode}
        onChange={(next) => change({ mode: next })}
        choices={MODES}
      />
      <TextField
        name="reason"
        label={t('Reason')}
        hint={t('Shown beside held messages, and recorded in the audit log.')}
        value={reason}
        onChange={(next) => change({ reason: next })}
      />
      <DateField
        name="until"
        label={t('Resume automatically')}
        optional
        kind="moment"
        value={until}
        onChange={(next) => change({ until: next })}
      />
    </FormDialog>
  )
}

function ResumeDialog({ kind, name, onClose }: Subject & { onClose: () => void }) {
  const say = useSay()
  return (
    <Confirm
      title={t('Resume {name}?', { name })}
      action={t('Resume||a carrier')}
      keep={t('Keep it paused')}
      write={() => call('DELETE', `/console/api/${kind}s/${encodeURIComponent(name)}/pause`)}
      stale={[CARRIERS, '/console/api/audit']}
      onDone={() => say(t('{name} resumes.', { name }))}
      onClose={onClose}
    >
      <p>{t('Waiting messages are submitted within seconds.')}</p>
    </Confirm>
  )
}
