import { progressBar } from '../terminal/progress.ts'

/** Shows how much of a file of this size `work` has read. */
export async function withBar<T>(
  text: string,
  size: number,
  work: (onProgress: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const bar = progressBar(process.stderr)
  // The end of the file is not the end of the work.
  const result = await work((bytes) => bar.show(Math.min(bytes, size - 1), size, text))
  bar.show(size, size, text)
  bar.end()
  return result
}
