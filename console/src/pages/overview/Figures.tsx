import type { Overview } from '../../../../src/http/console/overview/schema.ts'
import { Figure, percent } from '../../ui/Figure.tsx'
import { money, roundMoney } from '../../ui/Money.tsx'

/** The figures at the top: each a number and a line that says of what. */
export function Figures({ overview }: { overview: Overview }) {
  const { now, totals, currency, balance } = overview
  const ended_badly = totals.undelivered + totals.expired + totals.rejected + totals.failed + totals.unknown
  return (
    <dl className="figures">
      <Figure name="Messages now" value={now.messages_per_minute.toLocaleString('en')} note="per minute" />
      <Figure
        name="Delivered"
        value={percent(totals.delivery_rate)}
        note={`${number(totals.delivered)} of ${number(totals.delivered + ended_badly)}`}
      />
      <Figure
        name="Spent"
        value={roundMoney(totals.spend, currency)}
        note={totals.refunds > 0 ? `${money(totals.refunds, currency)} given back` : 'nothing given back'}
      />
      <Figure name="Balance" value={roundMoney(balance, currency)} note="left to spend" />
      <Figure
        name="One-time passwords"
        value={percent(totals.otp_conversion)}
        note={`${number(totals.otp_verified)} of ${number(totals.otp_sent)} verified`}
      />
      <Figure
        name="Waiting"
        value={`${now.queue_depth_capped ? 'over ' : ''}${number(now.queue_depth)}`}
        note={now.queue_depth === 0 ? 'nothing in the queue' : 'in the queue'}
      />
    </dl>
  )
}

const number = (value: number) => value.toLocaleString('en')
