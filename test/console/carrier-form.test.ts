import { describe, expect, test } from 'vitest'
import {
  carrierDraft,
  carrierSettings,
  type CarrierDraft,
} from '../../console/src/pages/carriers/edit/carrier-draft.ts'
import { listsOf, sectionsOf, type CarrierField } from '../../console/src/pages/carriers/edit/carrier-fields.ts'
import { CarrierSettings } from '../../src/config/settings.ts'
import { listPresets } from '../../src/carriers/http/preset/list.ts'
import { SECRET_FIELDS } from '../../src/live-config/secrets.ts'

const presets = listPresets()
const termii = presets.find(({ name }) => name === 'termii')

/** Settings with something in every field, and with secrets as the service answers them. */
const FULL = {
  smpp: {
    kind: 'smpp',
    name: 'mtn',
    host: 'smpp.example.com',
    port: 2775,
    system_id: 'gangan',
    password: '<secret password>',
    mode: 'pair',
    interface_version: 51,
    tls: { ca_file: '/etc/ca.pem', insecure: true },
    binds: [{ host: 'one.example.com' }, { password: '<secret binds.1.password>' }],
    window: 20,
    rate_per_bind: 12.5,
    msg_id_mode: 'raw',
    profile: {
      alphabet: 'latin1',
      validity_h: 0.5,
      recipient: { ton: 2, npi: 1 },
      errors: { '0x40b': { kind: 'elsewhere' } },
    },
  },
  http: {
    kind: 'http',
    name: 'termii',
    preset: 'termii',
    credentials: { api_key: '<secret credentials.api_key>', secret_key: '<secret credentials.secret_key>' },
    options: { channel: 'dnd' },
    country: 'NG',
    feedback: true,
    networks: ['192.0.2.0/24', '198.51.100.7'],
  },
  whatsapp_cloud: {
    kind: 'whatsapp_cloud',
    name: 'whatsapp',
    phone_number_id: '106540352242922',
    waba_id: '102290129340398',
    access_token: '<secret access_token>',
    app_secrets: ['<secret app_secrets.0>', '<secret app_secrets.1>'],
    verify_token: '<secret verify_token>',
    numbers: [{ phone_number_id: '106540352242923', digits: '15550783882', rate_per_s: 20 }],
    otp_template: { name: 'login_code', language: 'fr' },
  },
  phone: {
    kind: 'phone',
    name: 'phones',
    per_minute: 5,
    probe: true,
    numbers: [{ number: '2348031234567', operator: 'MTN' }, { number: '2348051234567' }],
  },
  simulator: { kind: 'simulator', name: 'simulator', report_delay_ms: 20, whatsapp_window: true },
}
const kinds = Object.entries(FULL)

test.each(kinds)('a carrier of kind %s is unchanged by its form', (_kind, settings) => {
  expect(carrierSettings(carrierDraft(settings), settings, termii)).toEqual(settings)
})

/** What only JSON has, by kind; `file` is the preset of an operator. */
const ONLY_JSON: Readonly<Record<string, readonly string[]>> = {
  smpp: [
    'profile.recipient',
    'profile.sender_name',
    'profile.sender_number',
    'profile.sender_short_code',
    'profile.errors',
  ],
  http: ['file'],
}
/** Their names come from the preset. */
const OF_PRESET = ['credentials', 'options']

type Property = {
  properties?: Record<string, Property>
  patternProperties?: object
  default?: unknown
  enum?: readonly string[]
  type?: string
  anyOf?: unknown
}

/** Every property by its path, those of objects separately. */
function properties(shape: Property, prefix = ''): [string, Property][] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, own]): [string, Property][] => {
    const path = `${prefix}${name}`
    if (own.properties && Object.keys(own.properties).join() !== 'ton,npi') return properties(own, `${path}.`)
    return [[path, own]]
  })
}

describe.each(kinds)('the form of kind %s', (kind, settings) => {
  const shape = CarrierSettings.anyOf.find(({ properties: { kind: own } }) => own.const === kind)
  const fields = sectionsOf(kind, termii, settings).flatMap((section): readonly CarrierField[] => section.fields)
  const known = properties(shape as Property)

  test('has every setting of the schema', () => {
    const paths = [...fields, ...listsOf(kind)].map(({ path }) => path)
    const left = known
      .map(([path]) => path)
      .filter((path) => !['kind', 'name', 'preset'].includes(path))
      .filter((path) => !paths.includes(path) && !OF_PRESET.includes(path))
    expect(left).toEqual(ONLY_JSON[kind] ?? [])
  })

  test('offers the values and shows the defaults of the schema', () => {
    const shown = new Map(fields.map((field) => [field.path, field]))
    const wrong = known.flatMap(([path, { enum: values, default: fallback }]) => {
      const field = shown.get(path)
      if (!field) return []
      if (values) {
        const offered = field.choices?.map(({ value }) => value) ?? []
        return offered[0] === fallback && offered.toSorted().join() === values.toSorted().join() ? [] : [path]
      }
      const is_shown = typeof fallback !== 'number' || field.placeholder === String(fallback)
      return is_shown ? [] : [path]
    })
    expect(wrong).toEqual([])
  })

  test('has a field that is not readable for each secret', () => {
    const secrets = [
      ...fields,
      ...listsOf(kind).flatMap(({ path, columns }) => columns.map((own) => ({ ...own, path: `${path}.*` }))),
    ]
      .filter(({ form }) => form === 'secret')
      .map(({ path }) => path.replace(/^credentials\..*/, 'credentials.*'))
    const sealed = SECRET_FIELDS[kind]?.filter((path) => !path.startsWith('binds.')) ?? []
    expect([...new Set(secrets)].toSorted()).toEqual([...sealed].toSorted())
  })
})

describe('what is typed', () => {
  const draft = carrierDraft({})
  const typed = (values: CarrierDraft['values']) => ({ ...draft, name: 'glo', values: { ...draft.values, ...values } })

  test('becomes numbers where it is one; anything else is for the service to refuse', () => {
    const settings = carrierSettings(typed({ host: ' smpp.example.com ', port: '2775', window: 'ten' }), {}, undefined)
    expect(settings).toEqual({ kind: 'smpp', name: 'glo', host: 'smpp.example.com', port: 2775, window: 'ten' })
  })

  test('switches TLS on without any file, and off with all of them', () => {
    const on = carrierSettings(typed({ tls: 'true' }), {}, undefined)
    expect(on.tls).toEqual({})
    const base = { ...FULL.smpp }
    const off = carrierDraft(base)
    expect(carrierSettings({ ...off, values: { ...off.values, tls: '' } }, base, undefined)).not.toHaveProperty('tls')
  })

  test('is of the vendor that is chosen: another one has other credentials', () => {
    const base = FULL.http
    const twilio = presets.find(({ name }) => name === 'twilio')
    const other = { ...carrierDraft(base), preset: 'twilio' }
    const { secret } = other
    const settings = carrierSettings(
      { ...other, secret: { ...secret, values: { ...secret.values, 'credentials.auth_token': 'new' } } },
      base,
      twilio,
    )
    expect(settings).toMatchObject({ preset: 'twilio', credentials: { auth_token: 'new' } })
    expect(settings.credentials).not.toHaveProperty('api_key')
    expect(settings).not.toHaveProperty('options')
  })
})
