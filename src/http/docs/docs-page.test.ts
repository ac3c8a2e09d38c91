import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { docsPage } from './docs-page.ts'
import type { Document } from './document.ts'

const openapi = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document
const page = docsPage(openapi)

/** Every shape a colleague might add, with markup planted in each text. */
const EVIL = '<script>alert("x")</script><img src="https://evil.example/x.png">'
const odd = {
  openapi: '3.1.0',
  info: {
    title: `Odd ${EVIL}`,
    version: EVIL,
    summary: EVIL,
    description: `# One ${EVIL}\n\n### Three\n\n- first **bold**\n- second \`<code>\`\n  goes on\n\n1. [home](https://example.com/?a=1&b="2")\n2. [bad](javascript:alert(1))\n\n\`\`\`\n<b>fenced</b>\n\`\`\``,
  },
  tags: [{ name: EVIL, description: EVIL }],
  paths: {
    '/things/{id}': {
      get: {
        summary: EVIL,
        description: EVIL,
        tags: [EVIL],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: EVIL, in: EVIL, example: EVIL, description: EVIL, schema: { type: 'string', pattern: EVIL } },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['phone', EVIL],
                properties: {
                  phone: { type: 'string', examples: ["it's me"] },
                  [EVIL]: { type: 'string', enum: [EVIL], default: EVIL, description: EVIL },
                },
              },
            },
          },
        },
        responses: { 200: { $ref: '#/components/responses/thing' }, 404: { description: EVIL } },
      },
      delete: { summary: 'Delete a thing', responses: { 204: { description: 'Default Response' } } },
    },
    '/things/id': { get: { responses: { 200: { description: 'Gone', content: { 'text/csv': {} } } } } },
    '/tree': {
      patch: {
        security: [{ key: [] }],
        requestBody: {
          required: false,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } },
        },
        responses: { 200: { description: '', content: { 'application/json': { schema: { type: 'array' } } } } },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'Authorization' } },
    schemas: {
      Tree: {
        type: 'object',
        required: ['branches', 'cell', 'cells', 'size'],
        properties: {
          branches: { type: 'array', maxItems: 3, items: { $ref: '#/components/schemas/Tree' } },
          cell: { anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] },
          cells: { type: 'object', patternProperties: { '^.*$': { type: 'string' } } },
          size: { anyOf: [{ const: 'S' }, { const: 'L' }] },
          holder: {
            anyOf: [
              { type: 'object', properties: { person: { type: 'string' } } },
              { type: 'object', properties: { company: { type: 'integer', minimum: 4, maximum: 8 } } },
            ],
          },
        },
      },
    },
    responses: {
      thing: { description: EVIL, content: { 'application/json': { example: { [EVIL]: EVIL, id: 7 } } } },
    },
  },
}
const odd_page = docsPage(odd)

const without = (html: string, tag: string): string => html.replaceAll(new RegExp(`<${tag}.*?</${tag}>`, 'gs'), '')
const plain = (html: string): string =>
  without(html, 'style')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

describe('the reference of our own interface', () => {
  const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
  )

  test('has been looked at', () => expect(operations.length).toBeGreaterThan(10))

  test.each(operations)('shows %s %s in the navigation and in the text', (method, path) => {
    const text = plain(page)
    expect(text.split(`${method}${path}\n`).length - 1).toBe(2) // beside the text, and above it on a phone
    expect(text).toContain(`${method} ${path}`)
  })

  test('says what kind of key each operation needs', () => {
    const articles = [...page.matchAll(/<article[^>]*id="([^"]*)".*?<\/article>/gs)]
    const line = (id: string) =>
      plain(/<p class="line">.*?<\/p>/s.exec(articles.find(([, of]) => of === id)?.[0] ?? '')?.[0] ?? '')
    expect(line('patch-settings')).toBe('PATCH /settings scope settings')
    expect(line('post-sandbox-reply')).toMatch(/scopes sms, otp, .*, balance$/)
    expect(line('get-health')).toBe('GET /health no key needed')
    expect(
      articles.map(([, id = '']) => line(id)).filter((text) => !/ (scopes? \w+|no key needed)/.test(text)),
    ).toEqual([])
  })

  test('gives a command to copy, an answer and the errors of an operation', () => {
    const article = plain(/<article[^>]*id="post-sms-send".*?<\/article>/s.exec(page)?.[0] ?? '')
    expect(article).toContain(`curl http://127.0.0.1:8080/sms/send \\
  -H "Authorization: $KEY" \\
  -H 'Idempotency-Key: order-1042' \\
  -H 'Content-Type: application/json' \\
  -d '{
  "recipients": "2348031234567, 08051234567",`)
    expect(article).toContain('"resource": "/sms/send"')
    expect(article).toContain('402The balance does not cover the charge.')
    expect(article).toContain('personalisation[].to') // a nested field, with its parent for those who listen
  })
})

describe.each([
  ['our own interface', page],
  ['an odd one', odd_page],
])('the page of %s', (_name, html) => {
  test('has unique ids, and its anchors lead somewhere', () => {
    const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    const anchors = [...html.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id)
    const labels = [...html.matchAll(/aria-labelledby="([^"]*)"/g)].map(([, id]) => id)
    expect(anchors.length).toBeGreaterThan(5)
    expect(new Set(ids).size).toBe(ids.length)
    expect([...anchors, ...labels].filter((id) => !ids.includes(id))).toEqual([])
  })

  test('has no script and loads nothing from anywhere', () => {
    const tags = [...html.matchAll(/<[a-z][^>]*>/gi)].map(([tag]) => tag).join('\n')
    expect(tags).not.toMatch(
      /<(?:script|iframe|object|embed|img|form)|\son[a-z]+=|\s(?:src|srcset|action|data|style)=/i,
    )
    expect(tags).not.toMatch(/href="(?!#|\/openapi\.json"|https:|data:,")/)
    expect(html).not.toMatch(/@import|url\(/)
    expect([...html.matchAll(/<link[^>]*>/g)].map(([tag]) => tag)).toEqual(['<link rel="icon" href="data:,">'])
  })

  test('skips no level of headings', () => {
    const levels = [...html.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level))
    expect(levels.filter((level) => level === 1)).toHaveLength(1)
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([])
  })
})

describe('an odd interface', () => {
  const text = plain(odd_page)

  test('shows its markup as text', () => {
    expect(text.split(EVIL).length).toBeGreaterThan(12)
    expect(text).toContain('<b>fenced</b>')
    expect(text).toContain('[bad](javascript:alert(1))')
    expect(odd_page).toContain('<a href="https://example.com/?a=1&amp;b=&quot;2&quot;">home</a>')
    expect(odd_page).toContain(
      '<ul><li>first <strong>bold</strong></li><li>second <code>&lt;code&gt;</code> goes on</li></ul>',
    )
  })

  test('gives two paths that would have the same anchor different ones', () => {
    expect(odd_page).toMatch(/id="get-things-id".*id="get-things-id--2"/s)
  })

  test('asks with a body on GET, and quotes it for the shell', () => {
    expect(text).toContain('curl -X GET http://127.0.0.1:8080/things/019a8475-2c1b-7c3e-9f50-3d2b8a6e4f17')
    expect(text).toContain(String.raw`"phone": "it'\''s me"`)
  })

  test('says when an answer has no body', () => {
    expect(text).toMatch(/curl -X DELETE \S+\nAnswer 204\nNo body\./)
  })

  test('follows shapes that contain themselves, to an end', () => {
    expect(text).toContain('array of object')
    expect(text).toContain('branches[].branches[].cell')
    expect(odd_page.length).toBeLessThan(200_000)
  })

  test('has words for unions, maps, bounds and the choice between shapes', () => {
    expect(text).toMatch(/cell required\nstring or null/)
    expect(text).toMatch(/cells required\nmap of string/)
    expect(text).toMatch(/size required\nstring\nOne of S L/)
    expect(text).toMatch(/holder\..*either.*person.*or.*company\ninteger4 to 8/s)
  })
})
