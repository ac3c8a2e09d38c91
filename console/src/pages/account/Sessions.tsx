import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'

const PATH = '/console/api/me/sessions'

export function Sessions() {
  const say = useSay()
  const found = useRead(PATH)
  const end = useWrite((id: string | undefined) => call('DELETE', id === undefined ? PATH : `${PATH}/${id}`), [PATH])
  const finish = (id: string | undefined) =>
    end.mutate(id, {
      onSuccess: () => say(id === undefined ? 'All other sessions are ended.' : 'The session is ended.'),
      onError: (fault) => say(fault.message, 'bad'),
    })
  const sessions = found.data?.sessions ?? []
  return (
    <Section
      title="Where you are logged in"
      flush
      actions={sessions.length > 1 && <Button onClick={() => finish(undefined)}>End all others</Button>}
    >
      {found.isPending && <Loading />}
      {found.error && !found.data && <Trouble error={found.error} />}
      {found.data && (
        <Table
          label="Sessions"
          rows={sessions}
          rowKey={({ id }) => id}
          columns={[
            { title: 'Browser', clip: true, cell: ({ user_agent }) => browserName(user_agent) },
            { title: 'From', narrow: true, cell: ({ address }) => address ?? '–' },
            { title: 'Since', narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
            { title: 'Last seen', narrow: true, cell: ({ seen_datetime }) => <Time at={seen_datetime} /> },
            {
              title: 'Actions',
              unseen: true,
              narrow: true,
              cell: ({ id, current }) =>
                current ? (
                  <span className="soft">this one</span>
                ) : (
                  <Button look="bare" onClick={() => finish(id)}>
                    End
                  </Button>
                ),
            },
          ]}
          empty={<Empty title="No session is open." />}
        />
      )}
    </Section>
  )
}

const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const
const NAMES: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' }
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux']

/** As much of a user agent as a person wants to know. */
function browserName(user_agent: string | undefined): string {
  if (user_agent === undefined) return 'unknown'
  const browser = BROWSERS.find((name) => user_agent.includes(`${name}/`))
  const system = SYSTEMS.find((name) => user_agent.includes(name))
  if (browser === undefined) return user_agent.slice(0, 60)
  return `${NAMES[browser] ?? browser}${system === undefined ? '' : ` on ${system}`}`
}
