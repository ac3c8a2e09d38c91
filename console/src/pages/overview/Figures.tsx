import type { Overview } from '../../api-types.ts'
import type { Totals } from '../../types.ts'
import { number, t } from '../../text/text.ts'
import { change } from '../../ui/change.ts'
import { Figure, percent } from '../../ui/Figure.tsx'
import { money, roundMoney } from '../../ui/Money.tsx'
import { Sparkline } from '../../ui/Sparkline.tsx'

/** The figures at the top: each with what it is of, its change against the period before, and its course. */
export function Figures({ overview }: { overview: Overview }) {
  const { now, totals, previous, series, currency, balance, range } = overview
  const ended_badly = totals.undelivered + totals.expired + totals.rejected + totals.failed + totals.unknown
  return (
    <dl className="figures">
      <Figure
        name={t('Messages')}
        value={number(totals.accepted)}
        note={
          <>
            <Change form="count" range={range} of={({ accepted }) => accepted} {...{ totals, previous }} />
            {t('{n} per minute now', { n: number(now.messages_per_minute) })}
          </>
        }
        trend={<Sparkline values={series.accepted} />}
      />
      <Figure
        name={t('Delivered||recipients')}
        value={percent(totals.delivery_rate)}
        note={
          <>
            <Change form="share" range={range} of={({ delivery_rate }) => delivery_rate} {...{ totals, previous }} />
            {t('{part} of {whole}', {
              part: number(totals.delivered),
              whole: number(totals.delivered + ended_badly),
            })}
          </>
        }
        trend={<Sparkline values={series.delivered} />}
      />
      <Figure
        name={t('Spent')}
        value={roundMoney(totals.spend, currency)}
        note={
          <>
            <Change form="money" range={range} of={({ spend }) => spend} {...{ totals, previous }} />
            {totals.refunds > 0
              ? t('{amount} refunded||of all that was spent', { amount: money(totals.refunds, currency) })
              : t('nothing refunded')}
          </>
        }
        trend={<Sparkline values={series.spend} />}
      />
      <Figure name={t('Balance')} value={roundMoney(balance, currency)} note={t('available||the balance')} />
      <Figure
        name={t('One-time passwords')}
        value={percent(totals.otp_conversion)}
        note={
          <>
            <Change form="share" range={range} of={({ otp_conversion }) => otp_conversion} {...{ totals, previous }} />
            {t('{part} of {whole} verified', {
              part: number(totals.otp_verified),
              whole: number(totals.otp_sent),
            })}
          </>
        }
        trend={<Sparkline values={series.otp_sent} />}
      />
      <Figure
        name={t('Waiting||messages')}
        value={now.queue_depth_capped ? t('over {n}', { n: number(now.queue_depth) }) : number(now.queue_depth)}
        note={now.queue_depth === 0 ? t('nothing in the queue') : t('in the queue')}
      />
    </dl>
  )
}

const AGAINST: Record<Overview['range'], string> = {
  hour: t('from the previous hour'),
  day: t('from the previous day'),
  month: t('from the previous 30 days'),
}

type Compared = {
  form: 'count' | 'share' | 'money'
  range: Overview['range']
  of: (totals: Totals) => number | undefined
}

function Change({ form, range, of, totals, previous }: Compared & Pick<Overview, 'totals' | 'previous'>) {
  const changed = change({ form }, of(totals), of(previous))
  if (changed === '') return null
  return (
    <span className="overview-change">
      <b>{changed}</b> {AGAINST[range]}
    </span>
  )
}
