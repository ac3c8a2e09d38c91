import { Type, type Static } from '../values/schema/type.ts'
import { AirtimeSettings } from '../airtime/settings.ts'
import { CallbackSettings } from '../callbacks/schema.ts'
import { WebhookSettings } from '../callbacks/webhooks/schema.ts'
import { HttpSettings } from '../carriers/http/schema.ts'
import { PhoneSettings } from '../carriers/phone/schema.ts'
import { SimulatorSettings } from '../carriers/simulator/schema.ts'
import { SmppSettings } from '../carriers/smpp/schema.ts'
import { WhatsappAccount, type WhatsappSettings } from '../carriers/whatsapp/schema.ts'
import { BackupSettings } from '../db/backup/settings.ts'
import { LookupSettings } from '../lookup/schema.ts'
import { MediaSettings } from '../media/schema.ts'
import { DndSetting, IntakeSettings, PriceSettings, RouteSettings } from '../messaging/settings.ts'
import { OtpSettings } from '../otp/schema.ts'
import { OrganisationSettings } from '../organisations/schema.ts'
import { SmppServerSettings } from '../smpp-server/settings.ts'
import { SignInSettings } from '../sign-in/settings.ts'
import { SessionSettings } from '../users/settings.ts'

export const CarrierSettings = Type.Union([
  SimulatorSettings,
  SmppSettings,
  WhatsappAccount,
  HttpSettings,
  PhoneSettings,
])
/** A carrier of the service: an account at WhatsApp is a carrier for each of its numbers. */
export type CarrierSettings = Exclude<Static<typeof CarrierSettings>, WhatsappAccount> | WhatsappSettings

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const

/** The configuration file. `gangan.example.yaml` shows every key with a sentence; a test holds it to this shape. */
export const Settings = Type.Object(
  {
    currency: Type.String({ pattern: '^[A-Z]{3}$', default: 'NGN' }),
    log_level: Type.Optional(Type.Unsafe<(typeof LOG_LEVELS)[number]>({ type: 'string', enum: [...LOG_LEVELS] })),
    public_url: Type.String({ pattern: '^(https?://[^\\s?#]+)?$', default: '' }),
    http: Type.Object(
      {
        express: Type.Boolean({ default: true }),
        drain_s: Type.Integer({ minimum: 0, maximum: 300, default: 0 }),
      },
      { additionalProperties: false, default: {} },
    ),
    console: SessionSettings,
    sign_in: SignInSettings,
    organisation: Type.Object(OrganisationSettings.properties, { additionalProperties: false, default: {} }),
    carriers: Type.Array(CarrierSettings, {
      maxItems: 100,
      default: [{ kind: 'simulator', name: 'simulator' }],
    }),
    routes: Type.Array(RouteSettings, {
      maxItems: 1_000,
      default: [
        { name: 'sms', channel: 'sms', carrier: 'simulator' },
        { name: 'whatsapp', channel: 'whatsapp', carrier: 'simulator' },
      ],
    }),
    prices: Type.Array(PriceSettings, {
      maxItems: 100_000,
      default: [
        { channel: 'sms', prefix: '234', price: 4 },
        { channel: 'sms', prefix: '', price: 35 },
        { channel: 'whatsapp', prefix: '234', price: 6 },
        { channel: 'whatsapp', prefix: '', price: 40 },
      ],
    }),
    smpp_server: Type.Optional(SmppServerSettings),
    intake: IntakeSettings,
    callbacks: CallbackSettings,
    webhooks: WebhookSettings,
    dnd: DndSetting,
    media: MediaSettings,
    otp: OtpSettings,
    airtime: AirtimeSettings,
    lookup: LookupSettings,
    cluster: Type.Object(
      { ask_nodes_directly: Type.Boolean({ default: true }) },
      { additionalProperties: false, default: {} },
    ),
    backups: Type.Optional(BackupSettings),
    retention: Type.Object(
      {
        // A message may wait 35 days for its time, and then for its report.
        messages_days: Type.Optional(Type.Integer({ minimum: 45, maximum: 3_650 })),
        texts_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_650 })),
        inbound_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_650 })),
        audit_days: Type.Optional(Type.Integer({ minimum: 30, maximum: 3_650 })),
        // An Idempotency-Key is guaranteed to be valid for a day.
        answers_days: Type.Integer({ minimum: 1, maximum: 30, default: 1 }),
        callbacks_days: Type.Integer({ minimum: 1, maximum: 3_650, default: 30 }),
        otps_days: Type.Integer({ minimum: 1, maximum: 3_650, default: 90 }),
        sandbox_days: Type.Integer({ minimum: 1, maximum: 3_650, default: 7 }),
        requests_days: Type.Integer({ minimum: 0, maximum: 30, default: 3 }),
        media_days: Type.Integer({ minimum: 1, maximum: 3_650, default: 90 }),
        imports_days: Type.Integer({ minimum: 1, maximum: 3_650, default: 30 }),
        activity_days: Type.Integer({ minimum: 31, maximum: 3_650, default: 62 }),
        // What is counted late is counted by the hour: a message may wait 35 days, and its report for three more.
        analytics_hours_days: Type.Integer({ minimum: 62, maximum: 3_650, default: 400 }),
        analytics_days: Type.Optional(Type.Integer({ minimum: 62, maximum: 36_500 })),
      },
      { additionalProperties: false, default: {} },
    ),
  },
  { additionalProperties: false },
)
/** As the file has them, with defaults. */
export type FileSettings = Static<typeof Settings>
export type Settings = Omit<FileSettings, 'carriers' | 'routes'> & {
  carriers: CarrierSettings[]
  routes: RouteSettings[]
}
