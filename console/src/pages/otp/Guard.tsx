import { call } from '../../api.ts'
import { usePages, useWrite } from '../../read.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Section } from '../../ui/Page.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'

const PATH = '/otp/guard'

/** Prefixes whose tokens are requested but hardly ever verified: slowed, then blocked, until somebody lifts it. */
export function Guard() {
  const prefixes = usePages(PATH, 'prefixes', { limit: 50 }, { every_ms: 15_000 })
  const say = useSay()
  const lift = useWrite((prefix: string) => call('DELETE', `${PATH}/${prefix}`), [PATH])
  return (
    <Section
      title="Guard"
      lead="Blocks of numbers that ask for tokens and hardly ever use them are slowed, then blocked: somebody may be earning from your messages."
      flush
    >
      <PagedTable
        label="Guarded prefixes"
        pages={prefixes}
        rowKey={({ prefix }) => prefix}
        columns={[
          { title: 'Numbers', cell: ({ prefix }) => <span className="mono">+{prefix}…</span> },
          { title: 'State', narrow: true, cell: ({ state }) => <Badge status={state} /> },
          { title: 'Sent', number: true, narrow: true, cell: ({ sent }) => sent },
          { title: 'Verified', number: true, narrow: true, cell: ({ verified }) => verified },
          { title: 'Until', narrow: true, cell: ({ until_datetime }) => <Time at={until_datetime} /> },
          {
            title: 'Actions',
            unseen: true,
            narrow: true,
            cell: ({ prefix }) => (
              <Button
                look="bare"
                busy={lift.isPending && lift.variables === prefix}
                onClick={() =>
                  lift.mutate(prefix, {
                    onSuccess: () => say(`+${prefix}… is free again.`),
                    onError: (fault) => say(fault.message, 'bad'),
                  })
                }
              >
                Lift
              </Button>
            ),
          },
        ]}
        empty={<Empty title="No block of numbers is guarded.">When one is, it is shown here and can be lifted.</Empty>}
      />
    </Section>
  )
}
