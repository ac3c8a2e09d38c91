import { Type, type Static, AnyName } from '../../values/schema/type.ts'
import { ID_MODES, type IdMode } from '../message-id.ts'

const oneOf = <T extends string>(values: readonly T[], fallback: T) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], default: fallback })
const octet = (fallback: number) => Type.Integer({ minimum: 0, maximum: 255, default: fallback })
const rate = Type.Optional(Type.Number({ minimum: 0.1, maximum: 100_000 }))
const seconds = (fallback: number) => Type.Number({ minimum: 0.1, maximum: 3_600, default: fallback })
const closed = { additionalProperties: false }
/** Type of number and numbering plan. */
const address = (ton: number, npi: number) =>
  Type.Object({ ton: octet(ton), npi: octet(npi) }, { ...closed, default: {} })

/** What a carrier wants to see in a message. */
const Profile = Type.Object(
  {
    alphabet: oneOf(['gsm7', 'latin1', 'ascii', 'gsm7-packed'], 'gsm7'),
    long: oneOf(['udh8', 'udh16', 'sar', 'payload'], 'udh8'),
    recipient: address(1, 1),
    sender_name: address(5, 0),
    sender_number: address(1, 1),
    sender_short_code: address(3, 0),
    service_type: Type.String({ maxLength: 5, default: '' }),
    validity_h: Type.Optional(Type.Number({ minimum: 0.02, maximum: 720 })),
    otp_priority: Type.Integer({ minimum: 0, maximum: 3, default: 1 }),
    errors: Type.Record(
      AnyName,
      Type.Object(
        {
          kind: oneOf(['rejected', 'temporary', 'elsewhere'], 'rejected'),
          description: Type.String({ maxLength: 200, default: '' }),
        },
        closed,
      ),
      { default: {} },
    ),
  },
  { ...closed, default: {} },
)
export type Profile = Static<typeof Profile>

const Tls = Type.Object(
  {
    ca_file: Type.Optional(Type.String()),
    cert_file: Type.Optional(Type.String()),
    key_file: Type.Optional(Type.String()),
    servername: Type.Optional(Type.String()),
    insecure: Type.Boolean({ default: false }),
  },
  closed,
)

const login = {
  host: Type.String({ minLength: 1, maxLength: 255 }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  system_id: Type.String({ minLength: 1, maxLength: 15 }),
  password: Type.String({ maxLength: 16 }),
}

/** A bind that differs from the others in where or as whom it calls. */
const BindOptions = Type.Object(
  {
    host: Type.Optional(login.host),
    port: Type.Optional(login.port),
    system_id: Type.Optional(login.system_id),
    password: Type.Optional(login.password),
  },
  closed,
)

export const SmppSettings = Type.Object(
  {
    kind: Type.Literal('smpp'),
    name: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    ...login,
    country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
    mode: oneOf(['transceiver', 'pair'], 'transceiver'),
    system_type: Type.String({ maxLength: 12, default: '' }),
    interface_version: octet(0x34),
    address_range: Type.String({ maxLength: 40, default: '' }),
    tls: Type.Optional(Tls),
    local_address: Type.Optional(Type.String()),
    binds: Type.Union(
      [Type.Integer({ minimum: 1, maximum: 50 }), Type.Array(BindOptions, { minItems: 1, maxItems: 50 })],
      { default: 1 },
    ),
    window: Type.Integer({ minimum: 1, maximum: 1_000, default: 10 }),
    rate_per_bind: rate,
    rate_per_account: rate,
    enquire_every_s: seconds(30),
    response_timeout_s: seconds(60),
    reconnect_after_s: seconds(1),
    msg_id_mode: Type.Unsafe<IdMode>({ type: 'string', enum: [...ID_MODES], default: 'auto' }),
    report_due_h: Type.Number({ minimum: 0.001, maximum: 720, default: 72 }),
    profile: Profile,
  },
  closed,
)
export type SmppSettings = Static<typeof SmppSettings>
