/** The user of the session that this browser had last, unless the user ended it. */
const SIGNED_IN = 'gangan.signed-in'
/** The page that was asked for without a session: signing in through a provider leaves the address behind. */
const PAGE = 'gangan.page'

export function hadSession(): boolean {
  return localStorage.getItem(SIGNED_IN) !== null
}

/** Whether another user had the session before: the page that was left belongs to that user. */
export function isAnotherUser(user_id: string): boolean {
  const before = localStorage.getItem(SIGNED_IN)
  return before !== null && before !== user_id
}

/** Called while the sign-in page is shown. An invitation has a token in its address, which is not stored. */
export function rememberPage(): void {
  if (location.hash.length > 2 && !location.hash.startsWith('#/welcome')) sessionStorage.setItem(PAGE, location.hash)
}

/** Called once there is a session: goes to the page that was asked for, unless the address already names one. */
export function returnToPage(user_id: string): void {
  const page = isAnotherUser(user_id) ? null : sessionStorage.getItem(PAGE)
  localStorage.setItem(SIGNED_IN, user_id)
  sessionStorage.removeItem(PAGE)
  if (page !== null && location.hash.length <= 2) location.replace(page)
}

/** Called when the user logs out. */
export function forgetSession(): void {
  localStorage.removeItem(SIGNED_IN)
  sessionStorage.removeItem(PAGE)
}

/** Loads the page anew when another tab logs in as another user, or logs out: they share the session. */
export function onOtherUser(user_id: string | undefined): () => void {
  function look({ key, newValue }: StorageEvent) {
    if (user_id !== undefined && key === SIGNED_IN && newValue !== user_id) location.reload()
  }
  addEventListener('storage', look)
  return () => removeEventListener('storage', look)
}
