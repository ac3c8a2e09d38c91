/** Tells when a message centre has surely read our answers. */
export type Proof = {
  /** An answer was written just now; `onRead` is called once the centre has read it, or never. */
  expect(onRead: () => void): void
  stop(): void
}

const ASK_AFTER_MS = 1_000

/**
 * A centre reads what we write in its order: who answers an enquire_link has read all that went before it. One is asked
 * for a moment after an answer, and covers what was answered meanwhile.
 */
export function makeProof(enquire: () => Promise<unknown>): Proof {
  let written: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  function ask(): void {
    const covered = written
    written = []
    void isAnswered().then((read) => {
      if (read) for (const onRead of covered) onRead()
      timer = undefined
      return askLater()
    })
  }

  /** False: nobody knows whether it was read, and it stays so. */
  async function isAnswered(): Promise<boolean> {
    try {
      await enquire()
      return true
    } catch {
      return false
    }
  }

  function askLater(): void {
    if (!stopped && written.length > 0) timer ??= setTimeout(ask, ASK_AFTER_MS)
  }

  return {
    expect(onRead) {
      written.push(onRead)
      askLater()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
