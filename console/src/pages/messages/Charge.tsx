import { t } from '../../text/text.ts'
import { Money } from '../../ui/Money.tsx'

/** The final charge. A refunded amount is struck through. */
export function Charge({ charge, refunded = 0 }: { charge: number; refunded?: number | undefined }) {
  if (refunded === 0) return <Money amount={charge} />
  return (
    <span className="nowrap">
      <s className="soft">
        <span className="unseen">{t('refunded:')} </span>
        <Money amount={charge} />
      </s>{' '}
      <Money amount={Math.round((charge - refunded) * 10_000) / 10_000} />
    </span>
  )
}
