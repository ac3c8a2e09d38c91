/** Replacements of a value, as JSON text: some could not be produced by a serialiser. */
export const NASTY: readonly string[] = [
  ['null', 'true', 'false', '0', '-0', '-1', '1.5', '0.00001', '1e308', '1e400', '-1e400', '1e-400'],
  ['32768', '2147483648', '-2147483649', '9007199254740993', '9223372036854775808', `1${'0'.repeat(400)}`],
  ['[]', '{}', '[null]', '[{}]', '[[[[[]]]]]', '{"a":null}', '["x","x"]', '[1,"a",null,{"b":[]}]'],
  `${'['.repeat(500)}${']'.repeat(500)}`,
  '{"__proto__":{"x":1},"constructor":1,"toString":2,"hasOwnProperty":3}',
  [
    '""',
    '" "',
    '"\\n"',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00x"',
    '"\\u202e\\u200b\\ufeff"',
    '"\\udbff\\udfff"',
  ],
  ['"İ"', '"ß"', '"ﬀ"', '"é"', '"\\\\"', `"'; drop table messages; --"`, '"%"', '"%s%n"', '"\\r\\nx: y"', '"$1"'],
  ['"{{"', '"{{}}"', '"{{a|b|c}}"', '"{{name}}"', '"{{__proto__}}"', '"See https://example.com/a\\u0000b"'],
  [
    '"http://[::"',
    '"http://a b/"',
    '"https://xn--"',
    '"//x"',
    '"javascript:alert(1)"',
    '"a@b"',
    `"a@${'b'.repeat(300)}.c"`,
  ],
  ['"2026-02-30"', '"2026-13-45"', '"2026-02-30T00:00:00Z"', '"2026-11-15T25:61:61Z"', '"0000-01-01T00:00:00Z"'],
  ['"9999-12-31T23:59:59-23:59"', '"+275760-09-13T00:00:00Z"', '"-271821-04-20T00:00:00Z"', '"294277-01-01T00:00:00Z"'],
  ['"infinity"', '"now"', '"NaN"', '"Infinity"', '"1e400"', '"-1"', '"0x10"', '"1,2"', `"${'9'.repeat(400)}"`],
  [
    '"00000000-0000-0000-0000-000000000000"',
    '"ffffffff-ffff-ffff-ffff-ffffffffffff"',
    '"ZZ"',
    '"+"',
    '"08031234567,,"',
  ],
  `"${'x'.repeat(300)}"`,
  `"${'x'.repeat(100_000)}"`,
  `"${'😀'.repeat(3_000)}"`,
  `"${'{{a}}'.repeat(2_000)}"`,
].flat()

/** A longer path is not routed, whatever the operation. */
const LONGEST_IN_URL = 100

/** The same for a value in a URL, already encoded. */
export const NASTY_IN_PATH: readonly string[] = [
  ...NASTY.map((json) => JSON.parse(json) as unknown)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .map((text) => encodeURIComponent(Buffer.from(text.slice(0, LONGEST_IN_URL)).toString())),
  '%00',
  '%2e%2e%2f',
  '+',
  '1e400',
  '1e-400',
]

/** A query may also contain invalid UTF-8; a path with that is not routed. */
export const NASTY_IN_QUERY: readonly string[] = [...NASTY_IN_PATH, '%', '%0', '%ff', '%ed%a0%80', '%c0%ae', '']

/** The path of a value: the keys that lead to it. */
type Way = readonly (string | number)[]

/** The paths of everything in a value, itself included: each leaf, and each list and object. */
export function waysIn(value: unknown, way: Way = []): Way[] {
  if (value === null || typeof value !== 'object') return [way]
  return [way, ...Object.entries(value).flatMap(([key, inner]) => waysIn(inner, [...way, key]))]
}

const MARK = '\u0001here\u0001'
const MARK_IN_JSON = JSON.stringify(MARK)

/** The value as JSON with other text in one place. */
export function writeWith(value: unknown, way: Way, text: string): string {
  return JSON.stringify(replaced(value, way)).replace(MARK_IN_JSON, () => text)
}

function replaced(value: unknown, [key, ...rest]: Way): unknown {
  if (key === undefined) return MARK
  if (Array.isArray(value)) return value.map((one: unknown, n) => (String(n) === key ? replaced(one, rest) : one))
  return { ...(value as object), [key]: replaced((value as Record<string, unknown>)[key], rest) }
}

/** The value without one element. */
export function writeWithout(value: unknown, way: Way): string {
  const text = writeWith(value, way, MARK_IN_JSON)
  return JSON.stringify(JSON.parse(text), (_, inner: unknown) => {
    if (Array.isArray(inner)) return inner.filter((one) => one !== MARK)
    return inner === MARK ? undefined : inner
  })
}
