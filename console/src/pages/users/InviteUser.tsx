import type { Invited } from '../../api-types.ts'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { Rich, t } from '../../text/text.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog, ShowOnce } from '../../ui/FormDialog.tsx'
import { Time } from '../../ui/Time.tsx'
import { ROLES } from './roles.ts'

export function InviteUser({ operators, onClose }: { operators: boolean; onClose: () => void }) {
  const draft = useDraft(operators ? 'operator' : 'user', { email: '', name: '', role: 'viewer' })
  const [{ email, name, role }, change] = draft
  const invite = useWrite(
    () =>
      call('POST', '/console/api/users', {
        email,
        ...(name ? { name } : {}),
        ...(operators ? { operator: true } : { role }),
      }),
    ['/console/api/users'],
  )
  if (invite.data) return <ShowLink invited={invite.data} onClose={onClose} />
  return (
    <FormDialog
      title={operators ? t('Invite an operator') : t('Invite a user')}
      action={t('Create the link')}
      write={invite}
      draft={draft}
      onClose={onClose}
    >
      {operators && <p>{t('An operator sees all organisations, tops up balances and manages carriers.')}</p>}
      <TextField
        name="email"
        label={t('Email')}
        type="email"
        autoComplete="off"
        value={email}
        onChange={(next) => change({ email: next })}
      />
      <TextField
        name="name"
        label={t('Name')}
        optional
        autoComplete="off"
        value={name}
        onChange={(next) => change({ name: next })}
      />
      {!operators && (
        <SelectField
          name="role"
          label={t('Role')}
          hint={ROLES.find(({ value }) => value === role)?.may}
          value={role}
          onChange={(next) => change({ role: next })}
          choices={ROLES}
        />
      )}
    </FormDialog>
  )
}

/** Gangan sends no email: the inviting user passes the link on. */
export function ShowLink({ invited, onClose }: { invited: Invited; onClose: () => void }) {
  const { session } = useSession()
  if (!session.passwords) {
    return (
      <ShowOnce title={t('They can log in')} text={invited.invite_url} onClose={onClose}>
        {t('Passwords are disabled: the user logs in at this address through a provider that confirms {email}.', {
          email: invited.user.email ?? '',
        })}
      </ShowOnce>
    )
  }
  return (
    <ShowOnce title={t('The one-time link')} text={invited.invite_url} onClose={onClose}>
      <Rich
        text="Send it to the user over a channel you trust. It works once, until {time}, and is not shown again."
        values={{ time: <Time at={invited.expires_datetime} /> }}
      />
    </ShowOnce>
  )
}
