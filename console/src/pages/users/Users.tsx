import { useState } from 'react'
import type { Invited, User } from '../../api-types.ts'
import { call, withQuery } from '../../api.ts'
import { usePages, useWrite } from '../../read.ts'
import { changeQuery, useNew, useRoute } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Segments } from '../../ui/fields.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Select } from '../../ui/select/Select.tsx'
import { PagedTable, ACTIONS } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { InviteUser, ShowLink } from './InviteUser.tsx'
import { ROLES, roleName } from './roles.ts'

const PATH = '/console/api/users'

/** Users of the organisation, and the operators. */
export default function Users() {
  const { operator, session, organisation, right } = useSession()
  const may = right('users') === 'change'
  const { query } = useRoute()
  const operators = operator && query.of === 'installation'
  const users = usePages(PATH, 'users', operators ? { operators: 'true', limit: 50 } : { limit: 50 })
  const say = useSay()
  const [inviting, setInviting] = useNew()
  const [link, setLink] = useState<Invited>()
  const [resetting, setResetting] = useState<User>()
  const [disabling, setDisabling] = useState<User>()
  const [promoting, setPromoting] = useState<{ user: User; role: string }>()
  const side = <Path extends string>(path: Path) => withQuery(path, { operators: operators ? 'true' : undefined })
  const newLink = (id: string) => call('POST', side(`${PATH}/${id}/invite`))
  const change = (id: string, changes: { disabled?: boolean; role?: string }) =>
    call('PATCH', side(`${PATH}/${id}`), changes)
  const invite = useWrite(newLink, [PATH])
  const enable = useWrite((user: User) => change(user.id, { disabled: false }), [PATH])
  return (
    <Page
      title={t('Users')}
      lead={
        operators
          ? t('The operators of the whole installation.')
          : t('Who can log in to {organisation}.', { organisation: organisation.name })
      }
      actions={
        <>
          {operator && (
            <Segments
              label={t('Scope||of the audit log')}
              value={operators ? 'installation' : 'organisation'}
              onChange={(of) => changeQuery({ of: of === 'installation' ? of : undefined })}
              choices={[
                { value: 'organisation', label: t('Organisation') },
                { value: 'installation', label: t('Operators||of the installation') },
              ]}
            />
          )}
          <Button look="main" icon="plus" onClick={() => setInviting(true)}>
            {operators ? t('Invite an operator') : t('Invite a user')}
          </Button>
        </>
      }
    >
      <Section flush>
        <PagedTable
          label={t('Users')}
          pages={users}
          rowKey={({ id }) => id}
          columns={[
            {
              title: t('User'),
              cell: ({ email, name }) => (
                <span>
                  <b>{email ?? t('not chosen yet')}</b>
                  {name !== undefined && <span className="soft second-line">{name}</span>}
                </span>
              ),
            },
            {
              title: t('Role'),
              narrow: true,
              cell: (user) =>
                may && !operators && user.id !== session.user.id ? (
                  <Select
                    label={t('Role of {email}', { email: user.email ?? '' })}
                    value={user.role}
                    onChange={(role) => setPromoting({ user, role })}
                    choices={ROLES}
                  />
                ) : (
                  roleName(user.role)
                ),
            },
            { title: t('State'), narrow: true, cell: ({ state }) => <Badge status={state} /> },
            {
              title: t('Logs in with'),
              narrow: true,
              minor: true,
              cell: ({ provider, state }) => provider ?? (state === 'invited' ? '–' : t('password')),
            },
            {
              title: t('Two-factor'),
              narrow: true,
              minor: true,
              cell: ({ totp, passkeys }) =>
                totp || passkeys > 0 ? t('on||two-factor login') : t('off||two-factor login'),
            },
            {
              title: t('Last login'),
              narrow: true,
              cell: ({ last_login_datetime }) => <Time at={last_login_datetime} />,
            },
            {
              ...ACTIONS,
              cell: (user) =>
                may &&
                user.id !== session.user.id && (
                  <>
                    {user.state === 'invited' && (
                      <Button
                        look="bare"
                        onClick={() =>
                          invite.mutate(user.id, { onSuccess: setLink, onError: (fault) => say(fault.message, 'bad') })
                        }
                      >
                        {t('New link')}
                      </Button>
                    )}
                    {operator && !operators && user.state === 'active' && (
                      <Button look="bare" onClick={() => setResetting(user)}>
                        {t('Reset')}
                      </Button>
                    )}
                    {user.state === 'disabled' ? (
                      <Button
                        look="bare"
                        onClick={() =>
                          enable.mutate(user, {
                            onSuccess: () => say(t('The user can log in again.')),
                            onError: (fault) => say(fault.faults[0]?.message ?? fault.message, 'bad'),
                          })
                        }
                      >
                        {t('Enable')}
                      </Button>
                    ) : (
                      <Button look="bare" onClick={() => setDisabling(user)}>
                        {t('Disable')}
                      </Button>
                    )}
                  </>
                ),
            },
          ]}
          empty={
            <Empty title={t('No users yet.')}>
              <p>{t('Invite a user: they get a one-time link.')}</p>
              <Button onClick={() => setInviting(true)}>{t('Invite a user')}</Button>
            </Empty>
          }
        />
      </Section>
      {inviting && <InviteUser operators={operators} onClose={() => setInviting(false)} />}
      {resetting && (
        <Confirm
          title={t('Reset the login of {email}?', { email: resetting.email ?? '' })}
          action={t('Reset the login')}
          keep={t('Keep the login')}
          write={() => newLink(resetting.id)}
          stale={[PATH]}
          onDone={setLink}
          onClose={() => setResetting(undefined)}
        >
          <p>
            {session.passwords
              ? t(
                  'The user is logged out immediately; password, provider and two-factor login are removed, and a new link lets them set a password.',
                )
              : t(
                  'The user is logged out immediately; password, provider and two-factor login are removed, and they log in through a provider again.',
                )}
          </p>
        </Confirm>
      )}
      {disabling && (
        <Confirm
          title={t('Disable {email}?', { email: disabling.email ?? t('this user') })}
          action={t('Disable')}
          keep={t('Keep the user enabled')}
          write={() => change(disabling.id, { disabled: true })}
          stale={[PATH]}
          onDone={() => say(t('The user is logged out and cannot log in.'))}
          onClose={() => setDisabling(undefined)}
        >
          <p>{t('The user is logged out immediately and cannot log in until you enable them again.')}</p>
        </Confirm>
      )}
      {promoting && (
        <Confirm
          title={t('Make {email} {role}?', {
            email: promoting.user.email ?? t('this user'),
            role: roleName(promoting.role).toLowerCase(),
          })}
          action={t('Change the role')}
          keep={t('Keep the role')}
          write={() => change(promoting.user.id, { role: promoting.role })}
          stale={[PATH]}
          onDone={({ user }) =>
            say(t('{email} is now {role}.', { email: user.email ?? '', role: roleName(user.role).toLowerCase() }))
          }
          onClose={() => setPromoting(undefined)}
        >
          <p>{ROLES.find(({ value }) => value === promoting.role)?.may}</p>
          <p>
            {t('The current role is {role}. The change applies immediately.', {
              role: roleName(promoting.user.role).toLowerCase(),
            })}
          </p>
        </Confirm>
      )}
      {link && <ShowLink invited={link} onClose={() => setLink(undefined)} />}
    </Page>
  )
}
