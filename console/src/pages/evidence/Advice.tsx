import type { EvidenceRowShown } from '../../api-types.ts'
import { number, t } from '../../text/text.ts'
import { Figure } from '../../ui/Figure.tsx'
import { money } from '../../ui/Money.tsx'
import { adviceOf } from './evidence.ts'

/** What routes that choose by evidence would have saved and gained, where their advice was not followed. */
export function Advice({ rows, currency }: { rows: readonly EvidenceRowShown[]; currency: string }) {
  const { advised, submitted, saved, gained } = adviceOf(rows)
  if (advised === 0) return null
  return (
    <dl className="figures">
      <Figure
        name={t('Another carrier advised')}
        value={number(advised)}
        note={t('of {total} messages; the route was followed', { total: number(submitted) })}
      />
      <Figure name={t('Would have saved')} value={money(saved, currency)} note={t('as far as costs are known')} />
      <Figure
        name={t('Would have gained')}
        value={number(gained, { maximumFractionDigits: 1 })}
        note={t('messages delivered, or one-time passwords verified')}
      />
    </dl>
  )
}
