import { useState } from 'react'
import { t } from '../../text/text.ts'
import { useZone } from '../../ui/date/zone.ts'
import { Segments } from '../../ui/fields.tsx'
import type { Figures, Metric, Report } from '../analytics/analytics.ts'
import { Chart } from '../analytics/Chart.tsx'
import type { CampaignReport } from './campaigns.ts'
import '../analytics/analytics.css'

const HOUR_MS = 3_600_000
/** Hours drawn: later ones, with a late report now and then, are only in the totals. */
const MOST_HOURS = 168

const NO_META = { method: '', resource: '' }

const METRICS: readonly [Metric, Metric] = [
  { name: 'delivered', title: t('Delivered'), form: 'count', of: ({ delivered }) => delivered },
  { name: 'failed', title: t('Failed'), form: 'count', of: ({ failed }) => failed },
]

/** Deliveries by the hour in which they ended. */
export function HoursChart({ hours }: Pick<CampaignReport, 'hours'>) {
  const [name, setName] = useState('delivered')
  const time_zone = useZone()
  const [first] = hours
  if (!first) return null
  const metric = METRICS.find((each) => each.name === name) ?? METRICS[0]
  return (
    <section className="campaign-part" aria-label={t('Over time')}>
      <div className="row">
        <h3 className="grow">{t('Over time')}</h3>
        <Segments
          label={t('Over time')}
          value={name}
          onChange={setName}
          choices={METRICS.map((each) => ({ value: each.name, label: each.title }))}
        />
      </div>
      <Chart report={reportOf(hours, { from: first.hour, time_zone })} metric={metric} />
    </section>
  )
}

/** The hours without gaps, as the chart of the analytics page reads them. */
function reportOf(hours: CampaignReport['hours'], { from, time_zone }: { from: string; time_zone: string }): Report {
  const by_hour = new Map(hours.map(({ hour, ...counts }) => [Date.parse(hour), counts]))
  const begin = Date.parse(from)
  const end = Math.max(...by_hour.keys())
  const count = Math.min(MOST_HOURS, Math.round((end - begin) / HOUR_MS) + 1)
  const series = Array.from({ length: count }, (_, n) => {
    const at = begin + n * HOUR_MS
    return { start_datetime: new Date(at).toISOString(), ...figures(by_hour.get(at)) }
  })
  const sum = (of: 'delivered' | 'failed') => hours.reduce((all, hour) => all + hour[of], 0)
  const totals = figures({ delivered: sum('delivered'), failed: sum('failed') })
  const at = new Date(end).toISOString()
  return { from, until: at, interval: 'hour', time_zone, currency: '', totals, series, meta: NO_META }
}

function figures({ delivered, failed } = { delivered: 0, failed: 0 }): Figures {
  return { accepted: 0, delivered, failed, unknown: 0, canceled: 0, pages: 0, cost: 0, refunded: 0 }
}
