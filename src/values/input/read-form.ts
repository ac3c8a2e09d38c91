/** No caller and no vendor has a form with as many fields. */
export const MAX_FORM_FIELDS = 200

/** Whether form-encoded text has more fields than anything we read; known before it is decoded. */
export function hasTooManyFields(text: string): boolean {
  let at = -1
  for (let fields = 1; fields <= MAX_FORM_FIELDS; fields++) {
    at = text.indexOf('&', at + 1)
    if (at < 0) return false
  }
  return true
}

/** The fields of form-encoded text that a caller or a vendor sent; undefined when there are too many of them. */
export function readForm(text: string): URLSearchParams | undefined {
  return hasTooManyFields(text) ? undefined : new URLSearchParams(text)
}
