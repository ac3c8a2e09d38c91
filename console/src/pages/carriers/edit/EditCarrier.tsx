import type { ConfiguredEntry } from '../../../api-types.ts'
import { useRead } from '../../../read.ts'
import { useSession } from '../../../session.ts'
import { t } from '../../../text/text.ts'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { CONFIGURATION } from '../configuration.ts'
import { CarrierListField } from './CarrierListField.tsx'
import { CarrierValue } from './CarrierValue.tsx'
import { carrierDraft, carrierSettings, isSecret, valueOf, type CarrierDraft } from './carrier-draft.ts'
import { KINDS, listsOf, sectionsOf, type CarrierField } from './carrier-fields.ts'
import { useEntryDraft } from './entry-draft.ts'
import { EntryDialog } from './EntryDialog.tsx'
import { textOf, valueAt } from './settings.ts'

type Props = { entry: ConfiguredEntry | undefined; onClose: () => void }

/** Creates or changes a carrier. Stored secrets are not shown, and kept unless another one is entered. */
export function EditCarrier({ entry, onClose }: Props) {
  const { sandbox } = useSession()
  const { base, draft: kept, fill } = useEntryDraft('carrier', entry, carrierDraft)
  const [draft, change] = kept
  const { kind } = draft
  const presets = useRead(kind === 'http' ? `${CONFIGURATION}/presets` : null).data?.presets ?? []
  const preset = presets.find(({ name }) => name === draft.preset)
  return (
    <EntryDialog
      kind="carrier"
      entry={entry}
      settings={carrierSettings(draft, base, preset)}
      draft={kept}
      onSettings={fill}
      onClose={onClose}
    >
      {sandbox && (
        <p>
          {t(
            'The first real carrier ends the sandbox: the service restarts itself, which takes a few seconds. Messages of the sandbox are not sent.',
          )}
        </p>
      )}
      {!entry && (
        <div className="fields">
          <SelectField
            name="settings.kind"
            label={t('Type')}
            value={kind}
            onChange={(next) => change({ kind: next })}
            choices={KINDS}
          />
          <TextField
            name="settings.name"
            label={t('Name')}
            hint={t('Up to 40 lower-case letters, digits and dashes.')}
            value={draft.name}
            onChange={(name) => change({ name })}
          />
        </div>
      )}
      {kind === 'http' && valueAt(base, 'file') === undefined && (
        <SelectField
          name="settings.preset"
          label={t('Vendor')}
          value={draft.preset}
          onChange={(name) => change({ preset: name })}
          choices={[
            { value: '', label: t('Choose one') },
            ...presets.map(({ name, vendor }) => ({ value: name, label: vendor })),
          ]}
        />
      )}
      {sectionsOf(kind, preset, base).map(({ legend, fields }) => (
        <fieldset key={legend} className="list-field entry-section">
          <legend>{legend}</legend>
          <div className="fields">
            {fields
              .filter(({ within }) => within === undefined || draft.values[within] === 'true')
              .map((field) => (
                <CarrierValue
                  key={field.path}
                  field={field}
                  name={`settings.${field.path}`}
                  base={base}
                  stored={textOf(valueAt(base, field.path))}
                  value={valueOf(draft, field)}
                  onChange={(text) => change(withText(draft, field, text))}
                />
              ))}
          </div>
        </fieldset>
      ))}
      {listsOf(kind).map((list) => (
        <CarrierListField key={list.path} list={list} draft={draft} change={change} />
      ))}
    </EntryDialog>
  )
}

function withText(draft: CarrierDraft, field: CarrierField, text: string): Partial<CarrierDraft> {
  const { values, secret } = draft
  if (!isSecret(field)) return { values: { ...values, [field.path]: text } }
  return { secret: { ...secret, values: { ...secret.values, [field.path]: text } } }
}
