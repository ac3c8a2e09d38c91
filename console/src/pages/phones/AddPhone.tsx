import { useState } from 'react'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, FormActions } from '../../ui/Form.tsx'
import { Table } from '../../ui/Table.tsx'
import { Phone, typedNumber } from '../../ui/Phone.tsx'

/** Numbers with a fate of their own, so that every ending can be seen. */
const FATES = [
  ['2348000000001', t('Undelivered: inactive number')],
  ['2348000000002', t('Expired: absent subscriber')],
  ['2348000000003', t('Rejected: sender restricted')],
  ['2348000000004', t('Undelivered: do not disturb')],
  ['2348000000005', t('No report ever: unknown')],
  ['2348000000008', t('Delivered after 10 seconds')],
  ['2348000000009', t('Fails twice, then delivered')],
] as const

export function AddPhone({ onAdd, onClose }: { onAdd: (number: string) => void; onClose: () => void }) {
  const [number, setNumber] = useState('0803 123 4567')
  const { organisation } = useSession()
  const digits = typedNumber(number, organisation.default_country)
  return (
    <Dialog title={t('Add a phone')} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (digits !== undefined) onAdd(digits)
        }}
      >
        <Field
          name="number"
          label={t('Number')}
          hint={t('Any number: a message to it will arrive here within a second.')}
        >
          {(control) => (
            <input
              {...control}
              type="tel"
              value={number}
              onChange={(event) => setNumber(event.target.value)}
              aria-invalid={digits === undefined || undefined}
            />
          )}
        </Field>
        <FormActions>
          <Button
            look="main"
            type="submit"
            blocked={digits === undefined ? t('Enter a phone number first.') : undefined}
          >
            {t('Add')}
          </Button>
        </FormActions>
      </form>
      <div>
        <h3>{t('Numbers with a fixed outcome')}</h3>
        <Table
          label={t('Numbers with a fixed outcome')}
          rows={FATES}
          rowKey={([phone]) => phone}
          columns={[
            { title: t('Number'), narrow: true, cell: ([phone]) => <Phone number={phone} /> },
            { title: t('Outcome of a message'), cell: ([, fate]) => fate },
          ]}
          empty={null}
        />
      </div>
    </Dialog>
  )
}
