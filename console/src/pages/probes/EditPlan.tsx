import type { ShownPlan } from '../../api-types.ts'
import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useWrite } from '../../read.ts'
import { plural, t } from '../../text/text.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { money, typedAmount } from '../../ui/Money.tsx'
import { useSay } from '../../ui/Toast.tsx'
import { operatorKey, operatorName } from '../evidence/evidence.ts'
import { clock, PROBES, planPath, STALE, type Plans } from './probes.ts'
import { Wordings } from './Wordings.tsx'

type Props = { answer: Plans; plan?: ShownPlan; onSaved?: (plan: ShownPlan) => void; onClose: () => void }

/** Creates a plan, which is switched off, or changes one. */
export function EditPlan({ answer, plan, onSaved, onClose }: Props) {
  const say = useSay()
  const carriers = withOwn(answer.carriers, plan?.carrier)
  const operators = withPlace(answer.operators, plan)
  const draft = useDraft(`probe.${plan?.name ?? 'new'}`, initialOf(carriers, operators, plan))
  const [given, change] = draft
  const place = operators.find((one) => operatorKey(one) === given.operator)
  const fields = {
    carrier: given.carrier,
    operator: place?.operator ?? '',
    ...(place && { country: place.country }),
    sender_id: given.sender_id,
    wordings: given.wordings,
    per_day: typedAmount(given.per_day),
    per_campaign: typedAmount(given.per_campaign),
    from_hour: Number(given.from_hour),
    to_hour: Number(given.to_hour),
  }
  const write = useWrite<void, { plan: ShownPlan }>(
    () => (plan ? call('PATCH', planPath(plan.name), fields) : call('POST', PROBES, { name: given.name, ...fields })),
    STALE,
  )
  return (
    <FormDialog
      title={plan ? t('Change {name}', { name: plan.name }) : t('New plan')}
      action={plan ? t('Save') : t('Create the plan')}
      write={write}
      draft={draft}
      onDone={({ plan: saved }) => {
        const { name } = saved
        say(plan ? t('{name} is saved.', { name }) : t('{name} is created and switched off.', { name }))
        onSaved?.(saved)
      }}
      onClose={onClose}
    >
      {plan?.enabled && <p>{t('The plan is on: the next probe follows what you save.')}</p>}
      {!plan && (
        <TextField
          name="name"
          label={t('Name')}
          hint={t('Up to 40 lower-case letters, digits and dashes.')}
          value={given.name}
          onChange={(name) => change({ name })}
        />
      )}
      <div className="fields">
        <SelectField
          name="carrier"
          label={t('Carrier')}
          value={given.carrier}
          onChange={(carrier) => change({ carrier })}
          choices={[CHOOSE, ...carriers.map((name) => ({ value: name, label: name }))]}
        />
        <SelectField
          name="operator"
          label={t('Operator')}
          value={given.operator}
          onChange={(operator) => change({ operator })}
          choices={[CHOOSE, ...operators.map((one) => ({ value: operatorKey(one), label: placeName(one) }))]}
        />
      </div>
      <TextField
        name="sender_id"
        label={t('Sender')}
        value={given.sender_id}
        onChange={(sender_id) => change({ sender_id })}
      />
      <Wordings wordings={given.wordings} onChange={(wordings) => change({ wordings })} />
      <TextField
        name="per_day"
        label={t('Probes a day')}
        hint={costHint(plan, fields, answer.currency) ?? t('At most so many in any 24 hours.')}
        inputMode="numeric"
        value={given.per_day}
        onChange={(per_day) => change({ per_day })}
      />
      <TextField
        name="per_campaign"
        label={t('Probes with the text of each campaign')}
        hint={t('Of campaigns that go through the carrier to the operator, within the limit of a day. 0: none.')}
        inputMode="numeric"
        value={given.per_campaign}
        onChange={(per_campaign) => change({ per_campaign })}
      />
      <div className="fields">
        <SelectField
          name="from_hour"
          label={t('From||an hour')}
          hint={t('By the clocks of the country.')}
          value={given.from_hour}
          onChange={(from_hour) => change({ from_hour })}
          choices={hours(0, 23)}
        />
        <SelectField
          name="to_hour"
          label={t('Until||an hour')}
          value={given.to_hour}
          onChange={(to_hour) => change({ to_hour })}
          choices={hours(1, 24)}
        />
      </div>
    </FormDialog>
  )
}

type Operator = Plans['operators'][number]

const CHOOSE = { value: '', label: t('Choose one') }

function initialOf(carriers: readonly string[], operators: readonly Operator[], plan: ShownPlan | undefined) {
  const [carrier = '', another] = carriers
  const [operator, second] = operators
  const only = {
    carrier: another === undefined ? carrier : '',
    operator: operator && !second ? operatorKey(operator) : '',
  }
  return {
    name: '',
    carrier: plan?.carrier ?? only.carrier,
    operator: plan ? operatorKey(plan) : only.operator,
    sender_id: plan?.sender_id ?? '',
    wordings: plan?.wordings ?? [''],
    per_day: String(plan?.per_day ?? 24),
    per_campaign: String(plan?.per_campaign ?? 0),
    from_hour: String(plan?.from_hour ?? 8),
    to_hour: String(plan?.to_hour ?? 22),
  }
}

/** The carrier of a plan may be gone. */
function withOwn(carriers: readonly string[], own: string | undefined): readonly string[] {
  return own === undefined || carriers.includes(own) ? carriers : [...carriers, own]
}

/** The numbers of a plan may be gone. */
function withPlace(operators: readonly Operator[], plan: ShownPlan | undefined): readonly Operator[] {
  if (!plan || operators.some((one) => operatorKey(one) === operatorKey(plan))) return operators
  return [...operators, { country: plan.country, operator: plan.operator, numbers: 0 }]
}

function placeName(place: Operator): string {
  const numbers = plural(place.numbers, '{n} number', '{n} numbers')
  return t('{operator} ({numbers})', { operator: operatorName(place), numbers })
}

function hours(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, n) => ({ value: String(from + n), label: clock(from + n) }))
}

type Priced = { carrier: string; operator: string; country?: string; wordings: readonly string[]; per_day: unknown }

/** The cost of another number of probes. Other changes have another cost, which is known once they are saved. */
function costHint(plan: ShownPlan | undefined, fields: Priced, currency: string): string | undefined {
  const { carrier, operator, country, wordings, per_day } = fields
  if (!plan?.expected_cost || typeof per_day !== 'number') return undefined
  const is_same =
    carrier === plan.carrier &&
    operator === plan.operator &&
    country === plan.country &&
    wordings.join('\0') === plan.wordings.join('\0')
  if (!is_same) return t('The expected cost is known once the plan is saved.')
  const { per_probe } = plan.expected_cost
  return t('Expected cost: {cost} a day, {each} a probe.', {
    cost: money(per_probe * per_day, currency),
    each: money(per_probe, currency),
  })
}
