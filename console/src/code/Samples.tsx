import { useState } from 'react'
import { useRead } from '../read.ts'
import { Link } from '../router.tsx'
import { useSession } from '../session.ts'
import { t } from '../text/text.ts'
import { Code } from '../ui/CopyButton.tsx'
import { Segments } from '../ui/fields.tsx'
import { LANGUAGES, snippet, type Call, type Language } from './snippets.ts'
import './code.css'

const KEPT = 'gangan.language'

/** A call in the language chosen last, with the `secret` of a new key or the prefix of an existing one. */
export function Samples({ call, secret }: { call: Call; secret?: string | undefined }) {
  const [language, setLanguage] = useState(chosenLanguage)
  const hint = useKeyHint()
  const key = secret ?? hint ?? 'YOUR_KEY'
  return (
    <div className="stack samples">
      <Segments
        label={t('Language||of a program')}
        value={language}
        choices={LANGUAGES}
        onChange={(next) => {
          localStorage.setItem(KEPT, next)
          setLanguage(next)
        }}
      />
      <Code
        text={snippet(call, language, { origin: location.origin, key })}
        label={t('{language} example', { language })}
      />
      {secret === undefined && (
        <p className="soft small">
          {hint === undefined
            ? t('Replace YOUR_KEY with a key: it is shown only once, when it is created.')
            : t('Replace {hint} with the full key: it is shown only once, when it is created.', { hint })}{' '}
          <Link to="/keys">{t('Keys')}</Link>
        </p>
      )}
    </div>
  )
}

/** Collapsed at the end of a page, for users who may create keys. */
export function SamplesBelow({ call, title = t('The same through the API') }: { call: Call; title?: string }) {
  const { right } = useSession()
  const [open, setOpen] = useState(false)
  if (right('keys') === 'none') return null
  return (
    <details className="panel samples-below" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {open && <Samples call={call} />}
    </details>
  )
}

/** The displayable prefix of the newest active key: `gg_test_abc…`. */
function useKeyHint(): string | undefined {
  const { organisation } = useSession()
  const found = useRead('/console/api/keys')
  const key = found.data?.keys.find(({ state, mode }) => state === 'active' && mode === organisation.mode)
  return key && `${key.hint.split('…')[0]}…`
}

function chosenLanguage(): Language {
  const kept = localStorage.getItem(KEPT)
  return LANGUAGES.find(({ value }) => value === kept)?.value ?? 'curl'
}
