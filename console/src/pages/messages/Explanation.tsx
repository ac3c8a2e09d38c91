import { withQuery } from '../../api.ts'
import { useRead } from '../../read.ts'
import { useZone } from '../../ui/date/zone.ts'
import { Loading, Trouble } from '../../ui/Empty.tsx'
import { explainWords } from './explain-words.ts'

/** As often as the timeline beside it. */
const EVERY_MS = 5_000

/** Why a message to one recipient cost what it cost and went where it went, in sentences. */
export function Explanation({ id, recipient }: { id: string; recipient: string }) {
  const zone = useZone()
  const found = useRead(withQuery(`/sms/${id}/explain`, { recipient }), { every_ms: EVERY_MS })
  if (found.isPending) return <Loading />
  if (!found.data) return <Trouble error={found.error} />
  const { sentences, deliveries } = found.data
  return (
    <ul className="explanation">
      {[...sentences, ...(deliveries[0]?.sentences ?? [])].map((sentence) => (
        <li key={sentence}>{explainWords(sentence, zone)}</li>
      ))}
    </ul>
  )
}
