/**
 * Asks at most once per key in the given time; concurrent callers share one question. A failure is kept for
 * `keep_failure_ms`, so that nobody is asked in vain again and again.
 */
export function cached<V>(
  keep_ms: number,
  ask: (key: string) => Promise<V>,
  keep_failure_ms = 0,
): (key: string) => Promise<V> {
  const answers = new Map<string, { answer: Promise<V>; until: number }>()
  return (key) => {
    const known = answers.get(key)
    if (known && Date.now() < known.until) return known.answer
    const asked = { answer: ask(key), until: Date.now() + keep_ms }
    answers.set(key, asked)
    asked.answer.catch(() => {
      asked.until = Date.now() + keep_failure_ms
      if (keep_failure_ms === 0 && answers.get(key) === asked) answers.delete(key)
    })
    return asked.answer
  }
}
