import { startCloudApi, type CloudApi } from '../../src/emulators/whatsapp/cloud-api.ts'
import { messagesBody, sign as signWith } from '../../src/emulators/whatsapp/webhooks.ts'
import { caller } from './service.ts'

export type { Mood, Taken } from '../../src/emulators/whatsapp/cloud-api.ts'
export { failure, inbound, inboundFile, pricingOf, statusOf } from '../../src/emulators/whatsapp/webhooks.ts'

/** The emulator of the Cloud API, with the configuration entry of a number at it. */
export type MetaServer = CloudApi & { settings: (more?: object) => Record<string, unknown> }

export const APP_SECRET = 'the secret of the app'
export const NUMBER = { phone_number_id: '106540352242922', waba_id: '102290129340398', display: '15550783881' }
/** Further numbers of the same business account. */
export const SECOND = { ...NUMBER, phone_number_id: '106540352242923', display: '15550783882' }
export const THIRD = { ...NUMBER, phone_number_id: '106540352242924', display: '15550783883' }

export async function startMetaServer(port = 0): Promise<MetaServer> {
  const further = [SECOND, THIRD]
  const api = await startCloudApi({ port, host: '127.0.0.1', token: 'the-token', number: NUMBER, further })
  api.templates = [LOGIN_CODE, ORDER_UPDATE]
  return Object.assign(api, {
    settings: (more = {}) => ({
      kind: 'whatsapp_cloud',
      name: 'meta',
      phone_number_id: NUMBER.phone_number_id,
      waba_id: NUMBER.waba_id,
      access_token: 'the-token',
      app_secrets: ['the secret before', APP_SECRET],
      verify_token: 'a word between us',
      base_url: api.url,
      otp_template: { name: 'login_code', language: 'en' },
      timeout_ms: 20_000,
      ...more,
    }),
  })
}

/** Settings of a sandbox whose WhatsApp messages go to the emulator, and others to the simulator. */
export function whatsappAt(meta: MetaServer) {
  return {
    settings: {
      carriers: [{ kind: 'simulator', name: 'simulator', report_delay_ms: 20 }, meta.settings()],
      routes: [
        { name: 'sms', channel: 'sms', carrier: 'simulator' },
        { name: 'whatsapp', channel: 'whatsapp', carrier: 'meta' },
      ],
    },
    config: { sandbox: true },
  }
}

/**
 * Settings of a service whose templates are at the emulator, where each is rejected immediately, so that it may be edited
 * any number of times. Messages end at the simulator.
 */
export function templatesAt(meta: MetaServer) {
  meta.onTemplate = (template) => {
    template.status = 'REJECTED'
  }
  return {
    settings: {
      carriers: [{ kind: 'simulator', name: 'simulator', report_delay_ms: 20 }, meta.settings()],
      routes: [
        { name: 'sms', channel: 'sms', carrier: 'simulator' },
        { name: 'whatsapp', channel: 'whatsapp', carrier: 'simulator' },
        { name: 'elsewhere', channel: 'whatsapp', prefix: '999', carrier: 'meta' },
      ],
      airtime: { vendors: [{ kind: 'simulator', name: 'simulator' }] },
    },
    config: { sandbox: true },
  }
}

export const LOGIN_CODE = {
  name: 'login_code',
  language: 'en',
  status: 'APPROVED',
  category: 'AUTHENTICATION',
  components: [
    { type: 'BODY', text: '*{{1}}* is your verification code.', add_security_recommendation: true },
    { type: 'FOOTER', code_expiration_minutes: 15 },
    {
      type: 'BUTTONS',
      buttons: [{ type: 'URL', text: 'Copy code', url: 'https://www.whatsapp.com/otp/code/?code={{1}}' }],
    },
  ],
}

export const ORDER_UPDATE = {
  name: 'order_update',
  language: 'en',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Hello {{1}}, your order {{2}} is on its way.' }],
}

/** One change per item, all in one webhook. */
export function webhookBody(values: { statuses?: object[]; messages?: object[] }[], number = NUMBER): string {
  return messagesBody(values, number)
}

export function sign(body: string, secret = APP_SECRET): string {
  return signWith(body, secret)
}

/** Posts a webhook like Meta. */
export async function postWebhook(
  { url }: { url: string },
  body: string,
  signature = sign(body),
  carrier = 'meta',
): Promise<number> {
  const call = caller(url, '')
  const { status } = await call('POST', `/carriers/whatsapp/${carrier}`, body, { 'x-hub-signature-256': signature })
  return status
}
