/** Saves what is still being written. */
type Save = () => Promise<unknown>

const saves = new Set<Save>()

/** What is saved automatically, until the returned function is called. */
export function beforeLeaving(save: Save): () => void {
  saves.add(save)
  return () => void saves.delete(save)
}

/** Before the user logs out, which deletes the drafts of the browser. What cannot be saved now is not waited for. */
export async function saveAll(): Promise<void> {
  await Promise.allSettled([...saves].map((save) => save()))
}
