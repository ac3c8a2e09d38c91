const graphemes = new Intl.Segmenter()

/** Whether the text is a single emoji, which may have several code points. */
export function isEmoji(text: string): boolean {
  return (
    [...graphemes.segment(text)].length === 1 && /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(text)
  )
}
