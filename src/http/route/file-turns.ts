/** Parts of files that are read at once in a process: of the connections for requests most stay free. */
const AT_ONCE = 4

/** Gives the lines of somebody's file, each part read when it is its turn. */
export type FileTurns = (owner: string, lines: AsyncGenerator<string>) => AsyncGenerator<string>

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
      const first = line.shift()
      waiting.delete(owner)
      if (line.length > 0) waiting.set(owner, line) // behind the others
      reading += 1
      first?.()
    }
  }

  async function inTurn<T>(owner: string, read: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      const line = waiting.get(owner)
      if (line) line.push(resolve)
      else waiting.set(owner, [resolve])
      begin()
    })
    try {
      return await read()
    } finally {
      reading -= 1
      begin()
    }
  }

  // Not a generator of its own: one that is left before it began would not tell the file so.
  return (owner, lines) => ({
    next: () => inTurn(owner, () => lines.next()),
    return: (value) => lines.return(value),
    throw: (fault) => lines.throw(fault),
    [Symbol.asyncIterator]() {
      return this
    },
  })
}
