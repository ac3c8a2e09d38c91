const EVERY_MS_WITHOUT_TERMINAL = 10_000

/** A line that is replaced on a terminal, and printed from time to time elsewhere; notes stand above it. */
export type StatusLine = { show(text: string): void; note(sentence: string): void; end(text: string): void }

export function statusLine(out: NodeJS.WriteStream): StatusLine {
  let printed = performance.now()
  let shown = ''

  const clear = () => (out.isTTY && shown !== '' ? '\r\u001b[2K' : '')

  return {
    show(text) {
      if (out.isTTY) {
        out.write(`\r\u001b[2K${text}`)
        shown = text
      } else if (performance.now() - printed >= EVERY_MS_WITHOUT_TERMINAL) {
        printed = performance.now()
        out.write(`${text}\n`)
      }
    },
    note: (sentence) => void out.write(`${clear()}${sentence}\n${shown}`),
    end: (text) => void out.write(`${clear()}${text}\n`),
  }
}
