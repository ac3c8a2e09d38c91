import { useState } from 'react'
import type { Optout } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { usePages, useWrite } from '../../read.ts'
import { changeQuery, useRoute } from '../../router.tsx'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { AreaField, SearchField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Phone, phoneText } from '../../ui/Phone.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { useSay } from '../../ui/Toast.tsx'

const PATH = '/optouts'
const EVERY_MS = 10_000

function sourceText(source: Optout['source']): string {
  if (source === 'text') return t('wrote STOP')
  return source === 'carrier' ? t('opted out at the carrier') : t('added by you')
}

/** Numbers that have opted out. */
export default function Optouts() {
  const { query } = useRoute()
  const say = useSay()
  const [adding, setAdding] = useState(false)
  const optouts = usePages(
    PATH,
    'optouts',
    { recipient: query.q?.replace(/\D/g, ''), limit: 50 },
    { every_ms: EVERY_MS },
  )
  const lift = useWrite(({ recipient }: Optout) => call('DELETE', `${PATH}/${recipient}`), [PATH])
  return (
    <Page
      title={t('Opt-outs')}
      lead={t(
        'Numbers that receive no messages: they replied STOP, opted out at their network, or were blocked by you. They can opt in again with START, or you can unblock them.',
      )}
      actions={
        <Button look="main" icon="plus" onClick={() => setAdding(true)}>
          {t('Block numbers')}
        </Button>
      }
    >
      <Section
        flush
        title={t('Blocked||numbers')}
        actions={
          <SearchField label={t('Search by number')} value={query.q ?? ''} onChange={(q) => changeQuery({ q })} />
        }
      >
        <PagedTable
          label={t('Opt-outs')}
          pages={optouts}
          rowKey={({ id }) => id}
          columns={[
            { title: t('Number||of a phone'), cell: ({ recipient }) => <Phone number={recipient} /> },
            {
              title: t('How||a recipient opted out'),
              narrow: true,
              cell: ({ source }) => sourceText(source),
            },
            { title: t('Since'), narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
            {
              title: t('Actions'),
              unseen: true,
              narrow: true,
              cell: (optout) => (
                <Button
                  look="bare"
                  changes
                  busy={lift.isPending && lift.variables?.id === optout.id}
                  onClick={() =>
                    lift.mutate(optout, {
                      onSuccess: () => say(t('{phone} gets messages again.', { phone: phoneText(optout.recipient) })),
                      onError: (fault) => say(fault.message, 'bad'),
                    })
                  }
                >
                  {t('Unblock')}
                </Button>
              ),
            },
          ]}
          empty={
            query.q ? (
              <Empty title={t('This number is not blocked.')}>
                {t('Enter the first digits, with the country code.')}
              </Empty>
            ) : (
              <Empty title={t('No opt-outs.')}>
                {t('Recipients who reply STOP are listed here and receive no more messages.')}
              </Empty>
            )
          }
        />
      </Section>
      {adding && <BlockNumbers onClose={() => setAdding(false)} />}
    </Page>
  )
}

function BlockNumbers({ onClose }: { onClose: () => void }) {
  const say = useSay()
  const [recipients, setRecipients] = useState('')
  const block = useWrite(() => call('POST', PATH, { recipients: recipients.replace(/[\n;]+/g, ',') }), [PATH])
  return (
    <FormDialog
      title={t('Block numbers')}
      action={t('Block')}
      write={block}
      onDone={() => {
        say(t('These numbers will receive no more messages.'))
      }}
      onClose={onClose}
    >
      <AreaField
        name="recipients"
        label={t('Numbers||of phones')}
        hint={t('Separated by commas or line breaks.')}
        value={recipients}
        onChange={setRecipients}
      />
    </FormDialog>
  )
}
