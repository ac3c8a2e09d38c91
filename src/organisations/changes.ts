import type { Wakeups } from '../queue/wakeups.ts'

/**
 * Wake-up topic for changes of an organisation that sending must respect immediately, such as the first opt-out. If a
 * wake-up is lost, caches expire within a second.
 */
export function changeTopic(organisation_id: string): string {
  return `organisation:${organisation_id}`
}

/** Invalidates the cached caller on this process immediately, and on the others within a moment. */
export function makeNotifyChange({ wakeups }: { wakeups: Pick<Wakeups, 'wake'> }): (organisation_id: string) => void {
  return (organisation_id) => wakeups.wake(changeTopic(organisation_id))
}
