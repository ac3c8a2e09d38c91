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

function groups(number: string): string[] {
  if (!/^\d{7,15}$/.test(number)) return [number]
  const nigerian = /^(234)(\d{3})(\d{3})(\d{4})$/.exec(number)
  if (nigerian) return [`+${nigerian[1]}`, ...nigerian.slice(2)]
  return `+${number}`.match(/.{1,4}(?=(?:.{3})*$)|.{1,4}/g) ?? [number]
}

/** Parts of a text with the place each begins at, which tells equal ones apart. */
export function placed(parts: readonly string[]): { at: number; part: string }[] {
  let next = 0
  return parts.map((part) => {
    const at = next
    next += part.length
    return { at, part }
  })
}
