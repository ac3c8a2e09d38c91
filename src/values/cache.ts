/** Asks at most once per key in the given time; concurrent callers share one question, and failures are not kept. */
export function cached<V>(keep_ms: number, ask: (key: string) => Promise<V>): (key: string) => Promise<V> {
  const answers = new Map<string, { answer: Promise<V>; asked: number }>()
  return (key) => {
    const known = answers.get(key)
    if (known && Date.now() - known.asked < keep_ms) return known.answer
    const answer = ask(key)
    answers.set(key, { answer, asked: Date.now() })
    answer.catch(() => answers.delete(key))
    return answer
  }
}
