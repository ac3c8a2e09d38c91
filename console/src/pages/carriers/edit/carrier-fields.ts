import type { Answers } from '../../../answers.ts'
import { number, t } from '../../../text/text.ts'
import type { Choice } from '../../../ui/select/choice.ts'
import { isSettings, valueAt, type Settings } from './settings.ts'

export const KINDS = [
  { value: 'smpp', label: 'SMPP' },
  { value: 'http', label: t('HTTP vendor') },
  { value: 'whatsapp_cloud', label: t('WhatsApp Cloud API') },
  { value: 'phone', label: t('Android phones') },
  { value: 'simulator', label: t('Simulator') },
]

/** A field of a carrier. `switch` is an object that is there or not, with the fields `within` it. */
export type CarrierField = {
  path: string
  label: string
  form: 'text' | 'number' | 'secret' | 'check' | 'country' | 'choice' | 'switch'
  hint?: string
  /** The value that applies if it is left empty. */
  placeholder?: string
  optional?: boolean
  /** The default first. */
  choices?: readonly Choice[]
  within?: string
}

/** A list of texts (one column without a path) or of objects. */
export type CarrierList = {
  path: string
  legend: string
  hint?: string
  add: string
  remove: (n: number) => string
  most: number
  columns: readonly CarrierField[]
}

export type CarrierSection = { legend: string; fields: readonly CarrierField[] }
export type Preset = Answers['GET /console/api/configuration/presets']['presets'][number]

const text = (path: string, label: string, more: Partial<CarrierField> = {}): CarrierField => ({
  path,
  label,
  form: 'text',
  ...more,
})
/** A number, with its default. */
const amount = (path: string, label: string, fallback?: number, more: Partial<CarrierField> = {}): CarrierField => ({
  path,
  label,
  form: 'number',
  ...(fallback === undefined ? { optional: true } : { placeholder: number(fallback, { useGrouping: false }) }),
  ...more,
})
const choice = (path: string, label: string, choices: readonly Choice[], hint?: string): CarrierField => ({
  path,
  label,
  form: 'choice',
  choices,
  ...(hint === undefined ? {} : { hint }),
})
const same = (...values: string[]): Choice[] => values.map((value) => ({ value, label: value }))

const COUNTRY: CarrierField = {
  path: 'country',
  label: t('Country of national numbers'),
  form: 'country',
  hint: t('Of numbers that the carrier sends without a country code.'),
}
const REPORT_DUE = amount('report_due_h', t('Report due (hours)'), 72, {
  hint: t('A message without a report is unknown after this time.'),
})

const NO_LIMIT = { optional: false, hint: t('Empty: no limit.') }

const SMPP: readonly CarrierSection[] = [
  {
    legend: t('Connection'),
    fields: [
      text('host', t('Host')),
      amount('port', t('Port'), undefined, { optional: false }),
      text('system_id', 'system_id', { hint: t('The account at the carrier.') }),
      { path: 'password', label: t('Password'), form: 'secret' },
      text('system_type', 'system_type', { optional: true }),
      amount('interface_version', t('Version'), 52, { hint: t('52 is SMPP 3.4, 51 is 3.3, 80 is 5.0.') }),
      choice('mode', t('Connections'), [
        { value: 'transceiver', label: t('Transceiver') },
        { value: 'pair', label: t('Transmitter and receiver') },
      ]),
      text('address_range', 'address_range', { optional: true }),
      text('local_address', t('Local address'), { optional: true, hint: t('The address that we connect from.') }),
    ],
  },
  {
    legend: t('Encryption'),
    fields: [
      { path: 'tls', label: t('Connect over TLS'), form: 'switch' },
      text('tls.ca_file', t('File of the CA'), { optional: true, within: 'tls' }),
      text('tls.cert_file', t('File of our certificate'), { optional: true, within: 'tls' }),
      text('tls.key_file', t('File of our key'), { optional: true, within: 'tls' }),
      text('tls.servername', t('Name on the certificate'), { optional: true, within: 'tls' }),
      { path: 'tls.insecure', label: t('Do not verify the certificate'), form: 'check', within: 'tls' },
    ],
  },
  {
    legend: t('Throughput'),
    fields: [
      amount('binds', t('Binds'), 1),
      amount('window', t('Window of a bind'), 10, { hint: t('Requests without an answer.') }),
      amount('rate_per_bind', t('Segments per second and bind'), undefined, NO_LIMIT),
      amount('rate_per_account', t('Segments per second in all'), undefined, NO_LIMIT),
      amount('enquire_every_s', t('enquire_link after (seconds)'), 30),
      amount('response_timeout_s', t('Response timeout (seconds)'), 60),
      amount('reconnect_after_s', t('Reconnect after (seconds)'), 1),
    ],
  },
  {
    legend: t('Messages'),
    fields: [
      choice('profile.alphabet', t('Default alphabet'), same('gsm7', 'latin1', 'ascii', 'gsm7-packed')),
      choice('profile.long', t('Long texts'), same('udh8', 'udh16', 'sar', 'payload')),
      choice('msg_id_mode', t('Message ids in reports'), same('auto', 'raw', 'resp_hex_dlr_dec', 'resp_dec_dlr_hex')),
      text('profile.service_type', 'service_type', { optional: true }),
      amount('profile.otp_priority', t('Priority of one-time passwords'), 1),
      amount('profile.validity_h', t('Validity (hours)'), undefined, {
        hint: t('How long the carrier tries to deliver.'),
      }),
      REPORT_DUE,
      COUNTRY,
    ],
  },
]

const HTTP_LIMITS: CarrierSection = {
  legend: t('Limits'),
  fields: [
    amount('rate_per_s', t('Messages per second')),
    amount('connections', t('Concurrent requests')),
    amount('recipients', t('Messages in one request')),
    amount('timeout_ms', t('Response timeout (milliseconds)')),
    amount('report_due_h', t('Report due (hours)')),
    amount('low_balance', t('Warn below this balance')),
    COUNTRY,
    {
      path: 'feedback',
      label: t('Report verified one-time passwords to the vendor'),
      form: 'check',
    },
  ],
}

const WHATSAPP: readonly CarrierSection[] = [
  {
    legend: t('Business account'),
    fields: [
      text('waba_id', t('Id of the business account')),
      text('phone_number_id', t('Id of the phone number'), { optional: true }),
      text('digits', t('Phone number'), { optional: true, hint: t('With the country code, digits only.') }),
      { path: 'access_token', label: t('Access token'), form: 'secret' },
      { path: 'verify_token', label: t('Verify token'), form: 'secret' },
      text('app_id', t('Id of the app'), { optional: true, hint: t('For sample files of templates.') }),
    ],
  },
  {
    legend: t('Messages'),
    fields: [
      text('otp_template.name', t('Template of one-time passwords'), { optional: true }),
      text('otp_template.language', t('Language of the template'), { placeholder: 'en' }),
      amount('rate_per_s', t('Messages per second of a number'), 80),
      amount('timeout_ms', t('Response timeout (milliseconds)'), 30_000),
      amount('sync_minutes', t('Read templates every (minutes)'), 60),
      text('graph_version', t('Version of the Graph API'), { placeholder: 'v23.0' }),
      text('base_url', t('Address of the Graph API'), { placeholder: 'https://graph.facebook.com' }),
    ],
  },
]

const PHONE: readonly CarrierSection[] = [
  {
    legend: t('Pages of text per SIM'),
    fields: [
      amount('per_minute', t('In a minute'), 10),
      amount('per_hour', t('In an hour'), 100),
      amount('per_day', t('In a day'), 500),
      amount('in_flight_per_sim', t('Messages in flight'), 5),
    ],
  },
  {
    legend: t('Times'),
    fields: [
      amount('silent_after_s', t('Phone skipped after silence of (seconds)'), 180),
      amount('take_within_s', t('Message fetched within (seconds)'), 20),
      amount('answer_within_s', t('Message answered within (seconds)'), 60),
      amount('valid_for_s', t('Message sent within (seconds)'), 900),
      REPORT_DUE,
    ],
  },
  {
    legend: t('Probes'),
    fields: [
      {
        path: 'probe',
        label: t('These phones receive probes'),
        form: 'check',
        hint: t('Their texts never become inbound messages, and no route may name the carrier.'),
      },
    ],
  },
]

const SIMULATOR: readonly CarrierSection[] = [
  {
    legend: t('Virtual phones'),
    fields: [
      amount('report_delay_ms', t('Reports after (milliseconds)'), 300),
      { path: 'whatsapp_window', label: t('WhatsApp’s 24-hour window applies'), form: 'check' },
    ],
  },
]

const LISTS: Readonly<Record<string, readonly CarrierList[]>> = {
  http: [
    {
      path: 'networks',
      legend: t('Networks that its requests come from'),
      hint: t('Such as 192.0.2.0/24. Empty: from everywhere.'),
      add: t('Add a network'),
      remove: (n) => t('Remove network {n}', { n }),
      most: 100,
      columns: [text('', t('Network||of IP addresses'))],
    },
  ],
  whatsapp_cloud: [
    {
      path: 'app_secrets',
      legend: t('App secrets'),
      hint: t('What Meta signs its requests with; several while the secret is changed.'),
      add: t('Add a secret'),
      remove: (n) => t('Remove secret {n}', { n }),
      most: 10,
      columns: [{ path: '', label: t('App secret'), form: 'secret' }],
    },
    {
      path: 'numbers',
      legend: t('Further numbers'),
      hint: t('For organisations that have their own.'),
      add: t('Add a number'),
      remove: (n) => t('Remove number {n}', { n }),
      most: 200,
      columns: [
        text('phone_number_id', t('Id of the phone number')),
        text('digits', t('Phone number')),
        amount('rate_per_s', t('Messages per second')),
      ],
    },
  ],
  phone: [
    {
      path: 'numbers',
      legend: t('Numbers of its SIMs'),
      hint: t('Probes are sent to them. The operator is that of the prefix unless it is named.'),
      add: t('Add a number'),
      remove: (n) => t('Remove number {n}', { n }),
      most: 50,
      columns: [
        text('number', t('Phone number')),
        text('operator', t('Operator||a mobile network'), { optional: true }),
      ],
    },
  ],
}

/** The fields of a carrier of this kind. Those of an HTTP vendor are those that its preset asks for. */
export function sectionsOf(kind: string, preset: Preset | undefined, base: Settings): readonly CarrierSection[] {
  switch (kind) {
    case 'smpp':
      return SMPP
    case 'http':
      return [...vendorSections(preset, base), HTTP_LIMITS]
    case 'whatsapp_cloud':
      return WHATSAPP
    case 'phone':
      return PHONE
    default:
      return SIMULATOR
  }
}

export function listsOf(kind: string): readonly CarrierList[] {
  return LISTS[kind] ?? []
}

/** Of a vendor that is described by a file of the operator only the stored names are known. */
function vendorSections(preset: Preset | undefined, base: Settings): CarrierSection[] {
  const names = (path: string) => Object.keys(asSettings(valueAt(base, path)))
  const credentials =
    preset?.credentials ?? names('credentials').map((name) => ({ name, about: '', is_optional: false }))
  const options = preset?.options ?? names('options').map((name) => ({ name, value: '' }))
  const sections: CarrierSection[] = [
    {
      legend: t('Credentials'),
      fields: credentials.map(({ name, about, is_optional }) => ({
        path: `credentials.${name}`,
        label: name,
        form: 'secret',
        hint: about,
        optional: is_optional,
      })),
    },
    {
      legend: t('Options'),
      fields: options.map(({ name, value }) => text(`options.${name}`, name, { placeholder: value })),
    },
  ]
  return sections.filter(({ fields }) => fields.length > 0)
}

function asSettings(value: unknown): Settings {
  return isSettings(value) ? value : {}
}
