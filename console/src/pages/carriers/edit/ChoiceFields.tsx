import { number, t } from '../../../text/text.ts'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { Faults, useFaults } from '../../../ui/Form.tsx'
import { CHOICES, type PERCENTS, type RouteDraft, type RouteProps } from './route-draft.ts'

type Percents = (typeof PERCENTS)[number]

/** How the carrier of each message is chosen. With one carrier there is nothing to choose. */
export function ChoiceFields({ draft, change }: RouteProps) {
  const { chosen, carriers, percents } = draft
  const set = (path: Percents, name: string, text: string) =>
    change({ percents: { ...percents, [path]: { ...percents[path], [name]: text } } })
  if (carriers.length < 2 && chosen.choose === 'order') return null
  return (
    <>
      <SelectField
        name="settings.choose"
        label={t('Carrier of each message')}
        hint={CHOOSE[chosen.choose]?.hint}
        value={chosen.choose}
        onChange={(choose) => change({ chosen: { ...chosen, choose } })}
        choices={CHOICES.choose.map((value) => ({ value, label: CHOOSE[value]?.label ?? value }))}
      />
      {chosen.choose === 'shares' && (
        <PercentFields
          path="shares"
          label={(carrier) => t('Share of {carrier} (%)', { carrier })}
          draft={draft}
          set={set}
        />
      )}
      {chosen.choose === 'evidence' && (
        <>
          <Evidence draft={draft} change={change} />
          <PercentFields
            path="evidence.least_percent"
            label={(carrier) => t('{carrier}: at least (%)', { carrier })}
            draft={draft}
            set={set}
          />
          <PercentFields
            path="evidence.most_percent"
            label={(carrier) => t('{carrier}: at most (%)', { carrier })}
            draft={draft}
            set={set}
          />
        </>
      )}
    </>
  )
}

const CHOOSE: Record<string, { label: string; hint: string }> = {
  order: { label: t('In their order'), hint: t('The first one that is up.') },
  shares: { label: t('By shares'), hint: t('Each carrier gets its share of the messages.') },
  cheapest: { label: t('Least expensive'), hint: t('The one with the lowest cost by the cost lists.') },
  evidence: {
    label: t('By evidence'),
    hint: t('The least expensive one that is good enough by its reports and verified one-time passwords.'),
  },
}

function PercentFields({
  path,
  label,
  draft: { carriers, percents },
  set,
}: {
  path: Percents
  label: (carrier: string) => string
  draft: RouteDraft
  set: (path: Percents, name: string, text: string) => void
}) {
  const name_of_all = `settings.${path}`
  const of_all = useFaults(name_of_all).filter(({ field }) => field === name_of_all)
  return (
    <div className="fields">
      {carriers.map((name) => (
        <TextField
          key={name}
          name={`settings.${path}.${name}`}
          label={label(name)}
          optional={path !== 'shares'}
          inputMode="decimal"
          value={percents[path][name] ?? ''}
          onChange={(text) => set(path, name, text)}
        />
      ))}
      <Faults faults={of_all} name={name_of_all} />
    </div>
  )
}

/** When a carrier is good enough, and how much of the traffic follows the choice. */
function Evidence({ draft: { numbers }, change }: RouteProps) {
  const set = (part: Partial<RouteDraft['numbers']>) => change({ numbers: { ...numbers, ...part } })
  return (
    <div className="fields">
      <TextField
        name="settings.evidence.follow_percent"
        label={t('Messages that follow (%)')}
        hint={t('0: advice only. The others take the first carrier.')}
        inputMode="decimal"
        placeholder="0"
        value={numbers['evidence.follow_percent']}
        onChange={(text) => set({ 'evidence.follow_percent': text })}
      />
      <TextField
        name="settings.evidence.tolerance"
        label={t('Tolerance')}
        hint={t('How much lower than the best the delivered or verified share may be, as a share from 0 to 0.5.')}
        inputMode="decimal"
        placeholder={number(0.03)}
        value={numbers['evidence.tolerance']}
        onChange={(text) => set({ 'evidence.tolerance': text })}
      />
      <TextField
        name="settings.evidence.explored_percent"
        label={t('Messages that explore (%)')}
        hint={t('They go to the carrier of which least is known.')}
        inputMode="decimal"
        placeholder="3"
        value={numbers['evidence.explored_percent']}
        onChange={(text) => set({ 'evidence.explored_percent': text })}
      />
      <TextField
        name="settings.evidence.half_life_minutes"
        label={t('Half-life (minutes)')}
        hint={t('After this time a message counts half.')}
        inputMode="decimal"
        placeholder="60"
        value={numbers['evidence.half_life_minutes']}
        onChange={(text) => set({ 'evidence.half_life_minutes': text })}
      />
    </div>
  )
}
