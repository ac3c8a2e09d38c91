import type { ShownLink } from '../../../../src/messaging/read/schema.ts'
import { DataList } from '../../ui/DataList.tsx'

/** The tracked links of one recipient, with who opened them: people, and machines that only look. */
export function Links({ links }: { links: readonly ShownLink[] }) {
  return (
    <section className="message-links" aria-label="Tracked links">
      <h3>Tracked links</h3>
      {links.map(({ url, short_url, clicks, clicks_raw }) => (
        <DataList
          key={short_url}
          items={[
            ['Leads to', url],
            ['Sent as', <span className="mono">{short_url}</span>],
            ['Opened', clicks === 0 ? 'by nobody yet' : times(clicks)],
            ['By previews and bots', clicks_raw > clicks && times(clicks_raw - clicks)],
          ]}
        />
      ))}
    </section>
  )
}

export function times(count: number): string {
  return count === 1 ? 'once' : `${count.toLocaleString('en')} times`
}
