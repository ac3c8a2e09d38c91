export type ReadProof = {
  /** An answer was just written; `onRead` is called once the SMSC has certainly read it, or never. */
  expect(onRead: () => void): void
  stop(): void
}

const ENQUIRE_AFTER_MS = 1_000

/**
 * Finds out when the SMSC has read our answers. It reads in order, so its enquire_link_resp proves that it has read
 * everything written before the enquire_link. One is sent a moment after an answer and covers all answers until then.
 */
export function makeReadProof(enquire: () => Promise<unknown>): ReadProof {
  let written: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function ask(): Promise<void> {
    const covered = written
    written = []
    try {
      await enquire()
      for (const onRead of covered) onRead()
    } catch {
      // Whether these were read stays unknown.
    }
    timer = undefined
    askLater()
  }

  function askLater(): void {
    if (!stopped && written.length > 0) timer ??= setTimeout(() => void ask(), ENQUIRE_AFTER_MS)
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
