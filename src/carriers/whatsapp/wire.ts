import { isId } from '../../values/id.ts'
import { isRecord } from '../../values/record.ts'
import type { OutgoingContent, OutgoingMessage, OutgoingTemplate } from '../message-carrier.ts'

/** A delivery, as the reference that we send with it and that Meta returns with every status. */
export type DeliveryRef = { organisation_id: string; message_id: string; recipient: string }

/** Meta's id of a file of ours; of a document also its name, unless the message gives it another. */
export type FileAtMeta = { id: string; filename?: string }

export type OtpTemplate = { name: string; language: string }

/** The body of `POST /{phone_number_id}/messages`. */
export function writeMessage(
  message: OutgoingMessage,
  otp_template: OtpTemplate | undefined,
  /** Meta's ids of its files, by ours. */
  media_ids?: ReadonlyMap<string, FileAtMeta>,
): string {
  const content = otpTemplate(message, otp_template) ?? message.whatsapp ?? PLAIN_TEXT
  const body = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: message.recipient,
    ...('type' in content
      ? contentFields(content, message.text)
      : { type: 'template', template: templateObject(content) }),
    biz_opaque_callback_data: writeRef(message),
  }
  return media_ids ? JSON.stringify(body, (_key, value: unknown) => withMetaId(value, media_ids)) : JSON.stringify(body)
}

/** Customers' objects have no `media_id`: their shapes are closed. */
function withMetaId(value: unknown, media_ids: ReadonlyMap<string, FileAtMeta>): unknown {
  if (!isRecord(value) || typeof value.media_id !== 'string') return value
  const { media_id, ...others } = value
  return { ...media_ids.get(media_id), ...others }
}

/** Whether it is sent as a template, which needs no window. */
export function isTemplate(message: OutgoingMessage, otp_template: OtpTemplate | undefined): boolean {
  const content = otpTemplate(message, otp_template) ?? message.whatsapp ?? PLAIN_TEXT
  return !('type' in content)
}

const PLAIN_TEXT: OutgoingContent = { type: 'text', value: { preview_url: false }, has_text: true }

function contentFields({ type, value, has_text, received_id }: OutgoingContent, text: string): object {
  if (type === 'reaction') return { type, reaction: { message_id: received_id, ...value } }
  const context = received_id === undefined ? {} : { context: { message_id: received_id } }
  return { ...context, type, [type]: has_text ? withText(type, value, text) : value }
}

/** A text is the body; of buttons and lists it is the text above, of a file its caption. */
function withText(type: string, value: object, text: string): object {
  if (type === 'text') return { body: text, ...value }
  return type === 'interactive' ? { ...value, body: { text } } : { ...value, caption: text }
}

/** An authentication template takes the code twice: in its text, and in the button that copies it. */
function otpTemplate({ token }: OutgoingMessage, named: OtpTemplate | undefined): OutgoingTemplate | undefined {
  if (token === undefined || !named) return undefined
  return { ...named, parameters: [token], button_parameters: [token] }
}

function templateObject({
  name,
  language,
  parameters,
  parameter_names,
  button_parameters = [],
  components = [],
}: OutgoingTemplate) {
  const body = parameters.map((text, n) => ({
    type: 'text',
    ...(parameter_names?.[n] === undefined ? {} : { parameter_name: parameter_names[n] }),
    text,
  }))
  return {
    name,
    language: { code: language, policy: 'deterministic' },
    components: [
      ...(body.length > 0 ? [{ type: 'body', parameters: body }] : []),
      ...components,
      ...button_parameters.map((text, n) => ({
        type: 'button',
        sub_type: 'url',
        index: String(n),
        parameters: [{ type: 'text', text }],
      })),
    ],
  }
}

export function writeRef({ organisation_id, message_id, recipient }: DeliveryRef): string {
  return `${organisation_id} ${message_id} ${recipient}`
}

/** The id of a delivery until Meta's own id for it is known. */
export function placeholderId({ message_id, recipient }: Omit<DeliveryRef, 'organisation_id'>): string {
  return `unclear ${message_id} ${recipient}`
}

const PHONE = /^\d{7,15}$/

/** Undefined if it is not a reference of ours. */
export function readRef(text: unknown): DeliveryRef | undefined {
  const [organisation_id, message_id, recipient = '', ...rest] = typeof text === 'string' ? text.split(' ') : []
  if (!isId(organisation_id) || !isId(message_id) || !PHONE.test(recipient) || rest.length > 0) return undefined
  return { organisation_id, message_id, recipient }
}
