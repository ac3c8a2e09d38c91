import { createElement, Fragment, type ReactNode } from 'react'

type Values = Readonly<Record<string, string | number>>
type Nodes = Readonly<Record<string, ReactNode>>
type Tag = (inner: ReactNode) => ReactNode
type Part = Tag | Nodes | string | undefined
type RichProps = { text: string; values?: Nodes } & Readonly<Record<string, Part>>

export type Wording = {
  /**
   * A text in the selected language. The code holds it in English, with `{name}` for values; an ambiguous word may carry a
   * note to translators after `||`, which is never shown.
   */
  t: (english: string, values?: Values) => string
  /** The same for a count, which is `{n}` in both texts. */
  plural: (n: number, one: string, other: string, values?: Values) => string
  /**
   * A text with parts that are more than letters: `<b>…</b>` is drawn by the property `b`, which is given what is inside,
   * and `{name}` may be a node.
   */
  Rich: (props: RichProps) => ReactNode
  /** A number as the language writes it. */
  number: (value: number, options?: Intl.NumberFormatOptions) => string
  /** A share of a whole, `0.975` as `97.5%`. Only the whole is 100 %, and only nothing is 0 %. */
  percent: (part: number, options?: Pick<Intl.NumberFormatOptions, 'maximumFractionDigits'>) => string
  /** By how much a value changed, with its sign: `0.5` as `+50%`. Only what is gone has changed by −100 %. */
  percentChange: (change: number) => string
}

/** How texts are said in a language, of which `texts` has them by the English ones. */
export function wordingOf(
  { language, numbers }: { language: string; numbers: string },
  texts: Readonly<Record<string, string>>,
): Wording {
  const rules = new Intl.PluralRules(language)
  // Texts that are not translated yet are empty in the file.
  const worded = (english: string) => texts[english] || (english.split('||', 1)[0] ?? '')
  const number: Wording['number'] = (value, options) => withMinus(value.toLocaleString(numbers, options))
  const t: Wording['t'] = (english, values = {}) =>
    worded(english).replace(PLACE, (whole, name: string) => String(values[name] ?? whole))
  return {
    t,
    number,
    percent: (part, { maximumFractionDigits = 1 } = {}) => {
      const options = { style: 'percent', maximumFractionDigits } as const
      const least = 10 ** -(maximumFractionDigits + 2)
      if (part > 0 && part < least) return `< ${number(least, options)}`
      return number(part < 1 ? Math.min(part, 1 - least) : part, options)
    },
    percentChange: (change) =>
      number(change > -1 ? Math.max(change, -0.999) : change, {
        style: 'percent',
        maximumFractionDigits: 1,
        signDisplay: 'exceptZero',
      }),
    plural: (n, one, other, values) => t(rules.select(n) === 'one' ? one : other, { ...values, n: number(n) }),
    Rich: ({ text, values = {}, ...tags }) => drawn(worded(text), values, tags),
  }
}

/** Formats of numbers have a hyphen where a minus sign belongs. */
export function withMinus(formatted: string): string {
  return formatted.replace('-', '\u2212')
}

const PLACE = /\{(\w+)\}/g
const ELEMENT = /(<(\w+)>.*?<\/\2>)/g

function drawn(text: string, values: Nodes, tags: Readonly<Record<string, Part>>): ReactNode {
  const parts = text.split(ELEMENT).map((piece, index) => {
    if (index % 3 === 2) return null // The name of a tag, which the expression also captures.
    const [, name, inner = ''] = /^<(\w+)>(.*?)<\/\1>$/.exec(piece) ?? []
    if (name === undefined) return filled(piece, values)
    const tag = tags[name]
    const content = filled(inner, values)
    return typeof tag === 'function' ? tag(content) : content
  })
  return inRow(parts)
}

function filled(text: string, values: Nodes): ReactNode {
  return inRow(text.split(PLACE).map((piece, index) => (index % 2 === 0 ? piece : (values[piece] ?? `{${piece}}`))))
}

/** Parts of a text keep their places, and need no keys. */
function inRow(parts: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...parts)
}
