import { useState } from 'react'
import { useDraft } from '../../draft.ts'
import { call } from '../../api.ts'
import { useRead, useWrite } from '../../read.ts'
import { Link } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { Rich, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { Segments } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { CellField } from './CellField.tsx'
import { ROWS, type ContactRow, type ContactTable } from './contacts.ts'
import { Conversation } from './Conversation.tsx'
import { useTakeRow } from './rows.ts'
import { nameOf } from './words.ts'

/** One contact: what is known, and everything that was written to and fro. */
export function ContactView({ id }: { id: string }) {
  const found = useRead(`${ROWS}/${id}`)
  if (found.isPending) return <Loading />
  if (!found.data) {
    return (
      <Page title={t('Contact')} actions={<Back />}>
        <Trouble error={found.error} />
      </Page>
    )
  }
  return <Contact {...found.data} />
}

function Contact({ row, table }: { row: ContactRow; table: ContactTable }) {
  const { right } = useSession()
  const numbers = table.columns.flatMap(({ id, name, type }) => {
    const number = type === 'PHONE NUMBER' ? row.columns[id] : undefined
    return number === undefined ? [] : [{ value: number, label: t('{name}: {value}', { name, value: number }) }]
  })
  const [chosen, setChosen] = useState('')
  const number = numbers.find(({ value }) => value === chosen)?.value ?? numbers[0]?.value
  const since = <Time at={row.created_datetime} />
  return (
    <Page
      title={nameOf(row, table.columns)}
      lead={
        row.updated_datetime === undefined ? (
          <Rich text="Added {since}." values={{ since }} />
        ) : (
          <Rich
            text="Added {since}, changed {changed}."
            values={{ since, changed: <Time at={row.updated_datetime} /> }}
          />
        )
      }
      actions={<Back />}
    >
      <div className="contact">
        <Section title={t('Details')}>
          <Cells key={row.updated_datetime} row={row} table={table} />
        </Section>
        <Section
          title={t('Messages and replies')}
          flush
          actions={
            numbers.length > 1 && (
              <Segments label={t('Number')} value={number ?? ''} onChange={setChosen} choices={numbers} />
            )
          }
        >
          {right('sms') === 'none' ? (
            <p className="soft contact-none">{t('Your role does not give access to messages.')}</p>
          ) : number === undefined ? (
            <p className="soft contact-none">{t('There is no phone number, so nothing can have been sent.')}</p>
          ) : (
            <Conversation key={number} number={number} />
          )}
        </Section>
      </div>
    </Page>
  )
}

function Back() {
  return (
    <Link className="button" to="/contacts">
      {t('All contacts')}
    </Link>
  )
}

const NO_CELLS = { cells: {} }

/** The cells of a contact, to be changed. Beside a conversation, too. */
export function Cells({ row, table }: { row: ContactRow; table: ContactTable }) {
  const say = useSay()
  const take = useTakeRow()
  const draft = useDraft<{ cells: Record<string, string> }>(`contact.${row.id}`, NO_CELLS)
  const [{ cells }, change, forget] = draft
  const path = `${ROWS}/${row.id}` as const
  const save = useWrite(async () => {
    const answer = await call('PATCH', path, { columns: cells })
    forget()
    return answer
  }, [ROWS])
  const changed = Object.entries(cells).some(([id, value]) => value !== (row.columns[id] ?? ''))
  return (
    <Form
      error={save.error}
      label={t('Details')}
      draft={draft}
      onSubmit={() =>
        save.mutate(undefined, {
          onSuccess: (answer) => {
            take(answer.row)
            say(t('The contact is saved.'))
          },
        })
      }
    >
      {table.columns.map((column) => (
        <CellField
          key={column.id}
          column={column}
          value={cells[column.id] ?? row.columns[column.id] ?? ''}
          onChange={(value) => change({ cells: { ...cells, [column.id]: value } })}
        />
      ))}
      <FormActions>
        <Button
          look="main"
          type="submit"
          busy={save.isPending}
          blocked={changed ? undefined : t('Nothing was changed yet.')}
        >
          {t('Save')}
        </Button>
      </FormActions>
    </Form>
  )
}
