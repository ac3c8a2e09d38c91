import type { Wakeups } from '../queue/wakeups.ts'

/**
 * What is announced when something about an organisation changed that a send must know at once, such as the first
 * person who opted out. Losing an announcement costs a second: nobody believes what is remembered for longer.
 */
export function changeTopic(organisation_id: string): string {
  return `organisation:${organisation_id}`
}

/** The next request on this process asks anew; the other processes follow within a moment. */
export function makeTellChange({ wakeups }: { wakeups: Pick<Wakeups, 'wake'> }): (organisation_id: string) => void {
  return (organisation_id) => wakeups.wake(changeTopic(organisation_id))
}
