import { useRead } from '../../read.ts'
import { Link } from '../../router.tsx'
import { number, t } from '../../text/text.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DataList } from '../../ui/DataList.tsx'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { duration, Time } from '../../ui/Time.tsx'
import { fieldsOf } from './fields.ts'
import { HttpStatus } from './HttpStatus.tsx'

/** One call: what was asked, what was answered, and how long it took. */
export function RequestView({ request_id }: { request_id: string }) {
  const found = useRead(`/requests/${encodeURIComponent(request_id)}`)
  const request = found.data
  return (
    <Page
      title={t('Request||of the API')}
      wide
      lead={
        <span className="row">
          <span className="mono">{request_id}</span> <CopyButton text={request_id} />
        </span>
      }
      actions={
        <Link to="/requests" className="button">
          {t('All requests')}
        </Link>
      }
    >
      {found.isPending && <Loading />}
      {found.error && <Trouble error={found.error} />}
      {request && (
        <>
          <Section title={`${request.method} ${request.path}`}>
            <DataList
              items={[
                [t('Status'), <HttpStatus status={request.status} />],
                [t('When'), <Time at={request.created_datetime} />],
                [t('Duration'), duration(request.duration_ms)],
                [t('Key'), request.key_name ?? request.key],
                [
                  t('Stored||of calls'),
                  request.seen !== undefined &&
                    t('{shown} of {seen} calls of that second are kept', {
                      shown: number(request.shown ?? 0),
                      seen: number(request.seen),
                    }),
                ],
              ]}
            />
          </Section>
          <Said title={t('Request sent')} text={request.body} left_out={request.left_out} />
          <Said title={t('Response')} text={request.answer} left_out={request.left_out} />
        </>
      )}
    </Page>
  )
}

function Said({ title, text, left_out }: { title: string; text: string | undefined; left_out: boolean }) {
  const fields = text === undefined ? [] : fieldsOf(text)
  return (
    <Section title={title} actions={text !== undefined && <CopyButton text={text} />}>
      {text === undefined && <p className="soft">{left_out ? t('Not stored.') : t('Nothing.')}</p>}
      {fields === undefined ? (
        <p className="request-text mono">{text}</p>
      ) : (
        <DataList items={fields.map(([name, value]) => [name, <span className="request-value">{value}</span>])} />
      )}
    </Section>
  )
}
