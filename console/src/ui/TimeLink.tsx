import { Link } from '../router.tsx'
import { Time } from './Time.tsx'

/** When an entry of a list was made, as the link to it. `about` tells screen readers, which hear links alone, of what. */
export function TimeLink({
  to,
  at,
  about,
  seconds = true,
}: {
  to: string
  at: string
  about: string
  seconds?: boolean
}) {
  return (
    <Link to={to}>
      <Time at={at} seconds={seconds} />
      <span className="unseen">, {about}</span>
    </Link>
  )
}
