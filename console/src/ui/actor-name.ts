import { t } from '../text/text.ts'

/** Actors that are no users, by the name the service stores. */
const PROCESSES: Readonly<Record<string, string>> = { 'command line': t('command line||who did it') }

/** The user or process that performed an action. */
export function actorName(actor: string): string {
  return PROCESSES[actor] ?? actor
}
