import { expect, test } from 'vitest'
import { wordingOf } from '../../console/src/text/wording.ts'
import { typedAmount } from '../../console/src/ui/Money.tsx'

const english = wordingOf({ language: 'en', numbers: 'en' }, {})
const french = wordingOf(
  { language: 'fr', numbers: 'fr' },
  {
    Save: 'Enregistrer',
    'Open||state of a breaker': 'Ouvert',
    'Signed in as {name}': 'Connecté en tant que {name}',
    '{n} message': '{n} message',
    '{n} messages of {name}': '{n} messages de {name}',
    'Only <b>{name}</b> may do this': '<b>{name}</b> est seul à le pouvoir',
    Later: '',
  },
)

/** What stands in a node; the tests draw tags as brackets. */
function drawn(node: unknown): string {
  if (Array.isArray(node)) return node.map(drawn).join('')
  if (typeof node === 'string') return node
  return drawn((node as { props: { children?: unknown } } | null)?.props.children ?? '')
}

test('a text is what its language has, or else the English one without its note', () => {
  expect([english.t('Save'), french.t('Save')]).toEqual(['Save', 'Enregistrer'])
  expect([english.t('Open||state of a breaker'), french.t('Open||state of a breaker')]).toEqual(['Open', 'Ouvert'])
  expect([french.t('Nobody has said this'), french.t('Later')]).toEqual(['Nobody has said this', 'Later'])
})

test('values stand where the language wants them, as they are', () => {
  expect(french.t('Signed in as {name}', { name: '$& {name}' })).toBe('Connecté en tant que $& {name}')
  expect(english.t('{a} of {b}', { a: 1 })).toBe('1 of {b}')
})

test('a count follows the rules of its language', () => {
  const count = ({ plural }: typeof english, n: number) =>
    plural(n, '{n} message', '{n} messages of {name}', { name: 'Ada' })
  expect([0, 1, 2].map((n) => count(english, n))).toEqual(['0 messages of Ada', '1 message', '2 messages of Ada'])
  expect([0, 1, 2].map((n) => count(french, n))).toEqual(['0 message', '1 message', '2 messages de Ada'])
  expect(count(english, 12_345)).toBe('12,345 messages of Ada')
  expect(count(french, 12_345)).toBe('12\u202f345 messages de Ada')
})

test('markup goes with its words, wherever they stand', () => {
  const only = { text: 'Only <b>{name}</b> may do this', values: { name: ['Ada', ' <b>'] } }
  expect(drawn(english.Rich({ ...only, b: (inner) => ['[', inner, ']'] }))).toBe('Only [Ada <b>] may do this')
  expect(drawn(french.Rich({ ...only, b: (inner) => ['[', inner, ']'] }))).toBe('[Ada <b>] est seul à le pouvoir')
  expect(drawn(english.Rich({ text: 'A <b>tag</b> nobody draws, {none}' }))).toBe('A tag nobody draws, {none}')
})

test('a share is rounded neither to the whole nor to nothing, and a change not to all', () => {
  expect([1, 0.9996, 0.99996, 0.975, 0.0001, 0].map((part) => english.percent(part))).toEqual([
    '100%',
    '99.9%',
    '99.9%',
    '97.5%',
    '< 0.1%',
    '0%',
  ])
  expect(english.percent(0.996, { maximumFractionDigits: 0 })).toBe('99%')
  expect([-1, -0.99999, 0.5].map((change) => english.percentChange(change))).toEqual(['−100%', '−99.9%', '+50%'])
})

test('amounts are read as the language writes them', () => {
  expect(['1,234.50', '12', 'much'].map((text) => typedAmount(text, 'en'))).toEqual([1234.5, 12, 'much'])
  expect(['1 234,50', '1\u202f234,50', '12.5', 'deux'].map((text) => typedAmount(text, 'fr'))).toEqual([
    1234.5,
    1234.5,
    12.5,
    'deux',
  ])
})
