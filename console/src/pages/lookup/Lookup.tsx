import type { FoundPhone } from '../../../../clients/typescript/src/types.ts'
import { call } from '../../api.ts'
import { SamplesBelow } from '../../code/Samples.tsx'
import { CALLS } from '../../code/snippets.ts'
import { useDraft } from '../../draft.ts'
import { useOnce } from '../../read.ts'
import { number, plural, Rich, t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, Loading } from '../../ui/Empty.tsx'
import { AreaField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { Money } from '../../ui/Money.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Phone } from '../../ui/Phone.tsx'
import { Table } from '../../ui/Table.tsx'
import { duration } from '../../ui/Time.tsx'

const NOTHING = { phones: '' }

/** What is known about one number, or about a pasted list of them. */
export default function Lookup() {
  const draft = useDraft('lookup', NOTHING)
  const [{ phones }, change, forget] = draft
  const look = useOnce(
    t('Lookup'),
    async (_: void, once) => {
      const found = await call('POST', '/lookup/phones', { phones: listed(phones), skip_invalid: true }, once)
      forget({ phones })
      return found
    },
    ['/balance'],
  )
  const answer = look.data
  return (
    <Page title={t('Lookup')} lead={t('Operator, country, number portability and do-not-disturb status.')}>
      <Section>
        <Form error={look.error} draft={draft} onSubmit={() => look.mutate()} label={t('Look up numbers')}>
          <AreaField
            name="phones"
            label={t('Numbers||of phones')}
            rows={3}
            spellCheck={false}
            placeholder="0803 123 4567, +234 805 123 4567"
            hint={t('Up to 1,000, separated by commas or line breaks.')}
            entries={listed(phones)}
            value={phones}
            onChange={(next) => change({ phones: next })}
          />
          <FormActions>
            <Button look="main" type="submit" icon="lookup" busy={look.isPending}>
              {t('Look up')}
            </Button>
          </FormActions>
        </Form>
      </Section>
      <Section flush>
        {look.isPending && <Loading />}
        <Table
          label={t('Found||numbers')}
          rows={answer?.phones ?? []}
          rowKey={({ msisdn }) => msisdn}
          columns={[
            { title: t('Number||of a phone'), cell: ({ msisdn }) => <Phone number={msisdn} /> },
            {
              title: t('Operator||a mobile network'),
              narrow: true,
              cell: ({ operator }) => operator || <Unknown />,
            },
            { title: t('Country'), narrow: true, cell: ({ country }) => country || <Unknown /> },
            { title: t('Ported'), narrow: true, cell: ({ ported }) => (ported ? t('yes') : t('no')) },
            { title: t('Do not disturb'), narrow: true, cell: ({ dnd }) => (dnd ? <b>{t('yes')}</b> : t('no')) },
            {
              title: t('Source'),
              narrow: true,
              minor: true,
              cell: ({ source, age_s }) => <span className="soft">{sourceName(source, age_s)}</span>,
            },
          ]}
          empty={!look.isPending && <Empty title={t('No lookups yet.')}>{t('Enter a number above.')}</Empty>}
        />
        {answer?.invalid && answer.invalid.length > 0 && (
          <p className="table-foot faults" role="status">
            {leftOut(answer.invalid)}
          </p>
        )}
        {answer?.meta.charge && (
          <p className="table-foot soft small">
            <Rich text="Charged {amount}" values={{ amount: <Money amount={answer.meta.charge.amount} /> }} />
          </p>
        )}
      </Section>
      <SamplesBelow call={CALLS.lookup} />
    </Page>
  )
}

function Unknown() {
  return <span className="soft">{t('unknown')}</span>
}

const MOST_NAMED = 20

function leftOut(invalid: readonly string[]): string {
  const numbers = invalid.slice(0, MOST_NAMED).join(', ')
  const more = invalid.length - MOST_NAMED
  if (more > 0) return t('Not phone numbers, left out: {numbers} and {n} more', { numbers, n: number(more) })
  return plural(invalid.length, 'Not a phone number, left out: {numbers}', 'Not phone numbers, left out: {numbers}', {
    numbers,
  })
}

function listed(text: string): string[] {
  return text
    .split(/[,;\n]+/)
    .map((part) => part.trim())
    .filter(Boolean)
}

const SOURCES: Record<FoundPhone['source'], string> = {
  provider: t('the provider, just now'),
  cache: t('an earlier answer'),
  carrier: t('a carrier’s report'),
  registry: t('the registry'),
  prefix: t('its prefix'),
  none: t('unknown||no source'),
}

function sourceName(source: FoundPhone['source'], age_s = 0): string {
  if (age_s <= 0) return SOURCES[source]
  return t('{source}, {age} old', { source: SOURCES[source], age: duration(age_s * 1_000) })
}
