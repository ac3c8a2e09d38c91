import { useState } from 'react'
import { t } from '../text/text.ts'
import { Field } from './Form.tsx'
import { Icon } from './Icon.tsx'

/** A password field with a button that reveals the input. */
export function PasswordField({
  name,
  label,
  hint,
  autoComplete,
  autoFocus = false,
  value,
  onChange,
}: {
  name: string
  label: string
  hint?: string
  autoComplete: 'current-password' | 'new-password'
  autoFocus?: boolean
  value: string
  onChange: (password: string) => void
}) {
  const [shown, setShown] = useState(false)
  return (
    <Field name={name} label={label} hint={hint}>
      {(control) => (
        <div className="password">
          <input
            {...control}
            type={shown ? 'text' : 'password'}
            autoComplete={autoComplete}
            autoFocus={autoFocus}
            autoCapitalize="none"
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <button
            type="button"
            className="icon-button"
            title={shown ? t('Hide') : t('Show')}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            <Icon name="eye" />
            <span className="unseen">{t('Show what is typed')}</span>
          </button>
        </div>
      )}
    </Field>
  )
}
