import { useState } from 'react'
import type { FoundPhone } from '../../../../src/lookup/schema.ts'
import { call } from '../../api.ts'
import { useOnce } from '../../read.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { AreaField } from '../../ui/fields.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { Money } from '../../ui/Money.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { Phone } from '../../ui/Phone.tsx'
import { Table } from '../../ui/Table.tsx'
import { duration } from '../../ui/Time.tsx'

/** What is known about one number, or about a pasted list of them. */
export default function Lookup() {
  const [phones, setPhones] = useState('')
  const look = useOnce(
    (_: void, idempotency_key) =>
      call('POST', '/lookup/phones', { phones: listed(phones), skip_invalid: true }, { idempotency_key }),
    ['/balance'],
  )
  const answer = look.data
  return (
    <Page title="Lookup" lead="Operator, country, whether a number was ported, and whether it must not be disturbed.">
      <Section>
        <Form error={look.error} onSubmit={() => look.mutate()} label="Look numbers up">
          <AreaField
            name="phones"
            label="Numbers"
            rows={3}
            spellCheck={false}
            placeholder="0803 123 4567, +234 805 123 4567"
            hint="One or up to 1,000, separated by commas or on lines of their own."
            entries={listed(phones)}
            value={phones}
            onChange={setPhones}
          />
          <FormActions>
            <Button look="main" type="submit" icon="lookup" busy={look.isPending}>
              Look up
            </Button>
          </FormActions>
        </Form>
      </Section>
      <Section flush>
        <Table
          label="Found"
          rows={answer?.phones ?? []}
          rowKey={({ msisdn }) => msisdn}
          columns={[
            { title: 'Number', cell: ({ msisdn }) => <Phone number={msisdn} /> },
            {
              title: 'Operator',
              narrow: true,
              cell: ({ operator }) => operator || <span className="soft">unknown</span>,
            },
            { title: 'Country', narrow: true, cell: ({ country }) => country || <span className="soft">unknown</span> },
            { title: 'Ported', narrow: true, cell: ({ ported }) => (ported ? 'yes' : 'no') },
            { title: 'Do not disturb', narrow: true, cell: ({ dnd }) => (dnd ? <b>yes</b> : 'no') },
            {
              title: 'Known from',
              narrow: true,
              minor: true,
              cell: ({ source, age_s }) => (
                <span className="soft">
                  {SOURCES[source]}
                  {age_s !== undefined && age_s > 0 && `, ${duration(age_s * 1_000)} old`}
                </span>
              ),
            },
          ]}
          empty={<Empty title="Nothing looked up yet.">Type a number above.</Empty>}
        />
        {answer?.invalid && answer.invalid.length > 0 && (
          <p className="table-foot faults" role="status">
            {answer.invalid.length === 1 ? 'No phone number, and left out: ' : 'No phone numbers, and left out: '}
            {answer.invalid.slice(0, MOST_NAMED).join(', ')}
            {answer.invalid.length > MOST_NAMED && ` and ${answer.invalid.length - MOST_NAMED} more`}
          </p>
        )}
        {answer?.meta.charge && (
          <p className="table-foot soft small">
            Charged <Money amount={answer.meta.charge.amount} />
          </p>
        )}
      </Section>
    </Page>
  )
}

const MOST_NAMED = 20

function listed(text: string): string[] {
  return text
    .split(/[,;\n]+/)
    .map((part) => part.trim())
    .filter(Boolean)
}

const SOURCES: Record<FoundPhone['source'], string> = {
  provider: 'the provider, just now',
  cache: 'an earlier answer',
  carrier: 'a carrier’s report',
  registry: 'the registry',
  prefix: 'its prefix',
  none: 'nobody',
}
