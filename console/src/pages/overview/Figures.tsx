import type { Overview } from '../../api-types.ts'
import { number, t } from '../../text/text.ts'
import { Figure, percent } from '../../ui/Figure.tsx'
import { money, roundMoney } from '../../ui/Money.tsx'

/** The figures at the top: each a number and a line that says of what. */
export function Figures({ overview }: { overview: Overview }) {
  const { now, totals, currency, balance } = overview
  const ended_badly = totals.undelivered + totals.expired + totals.rejected + totals.failed + totals.unknown
  return (
    <dl className="figures">
      <Figure name={t('Messages now')} value={number(now.messages_per_minute)} note={t('per minute')} />
      <Figure
        name={t('Delivered||recipients')}
        value={percent(totals.delivery_rate)}
        note={t('{part} of {whole}', {
          part: number(totals.delivered),
          whole: number(totals.delivered + ended_badly),
        })}
      />
      <Figure
        name={t('Spent')}
        value={roundMoney(totals.spend, currency)}
        note={
          totals.refunds > 0
            ? t('{amount} refunded||of all that was spent', { amount: money(totals.refunds, currency) })
            : t('nothing refunded')
        }
      />
      <Figure name={t('Balance')} value={roundMoney(balance, currency)} note={t('left to spend')} />
      <Figure
        name={t('One-time passwords')}
        value={percent(totals.otp_conversion)}
        note={t('{part} of {whole} verified', {
          part: number(totals.otp_verified),
          whole: number(totals.otp_sent),
        })}
      />
      <Figure
        name={t('Waiting||messages')}
        value={now.queue_depth_capped ? t('over {n}', { n: number(now.queue_depth) }) : number(now.queue_depth)}
        note={now.queue_depth === 0 ? t('nothing in the queue') : t('in the queue')}
      />
    </dl>
  )
}
