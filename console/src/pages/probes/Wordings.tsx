import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { AreaField } from '../../ui/fields.tsx'
import { PLACEHOLDERS } from './probes.ts'

const MOST_WORDINGS = 20

type Props = { wordings: readonly string[]; onChange: (wordings: string[]) => void }

/** The texts of a plan, used in rotation. A text may have several lines. */
export function Wordings({ wordings, onChange }: Props) {
  const several = wordings.length > 1
  const fields = wordings.map((wording, n) => ({ name: `wordings[${n}]`, n, wording }))
  return (
    <fieldset className="probes-wordings">
      <legend>{t('Texts')}</legend>
      <p className="hint">
        {t(
          'Like those of your customers, used in rotation. Each has {code} (six digits) or {word} (eight letters) in it, which identifies the probe.',
          PLACEHOLDERS,
        )}
      </p>
      {fields.map(({ name, n, wording }) => (
        <div key={name} className="probes-wording">
          <AreaField
            name={name}
            label={t('Text {n}', { n: n + 1 })}
            rows={2}
            value={wording}
            onChange={(text) => onChange(wordings.with(n, text))}
          />
          {several && (
            <Button look="bare" onClick={() => onChange(wordings.toSpliced(n, 1))}>
              {t('Remove text {n}', { n: n + 1 })}
            </Button>
          )}
        </div>
      ))}
      {wordings.length < MOST_WORDINGS && (
        <Button icon="plus" onClick={() => onChange([...wordings, ''])}>
          {t('Another text')}
        </Button>
      )}
    </fieldset>
  )
}
