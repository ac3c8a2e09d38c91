/** After the time, once what has come until then is read: a process that was busy does not take it out on the client. */
export function afterReading(time_ms: number, act: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(act), time_ms)
}

/** Waits for the work, but no longer than this. */
export async function within(time_ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const bell = new Promise<void>((resolve) => (timer = setTimeout(resolve, time_ms)))
  await Promise.race([work, bell])
  clearTimeout(timer)
}
