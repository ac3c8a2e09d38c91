import { useState } from 'react'
import { call, download } from '../../api.ts'
import { usePages, useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Confirm, Dialog } from '../../ui/Dialog.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { TextField } from '../../ui/fields.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'

const ERASURES = '/people/erasures'

/** What is kept about one person: to give it to them, or to erase it. */
export function PersonData({ onClose }: { onClose: () => void }) {
  const say = useSay()
  const { right } = useSession()
  const [phone, setPhone] = useState('')
  const [asking, setAsking] = useState(false)
  const erasures = usePages(ERASURES, 'erasures', { limit: 5 })
  const give = useWrite(() => download('/people/export', 'person.json', 'POST', { phone }), [])
  const is_empty = phone.trim() === ''
  return (
    <Dialog title={t("A person's data")} wide onClose={onClose}>
      <Form error={give.error} onSubmit={() => give.mutate(undefined)}>
        <TextField
          name="phone"
          label={t('Phone number')}
          type="tel"
          hint={t('The number of the person who requests access to, or erasure of, their data.')}
          value={phone}
          onChange={setPhone}
        />
        <FormActions>
          <Button
            look="main"
            icon="export"
            type="submit"
            busy={give.isPending}
            blocked={is_empty ? t('Enter a phone number first.') : undefined}
          >
            {t('Export stored data')}
          </Button>
          {right('people') === 'change' && (
            <Button look="danger" blocked={is_empty ? '' : undefined} onClick={() => setAsking(true)}>
              {t('Erase')}
            </Button>
          )}
          <CloseButton />
        </FormActions>
      </Form>
      <PagedTable
        label={t('Erasures')}
        pages={erasures}
        rowKey={({ id }) => id}
        columns={[
          {
            title: t('Erased||number'),
            cell: ({ number_hash }) => <span className="mono">{number_hash.slice(0, 15)}…</span>,
          },
          { title: t('State'), narrow: true, cell: ({ status }) => (status === 'done' ? t('done') : t('in progress')) },
          { title: t('Rows'), narrow: true, cell: ({ found }) => found.reduce((sum, { rows }) => sum + rows, 0) },
          { title: t('Requested by'), cell: ({ asked_by }) => asked_by },
          { title: t('When'), narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
        ]}
        empty={<Empty title={t('No erasures yet.')}>{t('Receipts are listed here, without personal data.')}</Empty>}
      />
      {asking && (
        <Confirm
          title={t('Erase {phone}?', { phone })}
          action={t('Erase this person')}
          keep={t('Keep the data')}
          write={() => call('POST', ERASURES, { phone })}
          stale={[ERASURES, '/lists/contact/rows']}
          onDone={() => say(t('The person is being erased. The receipt is in the list.'))}
          onClose={() => setAsking(false)}
        >
          <p>
            {t(
              'Deletes the number and all messages to and from it. Pending messages are canceled and refunded. Charges and counts are kept without the number, and an opt-out stays in force.',
            )}
          </p>
          <p>{t('It cannot be undone.')}</p>
        </Confirm>
      )}
    </Dialog>
  )
}
