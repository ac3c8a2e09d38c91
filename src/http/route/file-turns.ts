/** Parts of files that are read at once in a process: of the connections for requests most stay free. */
const AT_ONCE = 4

/** Gives the lines of somebody's file, each part read when it is its turn. */
export type FileTurns = (owner: string, lines: AsyncIterable<string>) => AsyncGenerator<string>

/**
 * A file is read part by part, as fast as it is taken. However many are taken at once, only a few parts are being read, and
 * the organisations take turns: the others wait in line, and neither anybody's requests nor files of others have to wait
 * for all of them. Who takes a file slowly holds up nobody.
 */
export function makeFileTurns(at_once = AT_ONCE): FileTurns {
  const waiting = new Map<string, (() => void)[]>()
  let reading = 0

  function begin(): void {
    for (const [owner, line] of waiting) {
      if (reading >= at_once) return
      const [first, ...rest] = line
      waiting.delete(owner)
      if (rest.length > 0) waiting.set(owner, rest) // behind the others
      reading += 1
      first?.()
    }
  }

  async function inTurn<T>(owner: string, read: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      waiting.set(owner, [...(waiting.get(owner) ?? []), resolve])
      begin()
    })
    try {
      return await read()
    } finally {
      reading -= 1
      begin()
    }
  }

  return async function* linesInTurn(owner, lines) {
    const parts = lines[Symbol.asyncIterator]()
    try {
      for (;;) {
        const part = await inTurn(owner, () => parts.next())
        if (part.done) return
        yield part.value
      }
    } finally {
      await parts.return?.()
    }
  }
}
