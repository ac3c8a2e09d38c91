import { useState } from 'react'
import type { WaitingPurchase } from '../../../../src/http/console/operator/schema.ts'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Empty, Loading, Trouble } from '../../ui/Empty.tsx'
import { FormActions, Refused } from '../../ui/Form.tsx'
import { Money } from '../../ui/Money.tsx'
import { Section } from '../../ui/Page.tsx'
import { Phone, phoneText } from '../../ui/Phone.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'

const PATH = '/console/api/airtime/review'

/** What no vendor could tell for a day. A person asks the vendor, and decides. */
export function Review() {
  const found = useRead(PATH, { every_ms: 15_000 })
  const [deciding, setDeciding] = useState<WaitingPurchase>()
  return (
    <Section
      title="To decide"
      lead="Purchases of all organisations that no vendor could tell about for a day. Ask the vendor, then say how it ended."
      flush
    >
      {found.isPending && <Loading />}
      {found.error && !found.data && <Trouble error={found.error} />}
      {found.data && (
        <Table
          label="Purchases to decide"
          rows={found.data.purchases}
          rowKey={({ id }) => id}
          columns={[
            { title: 'Bought', narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
            { title: 'Organisation', cell: ({ organisation_name }) => organisation_name },
            { title: 'For', narrow: true, cell: ({ recipient }) => <Phone number={recipient} /> },
            { title: 'Amount', number: true, narrow: true, cell: ({ amount }) => <Money amount={amount} /> },
            {
              title: 'At the vendor',
              cell: ({ vendor, reference, vendor_description }) => (
                <>
                  {vendor} <span className="mono">{reference}</span>
                  {vendor_description && <span className="soft small"> {vendor_description}</span>}
                </>
              ),
            },
            {
              title: 'Actions',
              unseen: true,
              narrow: true,
              cell: (purchase) => (
                <Button look="bare" onClick={() => setDeciding(purchase)}>
                  Decide
                </Button>
              ),
            },
          ]}
          empty={<Empty title="Nothing waits for a decision.">Every purchase has been told about by its vendor.</Empty>}
        />
      )}
      {deciding && <Decide purchase={deciding} onClose={() => setDeciding(undefined)} />}
    </Section>
  )
}

function Decide({ purchase, onClose }: { purchase: WaitingPurchase; onClose: () => void }) {
  const say = useSay()
  const decide = useWrite(
    (status: 'success' | 'failed') => call('POST', `${PATH}/${purchase.id}`, { status }),
    [PATH, '/airtime'],
  )
  const settle = (status: 'success' | 'failed') =>
    decide.mutate(status, {
      onSuccess: () => {
        say(status === 'failed' ? 'It failed, and the charge is given back.' : 'It is a success.')
        onClose()
      },
    })
  return (
    <Dialog title="How did it end?" onClose={onClose}>
      {decide.error && <Refused error={decide.error} />}
      <p>
        <Money amount={purchase.amount} /> of {purchase.network} airtime for {phoneText(purchase.recipient)}, known at{' '}
        {purchase.vendor} as <span className="mono">{purchase.reference}</span>. This cannot be taken back.
      </p>
      <FormActions>
        <Button look="main" busy={decide.isPending} onClick={() => settle('success')}>
          It was delivered
        </Button>
        <Button look="danger" busy={decide.isPending} onClick={() => settle('failed')}>
          It failed: refund it
        </Button>
      </FormActions>
    </Dialog>
  )
}
