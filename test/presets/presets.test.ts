import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readBalance } from '../../src/carriers/http/balance.ts'
import type { Post } from '../../src/carriers/http/post-scopes.ts'
import type { Endpoint } from '../../src/carriers/http/read-posts.ts'
import { readQuery } from '../../src/carriers/http/query.ts'
import { DIALECTS } from '../../src/emulators/vendor/dialects.ts'
import { makeVendor } from '../../src/carriers/http/vendor.ts'

/** An endpoint from a vendor's documentation, and its interpretation here. */
type Fixtures = {
  answers: { status: number; body?: unknown; text?: string; headers?: Record<string, string>; becomes: Verdict }[]
  posts: {
    what?: Endpoint
    json?: unknown
    form?: Record<string, string>
    query?: Record<string, string>
    /** Appended to the query unchanged, already escaped. */
    raw_query?: string
    becomes: { reports?: object[]; texts?: object[]; optouts?: object[]; ignored?: string[]; skipped?: number }
  }[]
  queries?: { body: unknown; becomes: object | null }[]
  balance?: { body: unknown; amount: number; currency?: string }
}
type Verdict = Record<string, unknown> & { cost?: number }

const presets = readdirSync(new URL('../../presets/', import.meta.url)).map((file) => file.replace(/\.yaml$/, ''))

test('every preset has an emulator and fixtures', () => {
  expect(presets.length).toBeGreaterThan(7)
  expect(Object.keys(DIALECTS).sort()).toEqual([...presets].sort())
})

describe.each(presets)('the preset %s', (preset) => {
  const {
    answers,
    posts,
    queries = [],
    balance,
  }: Fixtures = parse(readFileSync(new URL(`${preset}.yaml`, import.meta.url), 'utf8'))
  const credentials = { ...DIALECTS[preset]?.credentials }
  const vendor = makeVendor(
    { kind: 'http', name: 'vendor', preset, credentials, options: {}, networks: [] },
    'https://gangan.example',
  )

  test.each(answers)('reads $status $body $text', ({ status, body, text, headers, becomes }) => {
    const written = text ?? JSON.stringify(body)
    const answer = { kind: 'answered' as const, status, json: body, text: written, headers: headers ?? {} }
    const verdict = vendor.readAnswer([{ recipient: '2348031234567', id: 'our-id' }], answer)
    expect(verdict).toHaveLength(1)
    const { cost, ...rest } = becomes
    expect(verdict[0]).toMatchObject({ ...rest, ...(cost === undefined ? {} : { cost: BigInt(cost) }) })
  })

  test.each(posts)(
    'sends $json $form $query $raw_query',
    ({ what = 'reports', json, form, query, raw_query, becomes }) => {
      const raw = json === undefined ? new URLSearchParams(form ?? {}).toString() : JSON.stringify(json)
      const post: Post = {
        url: `/carriers/http/vendor/${what}?${new URLSearchParams(query).toString()}&${raw_query ?? ''}`,
        headers: { 'content-type': json === undefined ? 'application/x-www-form-urlencoded' : 'application/json' },
        raw: Buffer.from(raw),
        ip: '192.0.2.1',
      }
      const news = vendor.posts.read(vendor.posts.has(what) ? what : 'reports', post, 'https://gangan.example', 'NG')
      expect(news).toMatchObject(becomes)
      expect(news.reports).toHaveLength(becomes.reports?.length ?? 0)
    },
  )

  test.runIf(queries.length > 0)('queries a status', () => {
    const ours = { carrier_message_id: 'm-1', recipient: '2348031234567' }
    for (const { body, becomes } of queries) {
      const answer = { kind: 'answered' as const, status: 200, json: body, text: JSON.stringify(body) }
      const report = readQuery(vendor, ours, answer)
      expect(report ?? {}).toMatchObject({ ...(becomes && { ...ours, ...becomes }) })
      expect(report === undefined).toBe(becomes === null)
    }
  })

  test.runIf(balance)('reads the balance', () => {
    const answer = { kind: 'answered' as const, status: 200, json: balance?.body, text: JSON.stringify(balance?.body) }
    expect(readBalance(vendor, answer)).toEqual({ amount: BigInt(balance?.amount ?? 0), currency: balance?.currency })
    expect(readBalance(vendor, { ...answer, status: 401 })).toBeUndefined()
  })
})
