import { useState } from 'react'
import type { OtpRecord } from '../../../../src/otp/schema.ts'
import { useLiveRefresh } from '../../live.ts'
import { usePages, useRead } from '../../read.ts'
import { changeQuery, useRoute } from '../../router.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { Figure, percent } from '../../ui/Figure.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Phone } from '../../ui/Phone.tsx'
import { PagedTable } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { Guard } from './Guard.tsx'
import { RequestOtp } from './RequestOtp.tsx'
import { VerifyOtp } from './VerifyOtp.tsx'

const PATH = '/console/api/otps'
const STATUSES = ['SENT', 'VERIFIED', 'EXPIRED', 'FAILED', 'DELETED']
const SENT = 1

/** One-time passwords: who asked for one, how many were used, and where somebody may be pumping. */
export default function Otp() {
  const { query } = useRoute()
  const [asking, setAsking] = useState(false)
  const [verifying, setVerifying] = useState<OtpRecord>()
  const otps = usePages(PATH, 'otps', { recipient: query.q, status: query.status, limit: 50 })
  const overview = useRead('/console/api/overview?range=day', { every_ms: 10_000 })
  useLiveRefresh(PATH)
  const totals = overview.data?.totals
  const filtered = Boolean(query.q || query.status)
  return (
    <Page
      title="One-time passwords"
      lead="The token itself is never shown: only the phone has it."
      actions={
        <Button look="main" onClick={() => setAsking(true)}>
          Request a token
        </Button>
      }
    >
      <dl className="figures">
        <Figure name="Sent" value={totals ? totals.otp_sent.toLocaleString('en') : '–'} note="in the last day" />
        <Figure name="Verified" value={totals ? totals.otp_verified.toLocaleString('en') : '–'} note="of these" />
        <Figure name="Conversion" value={percent(totals?.otp_conversion)} note="verified of sent" />
      </dl>
      <Section
        title="Requests"
        flush
        actions={
          <>
            <SearchField
              label="Search by number"
              value={query.q ?? ''}
              onChange={(value) => changeQuery({ q: value })}
            />
            <select
              aria-label="Status"
              className="otp-status"
              value={query.status ?? ''}
              onChange={(event) => changeQuery({ status: event.target.value })}
            >
              <option value="">Any status</option>
              {STATUSES.map((status, index) => (
                <option key={status} value={NUMBERS[index]}>
                  {status.toLowerCase()}
                </option>
              ))}
            </select>
          </>
        }
      >
        <PagedTable
          label="Requests"
          pages={otps}
          rowKey={({ id }) => id}
          columns={[
            { title: 'Requested', narrow: true, cell: ({ created_datetime }) => <Time at={created_datetime} /> },
            { title: 'Number', cell: ({ recipient }) => <Phone number={recipient} /> },
            { title: 'Status', narrow: true, cell: ({ status_desc }) => <Badge status={status_desc.toLowerCase()} /> },
            { title: 'Tries', number: true, narrow: true, cell: ({ attempts }) => attempts ?? 0 },
            { title: 'Expires', narrow: true, cell: ({ expires_datetime }) => <Time at={expires_datetime} /> },
            {
              title: 'Actions',
              unseen: true,
              narrow: true,
              cell: (otp) =>
                otp.status === SENT && (
                  <Button look="bare" onClick={() => setVerifying(otp)}>
                    Verify
                  </Button>
                ),
            },
          ]}
          empty={
            filtered ? (
              <Empty title="No request matches.">Search for another number, or choose another status.</Empty>
            ) : (
              <Empty title="No token was requested yet.">
                <p>Request one, read it on the phone and verify it.</p>
                <Button onClick={() => setAsking(true)}>Request a token</Button>
              </Empty>
            )
          }
        />
      </Section>
      <Guard />
      {asking && <RequestOtp onClose={() => setAsking(false)} />}
      {verifying && <VerifyOtp otp={verifying} onClose={() => setVerifying(undefined)} />}
    </Page>
  )
}

/** In the order of STATUSES. */
const NUMBERS = ['1', '4', '2', '3', '5']
