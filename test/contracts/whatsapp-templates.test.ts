import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WhatsappRules } from '../../src/carriers/whatsapp/rules.ts'
import { readShape } from '../../src/carriers/whatsapp/templates.ts'
import { writeMessage } from '../../src/carriers/whatsapp/wire.ts'
import { checkMessage } from '../../src/emulators/whatsapp/check-message.ts'
import { checkTemplate } from '../../src/emulators/whatsapp/check-template.ts'
import { CloudFault } from '../../src/emulators/whatsapp/errors.ts'
import type { MediaKind } from '../../src/emulators/whatsapp/media.ts'
import { makeTemplateAdmin, type CloudTemplate } from '../../src/emulators/whatsapp/templates.ts'
import { fillTemplates } from '../../src/messaging/compose/whatsapp-fill.ts'
import { oneLine } from '../../src/messaging/compose/whatsapp-values.ts'
import { checkWhatsapp } from '../../src/templates/check-whatsapp.ts'
import type { WhatsappButton, WhatsappCard, WhatsappHeader, WhatsappTemplate } from '../../src/templates/schema.ts'
import { readPattern } from '../../src/values/placeholders.ts'
import type { Fault } from '../../src/values/refusal.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { fileIds, storeFiles } from '../support/stored-files.ts'

/**
 * What is validated locally is what Meta accepts, according to the emulator, which is written from Meta's documentation:
 * any template, any values for it, right or wrong. A failure prints its seed and path; `fc.assert` takes them.
 */
const RUNS = { numRuns: 3_000 }

type Case = { template: Record<string, unknown>; whatsapp: WhatsappTemplate; substitutions: Record<string, string> }

let database: TestDatabase
let files: Awaited<ReturnType<typeof storeFiles>>

beforeAll(async () => {
  database = await freshDatabase()
  files = await storeFiles(database.db, ORGANISATION)
})
afterAll(() => database.drop())

test('a template message is refused locally if and only if the Cloud API would refuse it', async () => {
  const seen = { accepted: 0, refused: 0, with_file: 0 }
  await fc.assert(
    fc.asyncProperty(cases(), async ({ template, whatsapp, substitutions }) => {
      const known = approved(template)
      const local = await compose(known, whatsapp, substitutions)
      const reason = refusalOf(known, naiveMessage(known, whatsapp, substitutions))
      const composed = local.faults.length === 0 ? refusalOf(known, local.message) : 'not composed'
      const [first] = local.faults.map(({ message }) => message)
      expect({ local: first !== undefined, first, reason, composed }).toEqual({
        local: reason !== undefined,
        first,
        reason,
        composed: reason === undefined ? undefined : 'not composed',
      })
      seen[reason === undefined ? 'accepted' : 'refused'] += 1
      if (reason === undefined && JSON.stringify(whatsapp).includes('"id"')) seen.with_file += 1
    }),
    RUNS,
  )
  // The generator reaches both answers often enough to mean something.
  expect(seen.accepted).toBeGreaterThan(RUNS.numRuns / 20)
  expect(seen.refused).toBeGreaterThan(RUNS.numRuns / 20)
  expect(seen.with_file).toBeGreaterThan(RUNS.numRuns / 20)
})

/** The template as the emulator lists it once it is approved. */
function approved(template: Record<string, unknown>): CloudTemplate {
  checkTemplate(template)
  const list: CloudTemplate[] = []
  const made = makeTemplateAdmin(
    () => list,
    () => {},
  ).create(template)
  return { ...made, status: 'APPROVED' }
}

const TO = '2348031234567'
const ORGANISATION = '01890000-0000-7000-8000-000000000000'

async function compose(known: CloudTemplate, whatsapp: WhatsappTemplate, substitutions: Record<string, string>) {
  const faults: Fault[] = []
  const content = `x ${whatsapp.parameters.map((name) => `{{${name}}}`).join(' ')}`
  checkWhatsapp(whatsapp, content, faults)
  const rules: Pick<WhatsappRules, 'carrierOf' | 'findTemplates'> = {
    carrierOf: () => 'meta',
    findTemplates: async () => [{ ...readShape(known), language: known.language, status: known.status }],
  }
  const values = new Map([[TO, { field: 'personalisation[0]', substitutions }]])
  const source = { content, whatsapp, personal: { pattern: readPattern(content), values } }
  const page_form = { gsm: 160, gsm_part: 153, ucs2: 70, ucs2_part: 67 } as never
  const priced = [
    { recipient: TO, charge: 1n, price_rule_id: null, pages: 1, route: 'whatsapp', page_form, promotional: false },
  ]
  const [filled] = await fillTemplates(
    { db: database.db, whatsapp: rules, organisation_id: ORGANISATION },
    whatsapp,
    source,
    priced,
    {
      faults,
      most_faults: 100,
    },
  )
  const about = {
    organisation_id: ORGANISATION,
    message_id: ORGANISATION,
    recipient: TO,
    channel: 'whatsapp' as const,
    sender_id: null,
  }
  const message = { ...about, text: content, expires_in_s: null, attempt: 1, urgent: false }
  const outgoing = { ...message, ...(filled?.whatsapp ? { whatsapp: filled.whatsapp } : {}) }
  const written = writeMessage(outgoing, undefined, files.at_meta)
  return { faults, message: JSON.parse(written) as unknown }
}

function refusalOf(known: CloudTemplate, message: unknown): string | undefined {
  try {
    checkMessage({ templates: [known], media: files.media }, message)
    return undefined
  } catch (fault) {
    if (fault instanceof CloudFault) return `${fault.code} ${fault.details}`
    throw fault
  }
}

/** The message that says just what `whatsapp` says, whether or not the template takes it. */
function naiveMessage(
  known: CloudTemplate,
  whatsapp: WhatsappTemplate,
  substitutions: Record<string, string>,
): unknown {
  const fill = (value: string) => value.replace(/\{\{([^{}]+)\}\}/g, (_, name: string) => substitutions[name] ?? '')
  const { names } = readShape(known).body
  const given = whatsapp.parameters.map((name, n) => ({
    name: whatsapp.parameter_names?.[n] ?? names[n],
    text: oneLine(substitutions[name] ?? ''),
  }))
  const sorted = names.flatMap((name) => given.filter((one) => one.name === name))
  const body = sorted.length === given.length ? sorted : given
  const is_code = known.category === 'AUTHENTICATION'
  return {
    messaging_product: 'whatsapp',
    to: TO,
    type: 'template',
    template: {
      name: known.name,
      language: { code: known.language },
      components: [
        ...headerOf(whatsapp.header, fill, readShape(known).header),
        ...bodyOf(body, names),
        ...(is_code
          ? [{ type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: body[0]?.text }] }]
          : []),
        ...buttonsOf(whatsapp.buttons, fill),
        ...(whatsapp.cards
          ? [{ type: 'carousel', cards: whatsapp.cards.map((card, n) => cardOf(card, n, fill)) }]
          : []),
      ],
    },
  }
}

type FillIn = (value: string) => string

function bodyOf(values: readonly { name: string | undefined; text: string }[], names: readonly string[]): object[] {
  if (values.length === 0) return []
  const named = names.some((name) => !/^\d+$/.test(name))
  return [
    {
      type: 'body',
      parameters: values.map(({ name, text }) => ({ type: 'text', ...(named ? { parameter_name: name } : {}), text })),
    },
  ]
}

function headerOf(header: WhatsappHeader | undefined, fill: FillIn, shape: unknown): object[] {
  const [[format, value] = []] = Object.entries(header ?? {})
  if (format === undefined || value === undefined) return []
  if (typeof value === 'string') {
    const [name] = (shape as { names?: string[] } | undefined)?.names ?? []
    const parameter_name = name !== undefined && !/^\d+$/.test(name) ? { parameter_name: name } : {}
    return [{ type: 'header', parameters: [{ type: 'text', ...parameter_name, text: oneLine(fill(value)) }] }]
  }
  const filled = Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, key === 'id' ? idAtMeta(fill(one)) : fill(one)]),
  )
  return [{ type: 'header', parameters: [{ type: format, [format]: filled }] }]
}

/** The id at the emulator of a file of ours, if it is there. */
function idAtMeta(id: string): string {
  return files.at_meta.get(id.toLowerCase())?.id ?? id
}

function buttonsOf(buttons: readonly WhatsappButton[] = [], fill: FillIn): object[] {
  return buttons.map(({ index, url, payload, code }) => {
    const [sub_type, parameter] =
      url !== undefined
        ? ['url', { type: 'text', text: fill(url) }]
        : payload !== undefined
          ? ['quick_reply', { type: 'payload', payload: fill(payload) }]
          : ['copy_code', { type: 'coupon_code', coupon_code: fill(code ?? '') }]
    return { type: 'button', sub_type, index: String(index), parameters: [parameter] }
  })
}

function cardOf({ header, texts = [], buttons }: WhatsappCard, card_index: number, fill: FillIn): object {
  const parameters = texts.map((text) => ({ type: 'text', text: oneLine(fill(text)) }))
  const body = parameters.length > 0 ? [{ type: 'body', parameters }] : []
  return { card_index, components: [...headerOf(header, fill, undefined), ...body, ...buttonsOf(buttons, fill)] }
}

/** A template that Meta approves, and values for it: right ones that may be replaced by wrong ones. */
function cases(): fc.Arbitrary<Case> {
  return fc
    .tuple(templates(), fc.boolean())
    .chain(([template, by_id]) => valuesFor(template, by_id).map((rest) => ({ template, ...rest })))
}

const words = (most: number) =>
  fc.string({ unit: fc.constantFrom('a', 'é', ' ', '1'), maxLength: most }).map((text) => `x${text}x`.slice(0, most))

function templates(): fc.Arbitrary<Record<string, unknown>> {
  const authentication = fc.constantFrom('COPY_CODE', 'ONE_TAP', 'ZERO_TAP').map((otp_type) => {
    const apps = { supported_apps: [{ package_name: 'com.example', signature_hash: 'K8a/AINcGX7' }] }
    const button = { type: 'OTP', otp_type, ...(otp_type === 'COPY_CODE' ? {} : apps), zero_tap_terms_accepted: true }
    return {
      category: 'AUTHENTICATION',
      components: [
        { type: 'BODY', add_security_recommendation: true },
        { type: 'BUTTONS', buttons: [button] },
      ],
    }
  })
  const usual = fc
    .record({ named: fc.boolean(), header: headers(), names: fc.nat(3), body: words(900), buttons: buttonLists() })
    .map(({ named, header, names, body, buttons }) => ({
      category: 'UTILITY',
      ...(named ? { parameter_format: 'NAMED' } : {}),
      components: [
        ...(header ? [named ? namedHeader(header) : header] : []),
        writeBody(body, names, named),
        ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons }] : []),
      ],
    }))
  const carousel = fc
    .record({
      cards: fc.integer({ min: 2, max: 3 }),
      format: fc.constantFrom('IMAGE', 'VIDEO'),
      names: fc.nat(2),
      text: fc.option(words(150), { nil: undefined }),
      buttons: buttonLists(2),
    })
    .map(({ cards, format, names, text, buttons }) => ({
      category: 'MARKETING',
      components: [
        writeBody('Look here', names, false),
        {
          type: 'CAROUSEL',
          cards: Array.from({ length: cards }, () => ({
            components: [
              { type: 'HEADER', format, example: { header_handle: ['4::aW'] } },
              ...(text === undefined ? [] : [writeBody(text.slice(0, 130), names, false)]),
              ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons }] : []),
            ],
          })),
        },
      ],
    }))
  const named = { name: 'some_template', language: 'en' }
  return fc
    .oneof(
      { weight: 1, arbitrary: authentication },
      { weight: 4, arbitrary: usual },
      { weight: 3, arbitrary: carousel },
    )
    .map((one) => ({ ...named, ...one }))
}

function writeBody(text: string, names: number, named: boolean): object {
  const all = Array.from({ length: names }, (_, n) => (named ? `name_${n}` : String(n + 1)))
  const variables = all.map((name) => `{{${name}}}`).join(' and ')
  const example = named
    ? { body_text_named_params: all.map((param_name) => ({ param_name, example: 'Ada' })) }
    : { body_text: [all.map(() => 'Ada')] }
  return { type: 'BODY', text: `${text} ${variables} end`, ...(names > 0 ? { example } : {}) }
}

type HeaderComponent = { type: string; format: string; text?: string; example?: object }

function headers(): fc.Arbitrary<HeaderComponent | undefined> {
  const media = fc
    .constantFrom('IMAGE', 'VIDEO', 'DOCUMENT')
    .map((format) => ({ type: 'HEADER', format, example: { header_handle: ['4::aW'] } }))
  const plain: HeaderComponent = { type: 'HEADER', format: 'TEXT', text: 'News' }
  const filled: HeaderComponent = {
    type: 'HEADER',
    format: 'TEXT',
    text: 'News for {{1}}',
    example: { header_text: ['Ada'] },
  }
  return fc.oneof(fc.constantFrom(undefined, plain, filled, { type: 'HEADER', format: 'LOCATION' }), media)
}

function namedHeader(header: HeaderComponent): HeaderComponent {
  if (!header.text?.includes('{{')) return header
  return {
    ...header,
    text: 'News for {{who}}',
    example: { header_text_named_params: [{ param_name: 'who', example: 'Ada' }] },
  }
}

function buttonLists(most = 4): fc.Arbitrary<Record<string, unknown>[]> {
  const replies = fc.array(fc.constant({ type: 'QUICK_REPLY', text: 'Yes' }), { maxLength: 2 })
  const url = fc.constantFrom(
    { type: 'URL', text: 'Open', url: 'https://shop.example/{{1}}', example: ['https://shop.example/1'] },
    { type: 'URL', text: 'Open', url: 'https://shop.example/' },
  )
  const others = fc.record({
    urls: fc.array(url, { maxLength: 2 }),
    code: fc.boolean(),
    phone: fc.boolean(),
  })
  return fc
    .tuple(replies, others)
    .map(([quick, { urls, code, phone }]) =>
      [
        ...quick,
        ...urls,
        ...(code ? [{ type: 'COPY_CODE', example: 'SPRING' }] : []),
        ...(phone ? [{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+15550783881' }] : []),
      ].slice(0, most),
    )
}

/** Values of a length at or beside a limit, or with characters that a parameter must not have. */
const value = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('Ada', '1042', 'abc/def', 'x'.repeat(15)) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(0, 1, 16, 51, 52, 60, 61, 128, 129, 160, 161, 1_000, 1_024)
      .map((length) => 'x'.repeat(length)),
  },
  { weight: 1, arbitrary: fc.constantFrom('two\nlines', 'a     b', 'with a space', '\t', 'é'.repeat(14)) },
)
const link = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('https://files.example/a.jpg', 'https://files.example/b?c=d') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'files.example',
      'https://with a.space/',
      'ftp://files.example/',
      `https://a.example/${'x'.repeat(2_000)}`,
    ),
  },
)
const degrees = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('6.4281', '-90', '0') },
  { weight: 1, arbitrary: fc.constantFrom('', 'north', '90.5', '-181', '180') },
)

/** Draws values, as literals or as placeholders with a substitution. */
function makeDraw() {
  const substitutions: fc.Arbitrary<[string, string]>[] = []
  const draw = (of: fc.Arbitrary<string>): string => {
    const name = `v${substitutions.length}`
    substitutions.push(of.map((one): [string, string] => [name, one]))
    return `{{${name}}}`
  }
  return { draw, substitutions }
}

/** `by_id`: files are named by their ids, otherwise by links. */
function valuesFor(template: Record<string, unknown>, by_id: boolean): fc.Arbitrary<Omit<Case, 'template'>> {
  const shape = readShape({ category: String(template.category), components: template.components })
  const { draw, substitutions } = makeDraw()
  const file = (kind: MediaKind) => (by_id ? { id: draw(fileIds(kind)) } : { link: draw(link) })
  const header = (format: string | undefined): WhatsappHeader | undefined => {
    switch (format) {
      case undefined:
        return undefined
      case 'text':
        return { text: draw(value) }
      case 'location':
        return { location: { latitude: draw(degrees), longitude: draw(degrees), name: draw(value) } }
      case 'document':
        return { document: { ...file('document'), filename: draw(value) } }
      case 'image':
        return { image: file('image') }
      default:
        return { video: file('video') }
    }
  }
  const formatOf = (part: typeof shape | (typeof shape.cards)[number]): string | undefined =>
    part.header?.format === 'text' && part.header.names.length === 0 ? undefined : part.header?.format
  const button = (takes: string, index: number): WhatsappButton[] => {
    if (takes === 'url') return [{ index, url: draw(value) }]
    if (takes === 'payload') return [{ index, payload: draw(value) }]
    return takes === 'code' ? [{ index, code: draw(value) }] : []
  }
  const part = (one: typeof shape | (typeof shape.cards)[number]) => {
    const made = header(formatOf(one))
    const buttons = one.buttons.flatMap(({ takes }, index) => button(takes, index))
    return { ...(made ? { header: made } : {}), ...(buttons.length > 0 ? { buttons } : {}) }
  }
  const parameters = shape.body.names.map(() => draw(value).slice(2, -2))
  const right: WhatsappTemplate = {
    name: 'some_template',
    language: 'en',
    parameters,
    ...part(shape),
    ...(shape.cards.length > 0
      ? {
          cards: shape.cards.map((card) => {
            const texts = card.body.names.map(() => draw(value))
            return { ...part(card), ...(texts.length > 0 ? { texts } : {}) }
          }),
        }
      : {}),
  }
  const spare = draw(value)
  return fc
    .record({
      wrong: fc.oneof(
        { weight: 3, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constantFrom(...MISTAKES) },
      ),
      pairs: fc.tuple(...substitutions),
    })
    .map(({ wrong, pairs }) => ({
      whatsapp: wrong ? wrong(right, spare) : right,
      substitutions: Object.fromEntries(pairs),
    }))
}

/** Mistakes in the structure of the values; some are none for some templates. */
const MISTAKES: ((right: WhatsappTemplate, spare: string) => WhatsappTemplate)[] = [
  ({ header: _gone, ...rest }) => rest,
  (right, spare) => ({ ...right, header: { text: spare } }),
  (right) => ({ ...right, header: { image: { link: 'https://files.example/a.jpg' } } }),
  (right, spare) => ({ ...right, header: { image: { id: spare, link: 'https://files.example/a.jpg' } } }),
  (right) => ({ ...right, header: { image: {} } }),
  (right) => ({ ...right, header: { location: { latitude: '1', longitude: '2' } } }),
  (right, spare) => ({ ...right, parameters: [...right.parameters, spare.slice(2, -2)] }),
  (right) => ({ ...right, parameters: right.parameters.slice(1) }),
  ({ buttons = [], ...rest }) => ({ ...rest, buttons: buttons.slice(1) }),
  ({ buttons = [], ...rest }) => ({ ...rest, buttons: [...buttons, { index: 0, payload: 'twice' }] }),
  ({ buttons = [], ...rest }) => ({ ...rest, buttons: [...buttons, { index: 9, url: 'beyond' }] }),
  ({ buttons = [], ...rest }) => ({ ...rest, buttons: buttons.map(({ index }) => ({ index, code: 'SPRING' })) }),
  ({ cards, ...rest }) => ({ ...rest, ...(cards ? { cards: cards.slice(1) } : {}) }),
  ({ cards, ...rest }) => ({ ...rest, ...(cards ? { cards: cards.map(({ header: _gone, ...card }) => card) } : {}) }),
  (right) => ({ ...right, cards: [...(right.cards ?? []), {}] }),
]
