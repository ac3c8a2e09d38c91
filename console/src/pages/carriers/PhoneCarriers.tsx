import { useState } from 'react'
import type { ShownPhone, ShownPhoneCarrier } from '../../../../src/carriers/phone/schema.ts'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { LiveBadge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table, type Column } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { PairPhone } from './PairPhone.tsx'
import { PHONES } from './binds.ts'

const EVERY_MS = 3_000

/** The phones that send SMS: whether they are there, and what their SIMs have sent and have in hand. */
export function PhoneCarriers() {
  const found = useRead(PHONES, { every_ms: EVERY_MS })
  return (
    <>
      {found.isPending && <Loading />}
      {found.error && !found.data && <Trouble error={found.error} />}
      {found.data?.carriers.map((carrier) => (
        <PhoneCarrier key={carrier.carrier} shown={carrier} />
      ))}
    </>
  )
}

function PhoneCarrier({ shown }: { shown: ShownPhoneCarrier }) {
  const { carrier, limits, phones } = shown
  const [pairing, setPairing] = useState(false)
  const [leaving, setLeaving] = useState<ShownPhone>()
  return (
    <Section
      title={`Phones (${carrier})`}
      lead={`Each SIM sends up to ${limits.per_minute} pages a minute, ${limits.per_hour} an hour and ${limits.per_day} a day.`}
      actions={<Button onClick={() => setPairing(true)}>Add a phone</Button>}
      flush
    >
      <Table
        label={`Phones of ${carrier}`}
        rows={phones}
        rowKey={({ id }) => id}
        columns={[
          ...COLUMNS,
          {
            title: '',
            narrow: true,
            cell: (phone) => (
              <Button look="danger" onClick={() => setLeaving(phone)}>
                Forget
              </Button>
            ),
          },
        ]}
        empty={<Empty title="No phone has joined yet.">Add one: it takes two minutes and an Android phone.</Empty>}
      />
      {pairing && <PairPhone shown={shown} onClose={() => setPairing(false)} />}
      {leaving && <ForgetPhone carrier={carrier} phone={leaving} onClose={() => setLeaving(undefined)} />}
    </Section>
  )
}

function ForgetPhone({ carrier, phone, onClose }: { carrier: string; phone: ShownPhone; onClose: () => void }) {
  const say = useSay()
  const write = useWrite(() => call('DELETE', `${PHONES}/${encodeURIComponent(carrier)}/${phone.id}`), [PHONES])
  return (
    <Confirm
      title="Forget this phone?"
      action="Forget"
      busy={write.isPending}
      onConfirm={() =>
        write.mutate(undefined, {
          onSuccess: () => {
            onClose()
            say(`${phone.name} is forgotten.`)
          },
        })
      }
      onClose={onClose}
    >
      <p>
        <b>{phone.name}</b> may not call any more; what it has fetched and not yet told of stays unknown. If it still
        knows the private token it joins again by itself: make a new token first.
      </p>
    </Confirm>
  )
}

const COLUMNS: readonly Column<ShownPhone>[] = [
  { title: 'Phone', cell: ({ name }) => <b>{name}</b> },
  {
    title: 'State',
    narrow: true,
    cell: ({ present }) => <LiveBadge status={present ? 'there' : 'silent'} tone={present ? 'good' : 'bad'} />,
  },
  {
    title: 'Seen',
    narrow: true,
    cell: ({ seen_datetime }) => (seen_datetime === undefined ? 'never' : <Time at={seen_datetime} />),
  },
  { title: 'Battery', narrow: true, number: true, cell: batteryText },
  { title: 'Network', narrow: true, minor: true, cell: ({ network }) => network ?? '–' },
  {
    title: 'SIMs: sent in a minute, an hour, a day',
    cell: ({ sims }) => (
      <>
        {sims.map(({ sim, operator, number, used_minute, used_hour, used_day, rests_until }) => (
          <div key={sim}>
            {sim === 0 ? 'Any SIM' : `SIM ${sim}`} <span className="soft">{number ?? operator ?? ''}</span>{' '}
            {used_minute} · {used_hour} · {used_day}
            {rests_until !== undefined && (
              <span className="soft small">
                {' '}
                rests until <Time at={rests_until} />
              </span>
            )}
          </div>
        ))}
      </>
    ),
  },
  {
    title: 'In hand',
    number: true,
    narrow: true,
    cell: ({ sims }) => sims.reduce((sum, { in_hand }) => sum + in_hand, 0),
  },
]

function batteryText({ battery, charging }: ShownPhone): string {
  return battery === undefined ? '–' : `${battery} %${charging ? ', charging' : ''}`
}
