import { createHmac } from 'node:crypto'
import { request } from 'undici'
import { titleOfCode } from './errors.ts'
import type { ReceivedMedia } from './media.ts'
import type { CloudTemplate } from './templates.ts'

/** The number and account that a webhook is about. */
export type NumberIds = { phone_number_id: string; waba_id: string; display: string }

export type StatusMessage = { wamid: string; to: string; biz_opaque_callback_data?: string }

/** The status of a message in a webhook. */
export function statusOf(message: StatusMessage, status: string, more: object = {}): object {
  return {
    id: message.wamid,
    status,
    timestamp: now(),
    recipient_id: message.to,
    biz_opaque_callback_data: message.biz_opaque_callback_data,
    ...more,
  }
}

/** Meta names the price category with `sent`, and with one of `delivered` and `read`. */
export function pricingOf(category: string, billable = true): object {
  return { pricing: { billable, pricing_model: 'PMP', category, type: billable ? 'regular' : 'free_customer_service' } }
}

export function failure(message: StatusMessage, code: number, details = 'so it was'): object {
  const error = { code, title: titleOfCode(code), message: titleOfCode(code), error_data: { details } }
  return statusOf(message, 'failed', { errors: [error] })
}

/** A text that a person sent. */
export function inbound(id: string, from: string, body: string, timestamp: string | number = now()): object {
  return { from, id, timestamp, type: 'text', text: { body } }
}

/** A file that a person sent; `more` is its caption, or the name of a document. */
export function inboundFile(id: string, from: string, { kind, file }: ReceivedMedia, more: object = {}): object {
  return { from, id, timestamp: now(), type: kind, [kind]: { ...file, ...more } }
}

/** One change of the field `messages` per item, all in one webhook. */
export function messagesBody(
  values: readonly { statuses?: object[]; messages?: object[]; contacts?: object[] }[],
  number: NumberIds,
): string {
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: values.map((value) => ({
      id: number.waba_id,
      changes: [
        {
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: number.display, phone_number_id: number.phone_number_id },
            ...value,
          },
        },
      ],
    })),
  })
}

/** `message_template_status_update`, `message_template_quality_update` or `template_category_update`. */
export function templateBody(number: NumberIds, template: CloudTemplate, field: string, more: object): string {
  const value = {
    message_template_id: Number(template.id),
    message_template_name: template.name,
    message_template_language: template.language,
    ...more,
  }
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: number.waba_id, time: Math.floor(Date.now() / 1_000), changes: [{ field, value }] }],
  })
}

export function sign(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

/** Posts a signed webhook; false if it was not acknowledged. */
export async function post(url: string, body: string, secret: string): Promise<boolean> {
  try {
    const { statusCode, body: answer } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': sign(body, secret) },
      body,
    })
    await answer.dump()
    return statusCode === 200
  } catch {
    return false
  }
}

function now(): string {
  return String(Math.floor(Date.now() / 1_000))
}
