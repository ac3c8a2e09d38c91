const READS = new Set(['GET', 'HEAD'])
/** These only look as if they changed something. */
const ASKED_BY_POST = /\/(query|export|estimate)$/

/** Whether a request leaves everything as it is. */
export function isRead(method: string, url: string): boolean {
  return READS.has(method) || ASKED_BY_POST.test(url)
}
