import type { ShownLink } from '../../api-types.ts'
import { plural, t } from '../../text/text.ts'
import { DataList } from '../../ui/DataList.tsx'

/** Tracked links of one recipient, with clicks by people and by bots. */
export function Links({ links }: { links: readonly ShownLink[] }) {
  return (
    <section className="message-links" aria-label={t('Tracked links')}>
      <h3>{t('Tracked links')}</h3>
      {links.map(({ url, short_url, clicks, clicks_raw }) => (
        <DataList
          key={short_url}
          items={[
            [t('Destination'), url],
            [t('Sent as'), <span className="mono">{short_url}</span>],
            [t('Opened||how often'), clicks === 0 ? t('not opened yet') : times(clicks)],
            [t('By previews and bots'), clicks_raw > clicks && times(clicks_raw - clicks)],
          ]}
        />
      ))}
    </section>
  )
}

export function times(count: number): string {
  return plural(count, 'once', '{n} times')
}
