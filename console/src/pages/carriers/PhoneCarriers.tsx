import { useState, type ReactNode } from 'react'
import type { ShownPhone } from '../../types.ts'
import type { ShownPhoneCarrier } from '../../api-types.ts'
import { call } from '../../api.ts'
import { useRead } from '../../read.ts'
import { percent, Rich, t } from '../../text/text.ts'
import { LiveBadge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table, type Column } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { PairPhone } from './PairPhone.tsx'
import { PHONES } from './binds.ts'

const EVERY_MS = 3_000

/** Phones that send SMS: their state, and what each SIM has sent and has in flight. */
export function PhoneCarriers() {
  const found = useRead(PHONES, { every_ms: EVERY_MS })
  return (
    <>
      <Pending read={found} />
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
      title={t('Phones ({carrier})', { carrier })}
      lead={t('Each SIM sends up to {per_minute} pages a minute, {per_hour} an hour and {per_day} a day.', limits)}
      actions={<Button onClick={() => setPairing(true)}>{t('Add a phone')}</Button>}
      flush
    >
      <Table
        label={t('Phones of {carrier}', { carrier })}
        rows={phones}
        rowKey={({ id }) => id}
        columns={[
          ...COLUMNS,
          {
            title: '',
            narrow: true,
            cell: (phone) => (
              <Button look="danger" onClick={() => setLeaving(phone)}>
                {t('Remove||a phone')}
              </Button>
            ),
          },
        ]}
        empty={
          <Empty title={t('No phone has joined yet.')}>
            {t('Add one: all you need is two minutes and an Android phone.')}
          </Empty>
        }
      />
      {pairing && <PairPhone shown={shown} onClose={() => setPairing(false)} />}
      {leaving && <RemovePhone carrier={carrier} phone={leaving} onClose={() => setLeaving(undefined)} />}
    </Section>
  )
}

function RemovePhone({ carrier, phone, onClose }: { carrier: string; phone: ShownPhone; onClose: () => void }) {
  const say = useSay()
  return (
    <Confirm
      title={t('Remove this phone?')}
      action={t('Remove the phone')}
      keep={t('Keep the phone')}
      write={() => call('DELETE', `${PHONES}/${encodeURIComponent(carrier)}/${phone.id}`)}
      stale={[PHONES]}
      onDone={() => say(t('{name} is removed.', { name: phone.name }))}
      onClose={onClose}
    >
      <p>
        <Rich
          text="<b>{name}</b> loses access; messages it has fetched but not reported stay unknown. A phone that still has the private token rejoins automatically: create a new token first."
          values={{ name: phone.name }}
          b={(inner: ReactNode) => <b>{inner}</b>}
        />
      </p>
    </Confirm>
  )
}

const COLUMNS: readonly Column<ShownPhone>[] = [
  { title: t('Phone'), cell: ({ name }) => <b>{name}</b> },
  {
    title: t('State'),
    narrow: true,
    cell: ({ present }) => (
      <LiveBadge status={present ? t('online||status') : t('silent||status')} tone={present ? 'good' : 'bad'} />
    ),
  },
  {
    title: t('Last seen'),
    narrow: true,
    cell: ({ seen_datetime }) => (seen_datetime === undefined ? t('never') : <Time at={seen_datetime} />),
  },
  { title: t('Battery'), narrow: true, number: true, cell: batteryText },
  { title: t('Network'), narrow: true, minor: true, cell: ({ network }) => network ?? '–' },
  {
    title: t('SIMs: sent in a minute, an hour, a day'),
    cell: ({ sims }) => (
      <>
        {sims.map(({ sim, operator, number, used_minute, used_hour, used_day, rests_until }) => (
          <div key={sim}>
            {sim === 0 ? t('Any SIM') : t('SIM {sim}', { sim })}{' '}
            <span className="soft">{number ?? operator ?? ''}</span> {used_minute} · {used_hour} · {used_day}
            {rests_until !== undefined && (
              <span className="soft small">
                {' '}
                <Rich text="paused until {time}" values={{ time: <Time at={rests_until} /> }} />
              </span>
            )}
          </div>
        ))}
      </>
    ),
  },
  {
    title: t('Sending'),
    number: true,
    narrow: true,
    cell: ({ sims }) => sims.reduce((sum, { in_flight }) => sum + in_flight, 0),
  },
]

function batteryText({ battery, charging }: ShownPhone): string {
  if (battery === undefined) return '–'
  const charge = percent(battery / 100, { maximumFractionDigits: 0 })
  return charging ? t('{charge}, charging', { charge }) : charge
}
