const CODES = { bold: 1, red: 31, green: 32, yellow: 33 } as const

/** Colours a text for a terminal; elsewhere, or with NO_COLOR (https://no-color.org), returns it unchanged. */
export function paint(style: keyof typeof CODES, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  const { NO_COLOR, TERM } = process.env
  const is_plain = !stream.isTTY || (NO_COLOR !== undefined && NO_COLOR !== '') || TERM === 'dumb'
  return is_plain ? text : `\u001b[${CODES[style]}m${text}\u001b[0m`
}
