import { call } from '../../api.ts'
import { useDraft } from '../../draft.ts'
import { useWrite } from '../../read.ts'
import { useSession } from '../../session.ts'
import { t } from '../../text/text.ts'
import { DateField } from '../../ui/date/DateField.tsx'
import { CheckFields, SelectField, TextField } from '../../ui/fields.tsx'
import { typedAmount } from '../../ui/Money.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { KEYS, SCOPES, scopesFor, withScopes } from './keys.ts'
import { DailyLimitField } from './LimitKey.tsx'
import { NewSecret } from './NewSecret.tsx'

const OWN = 'own'
const DAY_MS = 86_400_000

const LASTS = [
  { value: '', label: t('Never||a key expires') },
  { value: '30', label: t('In 30 days') },
  { value: '90', label: t('In 90 days') },
  { value: '365', label: t('In a year') },
  { value: OWN, label: t('On a date…||a key expires') },
]

type KeyDraft = { mode: string; name: string; lasts: string; expires: string; daily: string; scopes: string[] }

export function CreateKey({ onClose }: { onClose: () => void }) {
  const { organisation, right } = useSession()
  const choices = scopesFor(right)
  const draft = useDraft<KeyDraft>('key', {
    mode: organisation.mode,
    name: '',
    lasts: '',
    expires: '',
    daily: '',
    scopes: choices.map(([scope]) => scope),
  })
  const [{ mode, name, lasts, expires, daily, scopes }, change] = draft
  const create = useWrite(
    () =>
      call('POST', KEYS, {
        mode,
        ...(name ? { name } : {}),
        ...withScopes(scopes),
        ...expiryOf(lasts, expires),
        ...(daily.trim() === '' ? {} : { daily_spending_limit: typedAmount(daily) }),
      }),
    [KEYS, '/console/api/checklist'],
  )
  if (create.data) return <NewSecret secret={create.data.secret} onClose={onClose} />
  return (
    <FormDialog
      title={t('Create a key')}
      action={t('Create the key')}
      write={create}
      draft={draft}
      blocked={scopes.length === 0 ? t('Choose at least one scope.') : undefined}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('Name')}
        optional
        hint={t('Where you will use it.')}
        value={name}
        onChange={(next) => change({ name: next })}
      />
      <div className="fields">
        <SelectField
          name="mode"
          label={t('Mode')}
          value={mode}
          onChange={(next) => change({ mode: next })}
          choices={[
            { value: 'live', label: t('Live||mode') },
            { value: 'test', label: t('Test||mode') },
          ]}
        />
        <SelectField
          name="lasts"
          label={t('Expires||when')}
          value={lasts}
          onChange={(next) => change({ lasts: next })}
          choices={LASTS}
        />
        {lasts === OWN && (
          <DateField
            kind="moment"
            name="expires_datetime"
            label={t('On||a day')}
            value={expires}
            onChange={(next) => change({ expires: next })}
          />
        )}
      </div>
      <DailyLimitField value={daily} onChange={(next) => change({ daily: next })} />
      <CheckFields
        legend={t('Permissions')}
        choices={choices}
        checked={scopes}
        onChange={(next) => change({ scopes: [...next] })}
      />
      {choices.length === SCOPES.length && (
        <p className="hint">{t('With all scopes, the key has full access, including the sandbox phones.')}</p>
      )}
    </FormDialog>
  )
}

function expiryOf(lasts: string, expires: string): { expires_datetime?: string } {
  if (lasts === '') return {}
  if (lasts !== OWN) return { expires_datetime: new Date(Date.now() + Number(lasts) * DAY_MS).toISOString() }
  // What is left empty is for the service to refuse, beside the field.
  return { expires_datetime: expires }
}
