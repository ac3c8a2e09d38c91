import { Type, type Static, isOneOf } from '../../values/schema/type.ts'
import { CHANNELS } from '../message-carrier.ts'
import { SentContent } from '../whatsapp/content-schema.ts'
import { ListMeta, onePage } from '../../values/page.ts'

export const SimulatorSettings = Type.Object(
  {
    kind: Type.Literal('simulator'),
    name: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    report_delay_ms: Type.Integer({ minimum: 0, maximum: 60_000, default: 300 }),
    /** WhatsApp's 24-hour window holds: free text only to handsets that wrote on WhatsApp in the last 24 hours. */
    whatsapp_window: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type SimulatorSettings = Static<typeof SimulatorSettings>

export const SandboxMessage = Type.Object({
  id: Type.String(),
  message_id: Type.String({ format: 'uuid', description: 'The message that it shows.' }),
  recipient: Type.String({ examples: ['2348031234567'] }),
  sender_id: Type.Optional(Type.String({ examples: ['Gangan'] })),
  channel: isOneOf(CHANNELS, { examples: ['sms'] }),
  text: Type.String({ examples: ['Your order is on its way.'] }),
  whatsapp: Type.Optional(SentContent),
  created_datetime: Type.String(),
})
export type SandboxMessage = Static<typeof SandboxMessage>

/** The sandbox's airtime vendor. */
export const TopupSimulatorSettings = Type.Object(
  { kind: Type.Literal('simulator'), name: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }) },
  { additionalProperties: false },
)
export type TopupSimulatorSettings = Static<typeof TopupSimulatorSettings>

export const SandboxPage = Type.Object({ messages: onePage(SandboxMessage), meta: ListMeta })
export type SandboxPage = Static<typeof SandboxPage>
