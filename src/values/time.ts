/** A moment as our answers write it: `2026-11-14T23:42:46.539000+00:00`. */
export function answerTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000+00:00`
}
