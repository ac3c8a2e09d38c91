import type { CarrierState } from '../../api-types.ts'
import { t } from '../../text/text.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Section } from '../../ui/Page.tsx'
import { Table } from '../../ui/Table.tsx'

type Line = { carrier: string; what: string; address: string }

/** Where vendors with an HTTP interface reach us. Nothing is shown where there is none. */
export function Addresses({ carriers }: { carriers: readonly CarrierState[] }) {
  const lines = carriers.flatMap(({ name, addresses }) => linesOf(name, addresses))
  if (lines.length === 0) return null
  return (
    <Section
      title={t('Addresses for vendors')}
      lead={t(
        'URLs for delivery reports and incoming messages of vendors. Enter them at the vendor; gangan carriers shows them with their secrets.',
      )}
      flush
    >
      <Table
        label={t('Addresses for vendors')}
        rows={lines}
        rowKey={({ address }) => address}
        columns={[
          { title: t('Carrier'), narrow: true, cell: ({ carrier }) => <b>{carrier}</b> },
          { title: t('For||an address'), narrow: true, cell: ({ what }) => what },
          { title: t('Address'), cell: ({ address }) => <span className="mono">{address}</span> },
          { title: '', narrow: true, cell: ({ address }) => <CopyButton text={address} /> },
        ]}
        empty={null}
      />
    </Section>
  )
}

function linesOf(carrier: string, addresses: CarrierState['addresses'] = {}): Line[] {
  const { reports, texts } = addresses
  return [
    ...(reports === undefined ? [] : [{ carrier, what: t('reports||of carriers'), address: reports }]),
    ...(texts === undefined ? [] : [{ carrier, what: t('texts||people wrote'), address: texts }]),
  ]
}
