/** As in the texts of templates: `{{name}}`, or `{{name|there}}` with a default. */
const PLACEHOLDER = /\{\{([^{}|]+)(?:\|([^{}]*))?\}\}/g

/** A template with the values of a contact, by the names of their columns. What has no value stays to be filled in. */
export function filledReply(content: string, values: ReadonlyMap<string, string>): string {
  return content.replace(
    PLACEHOLDER,
    (whole, name: string, fallback?: string) => values.get(keyOf(name)) ?? fallback ?? whole,
  )
}

/** The placeholders that are left in a text. */
export function placeholdersIn(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([whole]) => whole))]
}

export function keyOf(name: string): string {
  return name.trim().toLowerCase()
}
