/** A phone number in groups, easier to read and to compare. Copied, it is still one number. */
export function Phone({ number }: { number: string }) {
  return (
    <span className="phone">
      {groups(number).map((part, index) => (
        // The groups of a number never change places.
        // oxlint-disable-next-line no-array-index-key
        <span key={index}>{part}</span>
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
