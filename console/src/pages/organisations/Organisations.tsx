import { useState } from 'react'
import { isCovered } from '../../balance.ts'
import type { ListedOrganisation } from '../../api-types.ts'
import MakeOrganisation from '../../layout/MakeOrganisation.tsx'
import { usePages } from '../../read.ts'
import { changeQuery, go, useNew, useRoute } from '../../router.tsx'
import { useTake } from '../../session.ts'
import { number, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { money } from '../../ui/Money.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { PagedTable, ACTIONS } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { TopUp } from '../ledger/TopUp.tsx'
import { AssignPrices } from './AssignPrices.tsx'
import { LimitDialog, limitText } from './Limits.tsx'
import { Suspend } from './Suspend.tsx'

const PATH = '/console/api/organisations'
const EVERY_MS = 10_000

/** All customers of the installation: what they have left, how much they send, and whether they may. */
export default function Organisations() {
  const { query } = useRoute()
  const take = useTake()
  const search = query.search ?? ''
  const found = usePages(
    PATH,
    'organisations',
    { limit: 50, ...(search === '' ? {} : { search }) },
    { every_ms: EVERY_MS },
  )
  const [making, setMaking] = useNew()
  const [topping, setTopping] = useState<ListedOrganisation>()
  const [limiting, setLimiting] = useState<ListedOrganisation>()
  const [pricing, setPricing] = useState<ListedOrganisation>()
  const [suspending, setSuspending] = useState<ListedOrganisation>()
  function look(organisation: ListedOrganisation) {
    take(organisation, organisation.id)
    go('/overview')
  }
  return (
    <Page
      title={t('Organisations')}
      lead={t('All organisations of this installation. Each has its own test organisation.')}
      actions={
        <Button look="main" icon="plus" onClick={() => setMaking(true)}>
          {t('Create an organisation')}
        </Button>
      }
    >
      <SearchField
        label={t('Search by name')}
        value={search}
        onChange={(text) => changeQuery({ search: text || undefined })}
      />
      <Section flush>
        <PagedTable
          label={t('Organisations')}
          pages={found}
          rowKey={({ id }) => id}
          columns={[
            { title: t('Name'), cell: ({ name }) => <b>{name}</b> },
            { title: t('State'), narrow: true, cell: (organisation) => <State organisation={organisation} /> },
            {
              title: t('Balance'),
              number: true,
              narrow: true,
              cell: ({ balance, currency }) => money(balance, currency),
            },
            {
              title: t('Accepted in 24 hours'),
              number: true,
              narrow: true,
              cell: ({ accepted_day = 0 }) => number(accepted_day),
            },
            {
              title: t('Price list'),
              narrow: true,
              minor: true,
              cell: ({ price_list }) => price_list ?? t('default||price list'),
            },
            { title: t('Limits||rates'), narrow: true, minor: true, cell: limitText },
            { title: t('Country'), narrow: true, minor: true, cell: ({ default_country }) => default_country },
            {
              title: t('Created||an organisation'),
              narrow: true,
              minor: true,
              cell: ({ created_datetime }) => <Time at={created_datetime} />,
            },
            {
              ...ACTIONS,
              cell: (organisation) => (
                <>
                  <Button look="bare" onClick={() => look(organisation)}>
                    {t('Open||a verb')}
                  </Button>
                  <Button look="bare" onClick={() => setTopping(organisation)}>
                    {t('Top up')}
                  </Button>
                  <Button look="bare" onClick={() => setLimiting(organisation)}>
                    {t('Limit||a verb')}
                  </Button>
                  <Button look="bare" onClick={() => setPricing(organisation)}>
                    {t('Prices')}
                  </Button>
                  <Button look="bare" onClick={() => setSuspending(organisation)}>
                    {organisation.suspended_datetime ? t('Reactivate') : t('Suspend')}
                  </Button>
                </>
              ),
            },
          ]}
          empty={<Empty title={t('No organisation has this name.')}>{t('Search for part of its name.')}</Empty>}
        />
      </Section>
      {making && <MakeOrganisation onClose={() => setMaking(false)} />}
      {topping && <TopUp organisation={topping} onClose={() => setTopping(undefined)} />}
      {limiting && <LimitDialog organisation={limiting} onClose={() => setLimiting(undefined)} />}
      {pricing && <AssignPrices organisation={pricing} onClose={() => setPricing(undefined)} />}
      {suspending && <Suspend organisation={suspending} onClose={() => setSuspending(undefined)} />}
    </Page>
  )
}

function State({ organisation }: { organisation: ListedOrganisation }) {
  const { suspended_datetime, low_balance } = organisation
  if (suspended_datetime) return <Badge status="suspended" />
  if (low_balance !== undefined && !isCovered(organisation, low_balance)) return <Badge status="low" />
  return <Badge status="active" />
}
