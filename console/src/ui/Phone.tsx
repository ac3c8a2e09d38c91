import type * as PhoneFormat from './phone-format.ts'

let format: typeof PhoneFormat | undefined

/** How every country writes its numbers is a file of its own, which a page waits for; without it they are not grouped. */
export const phoneFormatRead: Promise<void> = readFormat()

async function readFormat(): Promise<void> {
  try {
    format = await import('./phone-format.ts')
  } catch {
    format = undefined
  }
}

/** A phone number in groups, easier to read and to compare. Copied, it is still one number. */
export function Phone({ number }: { number: string }) {
  return (
    <span className="phone">
      {placed(groups(number)).map(({ at, part }) => (
        <span key={at}>{part}</span>
      ))}
    </span>
  )
}

/** `+234 803 123 4567`, for titles and other plain text. */
export function phoneText(number: string): string {
  return groups(number).join(' ')
}

/** The digits of a number as typed; a national number belongs to this country. */
export function typedNumber(text: string, country: string): string | undefined {
  if (format) return format.numberIn(text, country)
  const digits = text.replace(/\D/g, '').replace(/^00/, '')
  return NUMBER.test(digits) && !digits.startsWith('0') ? digits : undefined
}

const NUMBER = /^\d{7,15}$/

/** A short code or a name is shown as it is, and so is a number without a country code. */
function groups(number: string): string[] {
  if (!NUMBER.test(number) || number.startsWith('0')) return [number]
  return format?.phoneGroups(number) ?? [`+${number}`]
}

/** Parts of a text with their start offsets, which serve as keys for equal parts. */
export function placed(parts: readonly string[]): { at: number; part: string }[] {
  let next = 0
  return parts.map((part) => {
    const at = next
    next += part.length
    return { at, part }
  })
}
