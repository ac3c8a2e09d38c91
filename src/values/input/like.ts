/** A pattern of LIKE for values that contain this text. */
export function containing(text: string): string {
  return `%${likeEscaped(text)}%`
}

/** Escapes the wildcards of LIKE. */
export function likeEscaped(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`)
}
