/** A sentence with its values. The console translates the sentence, so that it must be a literal. */
export function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

/** The same of a count, which is `{n}` in both sentences. */
export function fillCount(
  n: number,
  one: string,
  other: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return fill(n === 1 ? one : other, { ...values, n })
}
