const READS = new Set(['GET', 'HEAD'])
/** These only look as if they changed something. Named one by one: a campaign's estimate is a change of it. */
const ASKED_BY_POST = new Set([
  '/sms/estimate',
  '/lists/contact/rows/query',
  '/lists/contact/rows/export',
  '/people/export',
])

/** Whether a request leaves everything as it is. */
export function isRead(method: string, url: string): boolean {
  return READS.has(method) || ASKED_BY_POST.has(url)
}
