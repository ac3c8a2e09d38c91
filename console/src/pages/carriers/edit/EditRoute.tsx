import type { ConfiguredEntry } from '../../../api-types.ts'
import { t } from '../../../text/text.ts'
import { SelectField, TextField, ChannelField } from '../../../ui/fields.tsx'
import { CountryField } from '../../../ui/select/CountryField.tsx'
import { CarrierOrder } from './CarrierOrder.tsx'
import { ChoiceFields } from './ChoiceFields.tsx'
import { useEntryDraft } from './entry-draft.ts'
import { EntryDialog } from './EntryDialog.tsx'
import { carriersKey, CHOICES, routeDraft, routeSettings, type RouteDraft, type RouteProps } from './route-draft.ts'

type Props = { entry: ConfiguredEntry | undefined; carriers: readonly string[]; onClose: () => void }

/** Creates or changes a route. */
export function EditRoute({ entry, carriers, onClose }: Props) {
  const { base, draft: kept, fill } = useEntryDraft('route', entry, routeDraft)
  const [draft, change] = kept
  return (
    <EntryDialog
      kind="route"
      entry={entry}
      settings={routeSettings(draft, base)}
      draft={kept}
      onSettings={fill}
      onClose={onClose}
    >
      <Messages draft={draft} change={change} is_new={!entry} />
      <CarrierOrder
        name={`settings.${carriersKey(draft, base)}`}
        carriers={draft.carriers}
        known={carriers}
        onChange={(next) => change({ carriers: next })}
      />
      <ChoiceFields draft={draft} change={change} />
      <Limits draft={draft} change={change} />
    </EntryDialog>
  )
}

/** Which messages take the route. */
function Messages({ draft, change, is_new }: RouteProps & { is_new: boolean }) {
  const { words, chosen } = draft
  const say = (part: Partial<RouteDraft['words']>) => change({ words: { ...words, ...part } })
  return (
    <>
      {is_new && (
        <TextField
          name="settings.name"
          label={t('Name')}
          hint={t('Up to 40 lower-case letters, digits and dashes.')}
          value={draft.name}
          onChange={(name) => change({ name })}
        />
      )}
      <div className="fields">
        <ChannelField name="settings.channel" value={draft.channel} onChange={(channel) => change({ channel })} />
        <SelectField
          name="settings.class"
          label={t('Messages')}
          hint={t('Promotional messages without a route of their own take a transactional one.')}
          value={chosen.class}
          onChange={(route_class) => change({ chosen: { ...chosen, class: route_class } })}
          choices={CHOICES.class.map((value) => ({ value, label: CLASSES[value] }))}
        />
      </div>
      <div className="fields">
        <TextField
          name="settings.prefix"
          label={t('Numbers that begin with')}
          hint={t('With the country code, such as 234. Empty: every number.')}
          inputMode="numeric"
          value={words.prefix}
          onChange={(prefix) => say({ prefix: prefix.replace(/^\+/, '') })}
        />
        <CountryField
          name="settings.country"
          label={t('Country')}
          any={t('Any country')}
          value={words.country}
          onChange={(country) => say({ country })}
        />
        <TextField
          name="settings.operator"
          label={t('Operator||a mobile network')}
          hint={t('Empty: every operator.')}
          value={words.operator}
          onChange={(operator) => say({ operator })}
        />
      </div>
    </>
  )
}

const CLASSES = {
  transactional: t('Transactional'),
  promotional: t('Promotional'),
}

/** Its rate, and what happens when a carrier is down or does not answer. */
function Limits({ draft: { numbers, chosen }, change }: RouteProps) {
  const set = (part: Partial<RouteDraft['numbers']>) => change({ numbers: { ...numbers, ...part } })
  return (
    <>
      <div className="fields">
        <TextField
          name="settings.rate_per_s"
          label={t('Messages per second')}
          hint={t('Over all processes. Empty: no limit.')}
          inputMode="decimal"
          value={numbers.rate_per_s}
          onChange={(rate_per_s) => set({ rate_per_s })}
        />
        <TextField
          name="settings.failover_after_s"
          label={t('Next carrier after (seconds)')}
          hint={t('How long a carrier is down before the next one takes over.')}
          inputMode="decimal"
          placeholder="30"
          value={numbers.failover_after_s}
          onChange={(failover_after_s) => set({ failover_after_s })}
        />
      </div>
      <SelectField
        name="settings.on_unknown"
        label={t('When a carrier does not answer')}
        hint={t('It may have accepted the message.')}
        value={chosen.on_unknown}
        onChange={(on_unknown) => change({ chosen: { ...chosen, on_unknown } })}
        choices={CHOICES.on_unknown.map((value) => ({ value, label: ON_UNKNOWN[value] }))}
      />
    </>
  )
}

const ON_UNKNOWN = {
  resend_otp: t('Wait, but resend one-time passwords'),
  hold: t('Wait for its report'),
  fail: t('Fail the message and refund it'),
}
