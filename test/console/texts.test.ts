import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findKeys, type Place } from '../../scripts/texts/keys.ts'
import { compare, inOrder, partsOf, readLanguages } from '../../scripts/texts/languages.ts'
import { filesOf } from '../../scripts/texts/reach.ts'
import { readConsole, readSource } from '../../scripts/texts/source.ts'
import { findUntranslated } from '../../scripts/texts/untranslated.ts'
import { explainWords } from '../../console/src/pages/messages/explain-words.ts'
import { checkWords, findingWords } from '../../console/src/pages/status/finding-words.ts'
import { carrierWords } from '../../console/src/ui/carrier-words.ts'
import { serviceWords } from '../../console/src/text/service-words.ts'
import { ALL_ADVICE, DELIVERY_CODES } from '../../src/carriers/delivery-codes.ts'

const sources = readConsole()
const { keys, unclear } = findKeys(sources)
const texts = new Set(keys.map(({ text }) => text))
const shown = ({ file, line, text }: Place) => `${file}:${line} ${text}`

test('there are texts to look at', () => {
  expect(sources.length).toBeGreaterThan(100)
  expect(texts.size).toBeGreaterThan(400)
})

test('every text is a literal, which is found here', () => {
  expect(unclear.map(shown)).toEqual([])
})

test('nothing that people read stands outside of t, plural and Rich', () => {
  expect(findUntranslated(sources).map(shown)).toEqual([])
})

test('files are chosen by our own button: that of an input is in the language of the browser', () => {
  const native = sources.map(({ file }) => file).filter((file) => readFileSync(file, 'utf8').includes('type="file"'))
  expect(native).toEqual(['console/src/ui/AttachButton.tsx'])
})

describe.each(readLanguages())('$language', ({ path, texts: said }) => {
  test('has every text', () => {
    const { missing } = compare(texts, said)
    const first = (key: string) => keys.find(({ text }) => text === key)
    expect(missing.map((key) => first(key)).map((place) => place && shown(place))).toEqual([])
  })

  test('has no other', () => {
    expect(compare(texts, said).unused).toEqual([])
  })

  test('has the same values and tags in every text', () => {
    const other = Object.entries(said).filter(([key, text]) => partsOf(text).join() !== partsOf(key).join())
    expect(other).toEqual([])
  })

  test('is in order', () => {
    expect(readFileSync(path, 'utf8')).toBe(inOrder(said))
  })
})

test('the first view has what its files load with themselves, and no page that is loaded later', () => {
  const files = filesOf(sources, ['console/src/main.tsx'])
  expect(files).toContain('console/src/layout/Layout.tsx')
  expect(files).toContain('console/src/pages.ts')
  expect([...files].filter((file) => file.startsWith('console/src/pages/'))).toEqual([])
})

test('French has its spaces before double signs, and they hold', () => {
  const french = readLanguages().find(({ language }) => language === 'fr')
  const loose = Object.values(french?.texts ?? {}).filter((text) =>
    / [;:!?»]|« |\w[;!?»]|«\S/.test(withoutMarkup(text)),
  )
  expect(loose).toEqual([])
})

function withoutMarkup(text: string): string {
  return text.replace(/<\/?\w+>|\{\w+\}|https?:\/\/\S*/g, '')
}

describe('what is found', () => {
  const read = (text: string) => [
    readSource('console/src/pages/Some.tsx', `import { t, plural, Rich } from '../text/text.ts'\n${text}`),
  ]
  const untranslated = (text: string) => findUntranslated(read(text)).map((place) => place.text)

  test('is said by any of them', () => {
    const found = findKeys(
      read(`t('A'); plural(n, 'B', 'C'); const d = <Rich text="D <b>{e}</b>" />; t(e); items.t('F')`),
    )
    expect(found.keys.map(({ text }) => text)).toEqual(['A', 'B', 'C', 'D <b>{e}</b>'])
    expect(found.unclear.map(shown)).toEqual(['console/src/pages/Some.tsx:2 t'])
  })

  test('includes literals outside of t, plural and Rich', () => {
    expect(untranslated(`const a = <p>Some words</p>`)).toEqual(['Some words'])
    expect(untranslated(`const a = <p>{b ? 'Yes' : t('No')}</p>`)).toEqual(['Yes'])
    expect(untranslated(`const a = <p aria-label="Words" title={\`More \${b}\`} className="row" />`)).toEqual([
      'Words',
      'More',
    ])
    expect(untranslated(`const a = [{ title: 'Name', value: 'name' }]`)).toEqual(['Name'])
    expect(untranslated(`say('It is done.')`)).toEqual(['It is done.'])
    expect(untranslated(`const a = <DataList items={[['Status', status]]} />`)).toEqual(['Status'])
  })

  test('is not what is the same everywhere', () => {
    expect(
      untranslated(`const a = <p title="SMS">Gangan {b === 'text' && t('c')} – <kbd>{'Ctrl K'}</kbd></p>`),
    ).toEqual([])
    expect(untranslated(`const a = <input placeholder="https://example.com/reports" />`)).toEqual([])
  })
})

describe('what the service says', () => {
  const sentences = keys.filter(({ file }) => file.endsWith('service-words.ts')).map(({ text }) => text)
  /** Sentences that the service composes of parts. */
  const GLUED =
    /^(This value must be|A (column|smartlist) has|There is a (column|smartlist) of|No (price|route) is|The request is invalid\. These)/

  test('occurs in the source of the service', () => {
    const service = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!test)\.ts$/.test(name))
      .map((name) => readFileSync(`src/${name}`, 'utf8'))
      .join('\n')
    const parts = (text: string) => text.split(/"?\{\w+\}"?/).filter((part) => /\w{2}/.test(part))
    const gone = sentences.filter((text) => !GLUED.test(text) && !parts(text).every((part) => service.includes(part)))
    expect(sentences.length).toBeGreaterThan(100)
    expect(gone).toEqual([])
  })

  test('is recognised with its values, and another sentence is left as it came', () => {
    const filled = sentences.map((text) => text.replace(/\{\w+\}/g, '$1 (2)'))
    expect(filled.map(serviceWords)).toEqual(filled)
    expect(serviceWords('This sentence is unknown.')).toBe('This sentence is unknown.')
  })
})

describe('the table of delivery codes', () => {
  const known = keys.filter(({ file }) => file.endsWith('delivery-words.ts')).map(({ text }) => text)

  test('is translated whole, and nothing else', () => {
    const sentences = new Set([...DELIVERY_CODES.map(({ description }) => description), ...ALL_ADVICE])
    expect([...known].sort()).toEqual([...sentences].sort())
  })
})

test('every sentence of the checks of the status is recognised', () => {
  const folder = new URL('../../src/status/', import.meta.url)
  const files = readdirSync(folder).filter((file) => !/(test|schema|thresholds|store|units)\.ts$/.test(file))
  const sentences = files.flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/'([^'\n]* [^'\n]*[.}])'/g)].map(([, text = '']) => text),
  )
  expect(sentences.length).toBeGreaterThan(70)
  const known = new Set(
    keys.filter(({ file }) => file === 'console/src/pages/status/finding-words.ts').map(({ text }) => text),
  )
  expect(sentences.filter((sentence) => !known.has(sentence))).toEqual([])
})

describe('an explanation of a message', () => {
  const service = readdirSync('src/explain/sentences')
    .map((name) => readFileSync(`src/explain/sentences/${name}`, 'utf8'))
    .join('\n')
  const sentences = [...service.matchAll(/\bsay\(\s*'([^'\n]+)'/g)].map(([, text = '']) => text)

  test('has every sentence recognised, and no other', () => {
    expect(sentences.length).toBeGreaterThan(70)
    expect(service.match(/\bsay\(/g)).toHaveLength(sentences.length + 1) // and its definition
    const known = keys.filter(({ file }) => file.endsWith('explain-words.ts')).map(({ text }) => text)
    expect([...new Set(known)].sort()).toEqual([...new Set(sentences)].sort())
  })

  test('has its times in the time zone of the organisation, and its numbers and parts translated', () => {
    const zone = 'Africa/Lagos'
    expect(explainWords('Carrier 1 of 2, mtn: took the message at 2026-11-14 23:42:46 UTC.', zone)).toBe(
      'Carrier 1 of 2, mtn: took the message at 15 Nov 2026, 00:42:46.',
    )
    expect(explainWords('Less specific rules did not apply: prefix 234 at 4; any number at 1000.5.', zone)).toBe(
      'Less specific rules did not apply: prefix 234 at 4; any number at 1,000.5.',
    )
    expect(explainWords('The phone was off or out of coverage: retry later.', zone)).toMatch(/^The phone was off/)
    expect(explainWords('This sentence is unknown.', zone)).toBe('This sentence is unknown.')
  })
})

test('counts in sentences of the status are words of the language, in the singular too', () => {
  expect(findingWords('1 API key expires soon, in 1 day.')).toBe('1 API key expires soon, in 1 day.')
  expect(findingWords('1200 API keys expire soon, the first in 2 days.')).toBe(
    '1,200 API keys expire soon, the first in 2 days.',
  )
  expect(findingWords('No endpoint is failing; 1200 callbacks to be retried.')).toBe(
    'No endpoint is failing; 1,200 callbacks to be retried.',
  )
  expect(carrierWords('1 of 1 bind is up; 2 SIMs rest after failures')).toBe(
    '1 of 1 bind is up; 2 SIMs rest after failures',
  )
})

test('every check of the status has a name', () => {
  const named = readFileSync(new URL('../../src/status/read-status.ts', import.meta.url), 'utf8')
  const checks = [...named.matchAll(/\{ name: '([^']+)'/g)].map(([, name = '']) => name)
  expect(checks.length).toBeGreaterThan(15)
  expect(checks.filter((name) => checkWords(name) === name)).toEqual([])
})
