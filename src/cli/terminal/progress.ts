const WIDTH = 30
const EVERY_MS = 200
const EVERY_MS_WITHOUT_TERMINAL = 10_000

export type ProgressBar = { show(done: number, total: number, text: string): void; end(): void }

/** A progress bar on a terminal; elsewhere, such as in a log, a line from time to time. */
export function progressBar(out: NodeJS.WriteStream): ProgressBar {
  const every_ms = out.isTTY ? EVERY_MS : EVERY_MS_WITHOUT_TERMINAL
  let shown = -Infinity
  return {
    show(done, total, text) {
      const now = performance.now()
      if (now - shown < every_ms && done < total) return
      shown = now
      const part = total === 0 ? 1 : done / total
      const bar = '█'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '░')
      const line = `${bar} ${Math.floor(part * 100)} %  ${text}`
      out.write(out.isTTY ? `\r\u001b[2K${line}` : `${line}\n`)
    },
    end() {
      if (out.isTTY) out.write('\n')
    },
  }
}
