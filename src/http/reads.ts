const READS = new Set(['GET', 'HEAD'])
/** POST routes that change nothing. Listed one by one: estimating a campaign changes it. */
const ASKED_BY_POST = new Set([
  '/sms/estimate',
  '/lists/contact/rows/query',
  '/lists/contact/rows/export',
  '/people/export',
])

/** Whether a request changes nothing. */
export function isRead(method: string, url: string): boolean {
  return READS.has(method) || ASKED_BY_POST.has(url)
}
