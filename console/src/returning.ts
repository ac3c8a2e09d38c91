/** This browser had a session that the user did not end. */
const SIGNED_IN = 'gangan.signed-in'
/** The page that was asked for without a session: signing in through a provider leaves the address behind. */
const PAGE = 'gangan.page'

export function hadSession(): boolean {
  return localStorage.getItem(SIGNED_IN) !== null
}

/** Called while the sign-in page is shown. An invitation has a token in its address, which is not stored. */
export function rememberPage(): void {
  if (location.hash.length > 2 && !location.hash.startsWith('#/welcome')) sessionStorage.setItem(PAGE, location.hash)
}

/** Called once there is a session: goes to the page that was asked for, unless the address already names one. */
export function returnToPage(): void {
  localStorage.setItem(SIGNED_IN, '')
  const page = sessionStorage.getItem(PAGE)
  sessionStorage.removeItem(PAGE)
  if (page !== null && location.hash.length <= 2) location.replace(page)
}

/** Called when the user logs out. */
export function forgetSession(): void {
  localStorage.removeItem(SIGNED_IN)
  sessionStorage.removeItem(PAGE)
}
