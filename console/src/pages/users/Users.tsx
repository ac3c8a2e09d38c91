import { useState } from 'react'
import type { Invited } from '../../../../src/http/console/people/schema.ts'
import type { User } from '../../../../src/users/schema.ts'
import { call, withQuery } from '../../api.ts'
import { usePages, useWrite } from '../../read.ts'
import { changeQuery, useRoute } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Segments } from '../../ui/fields.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { InviteUser, ShowLink } from './InviteUser.tsx'
import { ROLES, roleName } from './roles.ts'

const PATH = '/console/api/users'

/** Who may come in. Operators see everything; users only their organisation. */
export default function Users() {
  const { operator, session, organisation, right } = useSession()
  const may = right('users') === 'change'
  const { query } = useRoute()
  const operators = operator && query.of === 'installation'
  const users = usePages(PATH, 'users', operators ? { operators: 'true', limit: 50 } : { limit: 50 })
  const say = useSay()
  const [inviting, setInviting] = useState(false)
  const [link, setLink] = useState<Invited>()
  const [resetting, setResetting] = useState<User>()
  const side = <Path extends string>(path: Path) => withQuery(path, { operators: operators ? 'true' : undefined })
  const invite = useWrite((id: string) => call('POST', side(`${PATH}/${id}/invite`)), [PATH])
  const newLink = (id: string) =>
    invite.mutate(id, {
      onSuccess: setLink,
      onError: (fault) => say(fault.message, 'bad'),
      onSettled: () => setResetting(undefined),
    })
  const switchUser = useWrite(
    ({ id, ...change }: { id: string; disabled?: boolean; role?: string }) =>
      call('PATCH', side(`${PATH}/${id}`), change),
    [PATH],
  )
  return (
    <Page
      title="Users"
      lead={operators ? 'The operators of the whole installation.' : `Who may look at ${organisation.name}.`}
      actions={
        <>
          {operator && (
            <Segments
              label="Whose"
              value={operators ? 'installation' : 'organisation'}
              onChange={(of) => changeQuery({ of: of === 'installation' ? of : undefined })}
              choices={[
                { value: 'organisation', label: 'Organisation' },
                { value: 'installation', label: 'Operators' },
              ]}
            />
          )}
          <Button look="main" icon="plus" onClick={() => setInviting(true)}>
            Invite somebody
          </Button>
        </>
      }
    >
      <Section flush>
        <PagedTable
          label="Users"
          pages={users}
          rowKey={({ id }) => id}
          columns={[
            { title: 'E-mail', cell: ({ email }) => <b>{email ?? 'not chosen yet'}</b> },
            { title: 'Name', cell: ({ name }) => name ?? <span className="soft">–</span> },
            {
              title: 'Role',
              narrow: true,
              cell: (user) =>
                may && !operators && user.id !== session.user.id ? (
                  <select
                    aria-label={`Role of ${user.email}`}
                    className="users-role"
                    value={user.role}
                    onChange={(event) =>
                      switchUser.mutate(
                        { id: user.id, role: event.target.value },
                        {
                          onSuccess: ({ user: { email, role } }) =>
                            say(`${email} is now ${roleName(role).toLowerCase()}.`),
                          onError: (fault) => say(fault.faults[0]?.message ?? fault.message, 'bad'),
                        },
                      )
                    }
                  >
                    {ROLES.map(({ value, label }) => (
                      <option key={value} value={value}>
                        {label}
                      </option>
                    ))}
                  </select>
                ) : (
                  roleName(user.role)
                ),
            },
            { title: 'State', narrow: true, cell: ({ state }) => <Badge status={state} /> },
            {
              title: 'Signs in by',
              narrow: true,
              minor: true,
              cell: ({ provider, state }) => provider ?? (state === 'invited' ? '–' : 'password'),
            },
            { title: 'Second step', narrow: true, minor: true, cell: ({ totp }) => (totp ? 'on' : 'off') },
            { title: 'Last login', narrow: true, cell: ({ last_login_datetime }) => <Time at={last_login_datetime} /> },
            {
              title: 'Actions',
              unseen: true,
              narrow: true,
              cell: (user) =>
                may &&
                user.id !== session.user.id && (
                  <>
                    {user.state === 'invited' && (
                      <Button look="bare" onClick={() => newLink(user.id)}>
                        New link
                      </Button>
                    )}
                    {operator && !operators && user.state === 'active' && (
                      <Button look="bare" onClick={() => setResetting(user)}>
                        Reset
                      </Button>
                    )}
                    <Button
                      look="bare"
                      onClick={() =>
                        switchUser.mutate(
                          { id: user.id, disabled: user.state !== 'disabled' },
                          {
                            onSuccess: () =>
                              say(user.state === 'disabled' ? 'They may come in again.' : 'They are out.'),
                            onError: (fault) => say(fault.faults[0]?.message ?? fault.message, 'bad'),
                          },
                        )
                      }
                    >
                      {user.state === 'disabled' ? 'Let in' : 'Switch off'}
                    </Button>
                  </>
                ),
            },
          ]}
          empty={
            <Empty title="Nobody here yet.">
              <p>Invite somebody: they get a link that works once.</p>
              <Button onClick={() => setInviting(true)}>Invite somebody</Button>
            </Empty>
          }
        />
      </Section>
      {inviting && <InviteUser operators={operators} onClose={() => setInviting(false)} />}
      {resetting && (
        <Confirm
          title={`Reset the login of ${resetting.email}?`}
          action="Reset the login"
          busy={invite.isPending}
          onClose={() => setResetting(undefined)}
          onConfirm={() => newLink(resetting.id)}
        >
          <p>
            They are out at once, with their password, their provider and two-factor login forgotten
            {session.passwords ? ', and come in by a new link.' : ', and sign in by a provider anew.'}
          </p>
        </Confirm>
      )}
      {link && <ShowLink invited={link} onClose={() => setLink(undefined)} />}
    </Page>
  )
}
