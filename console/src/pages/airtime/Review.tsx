import { useState } from 'react'
import type { WaitingPurchase } from '../../types.ts'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { Rich, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Empty, Pending } from '../../ui/Empty.tsx'
import { FormActions, Refused } from '../../ui/Form.tsx'
import { Money } from '../../ui/Money.tsx'
import { Section } from '../../ui/Page.tsx'
import { Phone, phoneText } from '../../ui/Phone.tsx'
import { Table, ACTIONS } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'

const PATH = '/console/api/airtime/review'

/** Purchases that no vendor has confirmed within a day. The operator asks the vendor and records the outcome. */
export function Review() {
  const found = useRead(PATH, { every_ms: 15_000 })
  const [deciding, setDeciding] = useState<WaitingPurchase>()
  return (
    <Section
      title={t('Awaiting review')}
      lead={t(
        'Purchases of all organisations that no vendor has confirmed within a day. Ask the vendor, then record the outcome.',
      )}
      flush
    >
      <Pending read={found} />
      {found.data && (
        <Table
          label={t('Purchases to review')}
          rows={found.data.purchases}
          rowKey={({ id }) => id}
          columns={[
            { title: t('Bought'), narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
            { title: t('Organisation'), cell: ({ organisation_name }) => organisation_name },
            { title: t('For||a person'), narrow: true, cell: ({ recipient }) => <Phone number={recipient} /> },
            { title: t('Amount'), number: true, narrow: true, cell: ({ amount }) => <Money amount={amount} /> },
            {
              title: t('At the vendor'),
              cell: ({ vendor, reference, vendor_description }) => (
                <>
                  {vendor} <span className="mono">{reference}</span>
                  {vendor_description && <span className="soft small"> {vendor_description}</span>}
                </>
              ),
            },
            {
              ...ACTIONS,
              cell: (purchase) => (
                <Button look="bare" onClick={() => setDeciding(purchase)}>
                  {t('Decide')}
                </Button>
              ),
            },
          ]}
          empty={
            <Empty title={t('No decisions pending.')}>{t('All purchases have been confirmed by their vendors.')}</Empty>
          }
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
        say(status === 'failed' ? t('The purchase failed, and the charge is refunded.') : t('The purchase succeeded.'))
        onClose()
      },
    })
  return (
    <Dialog title={t('What was the outcome?')} onClose={onClose}>
      {decide.error && <Refused error={decide.error} />}
      <p>
        <Rich
          text="{amount} of {network} airtime for {phone}, known at {vendor} as {reference}. This cannot be undone."
          values={{
            amount: <Money amount={purchase.amount} />,
            network: purchase.network,
            phone: phoneText(purchase.recipient),
            vendor: purchase.vendor,
            reference: <span className="mono">{purchase.reference}</span>,
          }}
        />
      </p>
      <FormActions>
        <Button look="main" busy={decide.isPending} onClick={() => settle('success')}>
          {t('The airtime was delivered')}
        </Button>
        <Button look="danger" busy={decide.isPending} onClick={() => settle('failed')}>
          {t('The purchase failed: refund it')}
        </Button>
      </FormActions>
    </Dialog>
  )
}
