import { call } from '../../api.ts'
import { usePages, useRead, useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { number, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { percent } from '../../ui/Figure.tsx'
import { Section } from '../../ui/Page.tsx'
import { PagedTable, Table, type Column, ACTIONS } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'

const PATH = '/otp/guard'
const EVERY_PATH = '/console/api/otp-guard'
const EVERY_MS = 15_000

type Guarded = { prefix: string; state: string; sent: number; verified: number; until_datetime: string }

/** Prefixes whose tokens are rarely verified: slowed, then blocked, until lifted. */
export function Guard() {
  const { right } = useSession()
  const prefixes = usePages(PATH, 'prefixes', { limit: 50 }, { every_ms: EVERY_MS })
  return (
    <Section
      title={t('Guard')}
      lead={t(
        'Number ranges that request tokens but rarely verify them are slowed, then blocked: this is a sign of SMS traffic pumping.',
      )}
      flush
    >
      <PagedTable
        label={t('Guarded prefixes')}
        pages={prefixes}
        rowKey={({ prefix }) => prefix}
        columns={[
          ...COLUMNS,
          { ...ACTIONS, cell: ({ prefix }) => right('settings') === 'change' && <Unblock prefix={prefix} /> },
        ]}
        empty={
          <Empty title={t('No numbers are slowed or blocked.')}>
            {t('Slowed or blocked numbers appear here and can be unblocked.')}
          </Empty>
        }
      />
    </Section>
  )
}

/** For operators: guarded prefixes of all organisations. */
export function EveryGuard() {
  const found = useRead(EVERY_PATH, { every_ms: EVERY_MS })
  return (
    <Section title={t('Guard of all organisations')} lead={t('Only operators see this.')} flush>
      <Pending read={found} />
      {found.data && (
        <Table
          label={t('Guarded prefixes of all organisations')}
          rows={found.data.prefixes}
          rowKey={({ organisation_id, prefix }) => `${organisation_id} ${prefix}`}
          columns={[
            { title: t('Organisation'), cell: ({ organisation_name }) => <b>{organisation_name}</b> },
            ...COLUMNS,
            {
              ...ACTIONS,
              cell: ({ organisation_id, prefix }) => <Unblock prefix={prefix} organisation_id={organisation_id} />,
            },
          ]}
          empty={
            <Empty title={t('No numbers of any organisation are slowed or blocked.')}>
              {t('Slowed or blocked numbers appear here and can be unblocked.')}
            </Empty>
          }
        />
      )}
    </Section>
  )
}

const COLUMNS: readonly Column<Guarded>[] = [
  { title: t('Numbers'), cell: ({ prefix }) => <span className="mono">+{prefix}…</span> },
  { title: t('State'), narrow: true, cell: ({ state }) => <Badge status={state} /> },
  {
    title: t('Why'),
    cell: ({ sent, verified }) => (
      <span className="soft">
        {t('{verified} of {sent} tokens verified ({percent})', {
          verified: number(verified),
          sent: number(sent),
          percent: percent(sent === 0 ? undefined : verified / sent),
        })}
      </span>
    ),
  },
  { title: t('Until'), narrow: true, cell: ({ until_datetime }) => <Time at={until_datetime} /> },
]

function Unblock({ prefix, organisation_id }: { prefix: string; organisation_id?: string }) {
  const say = useSay()
  const lift = useWrite(
    () => call('DELETE', `${PATH}/${prefix}`, undefined, organisation_id === undefined ? {} : { organisation_id }),
    [PATH, EVERY_PATH],
  )
  return (
    <Button
      look="bare"
      busy={lift.isPending}
      onClick={() =>
        lift.mutate(undefined, {
          onSuccess: () => say(t('+{prefix}… is unblocked.', { prefix })),
          onError: (fault) => say(fault.message, 'bad'),
        })
      }
    >
      {t('Unblock')}
    </Button>
  )
}
