import { t } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { AreaField } from '../../ui/fields.tsx'
import { ListField } from '../../ui/ListField.tsx'
import { PLACEHOLDERS } from './probes.ts'

const MOST_WORDINGS = 20

type Props = { wordings: readonly string[]; onChange: (wordings: string[]) => void }

/** The texts of a plan, used in rotation. A text may have several lines. */
export function Wordings({ wordings, onChange }: Props) {
  return (
    <ListField
      name="wordings"
      legend={t('Texts')}
      hint={t(
        'Like those of your customers, used in rotation. Each has {code} (six digits) or {word} (eight letters) in it, which identifies the probe.',
        PLACEHOLDERS,
      )}
      entries={wordings}
      keyOf={(_, n) => String(n)}
      onChange={onChange}
      remove={(_, n) => (wordings.length > 1 ? t('Remove text {n}', { n: n + 1 }) : undefined)}
      has_fields
      add={
        wordings.length < MOST_WORDINGS && (
          <Button icon="plus" onClick={() => onChange([...wordings, ''])}>
            {t('Another text')}
          </Button>
        )
      }
    >
      {(wording, n) => (
        <AreaField
          name={`wordings[${n}]`}
          label={t('Text {n}', { n: n + 1 })}
          rows={2}
          value={wording}
          onChange={(text) => onChange(wordings.with(n, text))}
        />
      )}
    </ListField>
  )
}
