import { useState } from 'react'
import type { OtpRecord } from '../../../../clients/typescript/src/types.ts'
import { SamplesBelow } from '../../code/Samples.tsx'
import { CALLS } from '../../code/snippets.ts'
import { useLiveRefresh } from '../../live.ts'
import { usePages, useRead } from '../../read.ts'
import { changeQuery, useNew, useRoute } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { number, t } from '../../text/text.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { Figure, percent } from '../../ui/Figure.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Phone } from '../../ui/Phone.tsx'
import { Select } from '../../ui/select/Select.tsx'
import { PagedTable, ACTIONS } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { EveryGuard, Guard } from './Guard.tsx'
import { RequestOtp } from './RequestOtp.tsx'
import { VerifyOtp } from './VerifyOtp.tsx'

const PATH = '/console/api/otps'
/** The list and the figures above it; verifying a token is no live event. */
const EVERY_MS = 5_000
/** Under the numbers the service knows them by. */
const STATUSES = [
  ['1', t('sent||status')],
  ['4', t('verified||status')],
  ['2', t('expired||status')],
  ['3', t('failed||status')],
  ['5', t('deleted||status')],
] as const
const SENT = 1

/** One-time passwords: requests, conversion, and signs of traffic pumping. */
export default function Otp() {
  const { operator } = useSession()
  const { query } = useRoute()
  const [asking, setAsking] = useNew()
  const [verifying, setVerifying] = useState<OtpRecord>()
  const otps = usePages(PATH, 'otps', { recipient: query.q, status: query.status, limit: 50 }, { every_ms: EVERY_MS })
  const overview = useRead('/console/api/overview?range=day', { every_ms: EVERY_MS })
  useLiveRefresh(PATH, '/console/api/overview')
  const totals = overview.data?.totals
  const filtered = Boolean(query.q || query.status)
  return (
    <Page
      title={t('One-time passwords')}
      lead={t('The token itself is never shown: only the phone has it.')}
      actions={
        <Button look="main" onClick={() => setAsking(true)}>
          {t('Request a token')}
        </Button>
      }
    >
      <dl className="figures">
        <Figure name={t('Sent||how many')} value={totals ? number(totals.otp_sent) : '–'} note={t('in the last day')} />
        <Figure
          name={t('Verified')}
          value={totals ? number(totals.otp_verified) : '–'}
          note={t('of these||one-time passwords sent')}
        />
        <Figure name={t('Conversion')} value={percent(totals?.otp_conversion)} note={t('verified of sent')} />
      </dl>
      <Section
        title={t('Requests||for one-time passwords')}
        flush
        actions={
          <>
            <SearchField
              label={t('Search by number')}
              value={query.q ?? ''}
              onChange={(value) => changeQuery({ q: value })}
            />
            <Select
              label={t('Status')}
              className="otp-status"
              value={query.status ?? ''}
              onChange={(status) => changeQuery({ status })}
              choices={[{ value: '', label: t('Any status') }, ...STATUSES.map(([value, label]) => ({ value, label }))]}
            />
          </>
        }
      >
        <PagedTable
          label={t('Requests||for one-time passwords')}
          pages={otps}
          rowKey={({ id }) => id}
          columns={[
            {
              title: t('Requested||when'),
              narrow: true,
              cell: ({ created_datetime }) => <Time at={created_datetime} />,
            },
            { title: t('Number'), cell: ({ recipient }) => <Phone number={recipient} /> },
            {
              title: t('Status'),
              narrow: true,
              cell: ({ status_desc }) => <Badge status={status_desc.toLowerCase()} />,
            },
            { title: t('Attempts'), number: true, narrow: true, cell: ({ attempts }) => attempts ?? 0 },
            { title: t('Expires||when'), narrow: true, cell: ({ expires_datetime }) => <Time at={expires_datetime} /> },
            {
              ...ACTIONS,
              cell: (otp) =>
                otp.status === SENT && (
                  <Button look="bare" changes onClick={() => setVerifying(otp)}>
                    {t('Verify')}
                  </Button>
                ),
            },
          ]}
          empty={
            filtered ? (
              <Empty title={t('No requests match.')}>{t('Search for another number, or choose another status.')}</Empty>
            ) : (
              <Empty title={t('No tokens requested yet.')}>
                <p>{t('Request one, read it on the phone and verify it.')}</p>
                <Button changes onClick={() => setAsking(true)}>
                  {t('Request a token')}
                </Button>
              </Empty>
            )
          }
        />
      </Section>
      <Guard />
      {operator && <EveryGuard />}
      <SamplesBelow call={CALLS.otp} />
      {asking && <RequestOtp onClose={() => setAsking(false)} />}
      {verifying && <VerifyOtp otp={verifying} onClose={() => setVerifying(undefined)} />}
    </Page>
  )
}
