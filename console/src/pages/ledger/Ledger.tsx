import { useState } from 'react'
import { ApiError, download, withQuery } from '../../api.ts'
import { usePages, useRead } from '../../read.ts'
import { changeQuery, useRoute } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Segments } from '../../ui/fields.tsx'
import { Figure } from '../../ui/Figure.tsx'
import { Money } from '../../ui/Money.tsx'
import { Page } from '../../ui/Page.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { isTimed, readFilter } from './filter.ts'
import { Filters } from './Filters.tsx'
import { Lines } from './Lines.tsx'
import { MessageCosts } from './MessageCosts.tsx'
import { TopUp } from './TopUp.tsx'

const PATH = '/balance'
const EVERY_MS = 5_000

/** The balance, and every line that made it; or what each message came to. */
export default function Ledger() {
  const { operator, organisation } = useSession()
  const { query } = useRoute()
  const [topping, setTopping] = useState(false)
  const by_message = query.by === 'message'
  const filter = readFilter(query)
  const entries = usePages(
    by_message ? null : PATH,
    'entries',
    { ...filter, group: 'campaign', limit: 50 },
    { every_ms: EVERY_MS },
  )
  const beside = useRead(by_message ? withQuery(PATH, { ...filter, limit: 1 }) : null, {
    every_ms: EVERY_MS,
    keep: true,
  })
  const account = by_message ? beside.data : entries.first
  const { balance, credit_limit, opening_balance, closing_balance } = account ?? {}
  return (
    <Page
      title={t('Ledger')}
      lead={t('Entries are append-only and numbered without gaps; the balance is their sum.')}
      actions={
        <>
          <Segments
            label={t('Show||lines or messages')}
            value={by_message ? 'message' : 'line'}
            onChange={(by) => changeQuery({ by: by === 'message' ? by : undefined, kind: undefined })}
            choices={[
              { value: 'line', label: t('Lines') },
              { value: 'message', label: t('By message') },
            ]}
          />
          <Export by_message={by_message} filter={filter} />
          {operator && (
            <Button look="main" onClick={() => setTopping(true)}>
              {t('Top up')}
            </Button>
          )}
        </>
      }
    >
      <dl className="figures">
        <Figure
          name={t('Balance')}
          value={balance === undefined ? '–' : <Money amount={balance} />}
          note={operator ? t('available||the balance') : t('available; the operator tops it up')}
        />
        {credit_limit !== undefined && (
          <Figure
            name={t('Credit limit')}
            value={<Money amount={credit_limit} />}
            note={t('the balance may fall below zero by it')}
          />
        )}
        {isTimed(filter) && opening_balance !== undefined && closing_balance !== undefined && (
          <>
            <Figure
              name={t('Opening||balance')}
              value={<Money amount={opening_balance} />}
              note={t('before this time')}
            />
            <Figure
              name={t('Closing||balance')}
              value={<Money amount={closing_balance} />}
              note={t('after this time')}
            />
            <Figure
              name={t('Change||of the balance')}
              value={<Money amount={Math.round((closing_balance - opening_balance) * 10_000) / 10_000} sign />}
              note={t('in this period, of all types')}
            />
          </>
        )}
      </dl>
      <Filters query={query} by_message={by_message} />
      {by_message ? (
        <MessageCosts filter={filter} />
      ) : (
        <Lines pages={entries} filtered={Object.keys(query).length > 0} />
      )}
      {topping && <TopUp organisation={organisation} onClose={() => setTopping(false)} />}
    </Page>
  )
}

function Export({ by_message, filter }: { by_message: boolean; filter: ReturnType<typeof readFilter> }) {
  const [busy, setBusy] = useState(false)
  const say = useSay()
  async function run() {
    setBusy(true)
    try {
      const { from, until, external_ref } = filter
      if (by_message) {
        await download(withQuery('/balance/messages.csv', { from, until, external_ref }), 'message-costs.csv')
      } else await download(withQuery('/balance.csv', filter), 'ledger.csv')
    } catch (fault) {
      say(fault instanceof ApiError ? fault.message : t('The file could not be created.'), 'bad')
    }
    setBusy(false)
  }
  return (
    <Button icon="export" busy={busy} onClick={() => void run()}>
      {t('Export CSV')}
    </Button>
  )
}
