import type { Assignee, Conversation } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { useWrite } from '../../read.ts'
import { Link } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Phone } from '../../ui/Phone.tsx'
import { Select } from '../../ui/select/Select.tsx'
import { useSay } from '../../ui/Toast.tsx'

const PATH = '/conversations'

/** With whom, who takes care of it, and whether it is closed. */
export function ThreadHead({
  conversation,
  assignees,
  back,
  may_answer,
  onContact,
}: {
  conversation: Conversation
  assignees: readonly Assignee[]
  back: string
  may_answer: boolean
  /** Shows the contact; undefined if the role does not allow it. */
  onContact: (() => void) | undefined
}) {
  const say = useSay()
  const { phone, contact, status, received, opted_out } = conversation
  const close = useWrite(() => call('POST', `${PATH}/${phone}/close`, { received }), [PATH])
  const reopen = useWrite(() => call('POST', `${PATH}/${phone}/reopen`), [PATH])
  const closed = status === 'closed'
  function toggle() {
    const write = closed ? reopen : close
    write.mutate(undefined, {
      onSuccess: () => say(closed ? t('The conversation is open again.') : t('The conversation is closed.')),
      onError: ({ message }) => say(message, 'bad'),
    })
  }
  return (
    <header className="conversation-head">
      <Link to={back} className="button conversation-back">
        {t('All||conversations')}
      </Link>
      <div className="conversation-with grow">
        <h2>{contact?.name ?? <Phone number={phone} />}</h2>
        {contact && (
          <span className="soft small">
            <Phone number={phone} />
          </span>
        )}
      </div>
      {opted_out && <Badge status="opted out" tone="warn" />}
      {closed && <Badge status={t('closed||a conversation')} />}
      {may_answer ? (
        <AssigneeField conversation={conversation} assignees={assignees} />
      ) : (
        conversation.assignee && (
          <span className="soft small">
            {t('Assigned to {name}||a conversation', { name: conversation.assignee.name })}
          </span>
        )
      )}
      {onContact && (
        <Button className="conversation-card-button" onClick={onContact}>
          {t('Contact')}
        </Button>
      )}
      {may_answer && (
        <Button busy={close.isPending || reopen.isPending} onClick={toggle}>
          {closed ? t('Reopen||a conversation') : t('Close||a conversation')}
        </Button>
      )}
    </header>
  )
}

/** Of two users who take the conversation at the same time, the second one sees who has it. */
function AssigneeField({ conversation, assignees }: { conversation: Conversation; assignees: readonly Assignee[] }) {
  const { session } = useSession()
  const say = useSay()
  const { phone, assignee } = conversation
  const assign = useWrite(
    (assignee_id: string) =>
      call('POST', `${PATH}/${phone}/assign`, {
        assignee_id: assignee_id === '' ? null : assignee_id,
        current_assignee_id: assignee?.id ?? null,
      }),
    [PATH],
  )
  const former = assignee && !assignees.some(({ id }) => id === assignee.id) ? [assignee] : []
  return (
    <Select
      className="conversation-assignee"
      label={t('Assigned to||label of a list of users')}
      value={assign.isPending ? assign.variables : (assignee?.id ?? '')}
      disabled={assign.isPending}
      onChange={(value) => assign.mutate(value, { onError: ({ message }) => say(message, 'bad') })}
      choices={[
        { value: '', label: t('Unassigned||a conversation') },
        ...[...former, ...assignees].map(({ id, name }) => ({
          value: id,
          label: id === session.user.id ? t('{name} (you)', { name }) : name,
        })),
      ]}
    />
  )
}
