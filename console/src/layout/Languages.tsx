import { chosen, LANGUAGES, speak } from '../text/language.ts'
import { t } from '../text/text.ts'

/** The language choice before login; logged-in users have it in their account. */
export function Languages() {
  return (
    <div className="languages segments" role="group" aria-label={t('Language')}>
      {LANGUAGES.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          lang={value}
          aria-pressed={value === chosen.language}
          onClick={() => speak(value)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
