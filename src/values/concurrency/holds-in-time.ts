const LIMIT_MS = 3_000

/** Whether a check of the database holds: one that fails or does not answer in time does not. */
export async function holdsInTime(answer: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), LIMIT_MS)
  })
  return Promise.race([answer.catch(() => false), late]).finally(() => clearTimeout(timer))
}
