// Written by `npm run clients` from openapi.json.
import { makeCall, makeEach, type Options } from './call.ts'
import { methods, type Methods } from './methods.ts'
import { verifyWebhook } from './verify-webhook.ts'

/** A service, and a key of it. */
export class Gangan {
  readonly sms: Methods['sms']
  readonly campaigns: Methods['campaigns']
  readonly senders: Methods['senders']
  readonly optouts: Methods['optouts']
  readonly inbound: Methods['inbound']
  readonly media: Methods['media']
  readonly conversations: Methods['conversations']
  readonly templates: Methods['templates']
  readonly whatsapp: Methods['whatsapp']
  readonly otp: Methods['otp']
  readonly airtime: Methods['airtime']
  readonly lookup: Methods['lookup']
  readonly contacts: Methods['contacts']
  readonly people: Methods['people']
  readonly balance: Methods['balance']
  readonly requests: Methods['requests']
  readonly analytics: Methods['analytics']
  readonly settings: Methods['settings']
  readonly callbacks: Methods['callbacks']
  readonly webhooks: Methods['webhooks'] & { verify: typeof verifyWebhook }
  readonly hooks: Methods['hooks']
  readonly smpp: Methods['smpp']
  readonly sandbox: Methods['sandbox']

  constructor(options: Options) {
    const call = makeCall(options)
    const made = methods(call, makeEach(call))
    this.sms = made.sms
    this.campaigns = made.campaigns
    this.senders = made.senders
    this.optouts = made.optouts
    this.inbound = made.inbound
    this.media = made.media
    this.conversations = made.conversations
    this.templates = made.templates
    this.whatsapp = made.whatsapp
    this.otp = made.otp
    this.airtime = made.airtime
    this.lookup = made.lookup
    this.contacts = made.contacts
    this.people = made.people
    this.balance = made.balance
    this.requests = made.requests
    this.analytics = made.analytics
    this.settings = made.settings
    this.callbacks = made.callbacks
    this.webhooks = { ...made.webhooks, verify: verifyWebhook }
    this.hooks = made.hooks
    this.smpp = made.smpp
    this.sandbox = made.sandbox
  }
}
