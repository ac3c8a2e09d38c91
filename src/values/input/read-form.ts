/** More than any form of a caller or vendor has. */
export const MAX_FORM_FIELDS = 200

/** Whether form-encoded text has too many fields; checked before it is decoded. */
export function hasTooManyFields(text: string): boolean {
  let at = -1
  for (let fields = 1; fields <= MAX_FORM_FIELDS; fields++) {
    at = text.indexOf('&', at + 1)
    if (at < 0) return false
  }
  return true
}

/** The fields of form-encoded text; undefined if there are too many. */
export function readForm(text: string): URLSearchParams | undefined {
  return hasTooManyFields(text) ? undefined : new URLSearchParams(text)
}
