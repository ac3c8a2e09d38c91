import { useState } from 'react'
import type { CarriersAnswer, CostAssignment } from '../../api-types.ts'
import { useRead } from '../../read.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table, ACTIONS } from '../../ui/Table.tsx'
import { CARRIERS } from '../carriers/binds.ts'
import { ASSIGNMENTS } from '../prices/prices.ts'
import { AssignCosts, BILLED_ON, type CarrierRow } from './AssignCosts.tsx'

/** Which carrier has which cost list. A carrier that is gone may still have one. */
export function CarrierCosts() {
  const carriers = useRead(CARRIERS)
  const assignments = useRead(ASSIGNMENTS)
  const [assigning, setAssigning] = useState<CarrierRow>()
  const error = carriers.error ?? assignments.error
  const is_read = carriers.data !== undefined && assignments.data !== undefined
  return (
    <Section
      flush
      title={t('Costs of carriers')}
      lead={t('The cost of a delivery is recorded when a carrier accepts it. Without a cost list it is not known.')}
    >
      <Pending read={{ data: is_read || undefined, error }} />
      {is_read && (
        <Table
          label={t('Costs of carriers')}
          rows={rowsOf(carriers.data, assignments.data.assignments)}
          rowKey={({ carrier }) => carrier}
          columns={[
            { title: t('Carrier'), cell: ({ carrier }) => <b>{carrier}</b> },
            { title: t('Routes'), minor: true, cell: ({ routes }) => (routes.length === 0 ? '–' : routes.join(', ')) },
            { title: t('Cost list'), narrow: true, cell: ({ assigned }) => assigned?.cost_list ?? '–' },
            {
              title: t('Charges'),
              cell: ({ assigned }) => (assigned === undefined ? '–' : BILLED_ON[assigned.billed_on]),
            },
            {
              title: t('Costs in answers'),
              narrow: true,
              minor: true,
              cell: ({ assigned }) => (assigned === undefined ? '–' : assigned.use_answers ? t('count') : t('ignored')),
            },
            {
              ...ACTIONS,
              cell: (row) => (
                <Button look="bare" onClick={() => setAssigning(row)}>
                  {t('Assign')}
                </Button>
              ),
            },
          ]}
          empty={<Empty title={t('No carrier is configured.')}>{t('All messages go to the simulator.')}</Empty>}
        />
      )}
      {assigning && <AssignCosts row={assigning} onClose={() => setAssigning(undefined)} />}
    </Section>
  )
}

function rowsOf({ carriers, routes }: CarriersAnswer, assignments: readonly CostAssignment[]): CarrierRow[] {
  const names = new Set([...carriers, ...assignments.map(({ carrier }) => ({ name: carrier }))].map(({ name }) => name))
  return [...names].map((carrier) => ({
    carrier,
    routes: routes.filter((route) => (route.carriers ?? [route.carrier]).includes(carrier)).map((route) => route.name),
    assigned: assignments.find((one) => one.carrier === carrier),
  }))
}
