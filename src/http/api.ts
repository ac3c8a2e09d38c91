import type { FastifyInstance } from 'fastify'
import { clientRoutes } from './console/assets.ts'
import { eventRoutes } from './console/events.ts'
import { keyRoutes } from './console/keys.ts'
import { meRoutes } from './console/me.ts'
import { messageRoutes } from './console/messages.ts'
import { airtimeConsoleRoutes } from './console/airtime.ts'
import { blocklistRoutes } from './console/blocklist.ts'
import { configurationRoutes } from './console/operator/configuration.ts'
import { evidenceRoutes } from './console/prices/evidence.ts'
import { marginRoutes } from './console/prices/margins.ts'
import { costRoutes } from './console/prices/costs.ts'
import { priceRoutes } from './console/prices/prices.ts'
import { operatorRoutes } from './console/operator.ts'
import { probeRoutes } from './console/operator/probes.ts'
import { organisationRoutes } from './console/organisations.ts'
import { otpListRoutes } from './console/otps.ts'
import { overviewRoutes } from './console/overview.ts'
import { passkeyRoutes } from './console/passkeys.ts'
import { phoneConsoleRoutes } from './console/phones.ts'
import { senderDecisionRoutes } from './console/senders.ts'
import { searchRoutes } from './console/search/search.ts'
import { sessionRoutes } from './console/session.ts'
import { signInRoutes } from './console/sign-in.ts'
import { userRoutes } from './console/users.ts'
import { viewRoutes } from './console/views.ts'
import type { HttpDeps } from './deps.ts'
import { hookPostRoutes } from './dialects/hooks/routes.ts'
import { kannelRoutes } from './dialects/kannel/sendsms.ts'
import { twilioRoutes } from './dialects/twilio/routes.ts'
import { documentRoutes } from './docs/documents.ts'
import { addRoutes } from './route/add-routes.ts'
import type { FileReads } from './route/file-reads.ts'
import type { Route } from './route/route.ts'
import { airtimeRoutes } from './routes/airtime.ts'
import { balanceRoutes } from './routes/account/balance.ts'
import { requestRoutes } from './routes/account/requests.ts'
import { analyticsRoutes } from './routes/analytics/analytics.ts'
import { callbackRoutes } from './routes/callbacks.ts'
import { contactChangeRoutes } from './routes/contacts/changes.ts'
import { contactConversionRoutes } from './routes/contacts/conversions.ts'
import { contactColumnRoutes } from './routes/contacts/columns.ts'
import { contactImportRoutes } from './routes/contacts/imports.ts'
import { contactQueryRoutes } from './routes/contacts/query.ts'
import { contactSendRoutes } from './routes/contacts/sends.ts'
import { contactSmartlistRoutes } from './routes/contacts/smartlists.ts'
import { contactRoutes } from './routes/contacts/rows.ts'
import { healthRoutes } from './routes/health.ts'
import { hookRoutes } from './routes/hooks.ts'
import { inboundRoutes } from './routes/inbound.ts'
import { linkRoutes } from './routes/links.ts'
import { lookupRoutes } from './routes/lookup.ts'
import { mediaRoutes } from './routes/whatsapp/media.ts'
import { optoutRoutes } from './routes/optouts.ts'
import { otpSettingsRoutes } from './routes/otp-settings.ts'
import { otpRoutes } from './routes/otp.ts'
import { conversationRoutes } from './routes/people/conversations.ts'
import { inboxRoutes } from './routes/people/inbox.ts'
import { peopleRoutes } from './routes/people/people.ts'
import { phoneRoutes } from './routes/phones.ts'
import { sandboxRoutes } from './routes/sandbox.ts'
import { senderRoutes } from './routes/senders.ts'
import { settingsRoutes } from './routes/settings.ts'
import { smppAccountRoutes } from './routes/smpp-accounts.ts'
import { smsRoutes } from './routes/sms.ts'
import { templateRoutes } from './routes/templates.ts'
import { campaignResultRoutes } from './routes/campaign-results.ts'
import { campaignRoutes } from './routes/campaigns.ts'
import { carrierPostRoutes } from './routes/carrier-posts.ts'
import { vendorCallbackRoutes } from './routes/vendor-callbacks.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { whatsappTemplateRoutes } from './routes/whatsapp-templates.ts'
import { whatsappWebhookRoutes } from './routes/whatsapp-webhook.ts'

/** Declared routes, or a function that adds routes to Fastify directly, for the few that do not fit that form. */
export type RouteGroup =
  | { file: string; routes: (deps: HttpDeps) => Route[] }
  | { file: string; plain: (app: FastifyInstance, deps: HttpDeps) => void }

/** Every route, in the order of the reference. `docs/routes.md` lists them in one table. */
export const API: readonly RouteGroup[] = [
  { file: 'routes/health.ts', routes: healthRoutes },
  { file: 'docs/documents.ts', plain: documentRoutes },
  { file: 'routes/sms.ts', routes: smsRoutes },
  { file: 'routes/campaigns.ts', routes: campaignRoutes },
  { file: 'routes/campaign-results.ts', routes: campaignResultRoutes },
  { file: 'routes/senders.ts', routes: senderRoutes },
  { file: 'routes/optouts.ts', routes: optoutRoutes },
  { file: 'routes/inbound.ts', routes: inboundRoutes },
  { file: 'routes/whatsapp/media.ts', routes: mediaRoutes },
  { file: 'routes/people/conversations.ts', routes: conversationRoutes },
  { file: 'routes/people/inbox.ts', routes: inboxRoutes },
  { file: 'routes/templates.ts', routes: templateRoutes },
  { file: 'routes/whatsapp-templates.ts', routes: whatsappTemplateRoutes },
  { file: 'routes/links.ts', plain: linkRoutes },
  { file: 'routes/otp.ts', routes: otpRoutes },
  { file: 'routes/otp-settings.ts', routes: otpSettingsRoutes },
  { file: 'routes/airtime.ts', routes: airtimeRoutes },
  { file: 'routes/lookup.ts', routes: lookupRoutes },
  { file: 'routes/contacts/rows.ts', routes: contactRoutes },
  { file: 'routes/contacts/columns.ts', routes: contactColumnRoutes },
  { file: 'routes/contacts/conversions.ts', routes: contactConversionRoutes },
  { file: 'routes/contacts/query.ts', routes: contactQueryRoutes },
  { file: 'routes/contacts/changes.ts', routes: contactChangeRoutes },
  { file: 'routes/contacts/smartlists.ts', routes: contactSmartlistRoutes },
  { file: 'routes/contacts/imports.ts', routes: contactImportRoutes },
  { file: 'routes/contacts/sends.ts', routes: contactSendRoutes },
  { file: 'routes/people/people.ts', routes: peopleRoutes },
  { file: 'routes/account/balance.ts', routes: balanceRoutes },
  { file: 'routes/account/requests.ts', routes: requestRoutes },
  { file: 'routes/analytics/analytics.ts', routes: analyticsRoutes },
  { file: 'routes/settings.ts', routes: settingsRoutes },
  { file: 'routes/callbacks.ts', routes: callbackRoutes },
  { file: 'routes/webhooks.ts', routes: webhookRoutes },
  { file: 'routes/hooks.ts', routes: hookRoutes },
  { file: 'routes/smpp-accounts.ts', routes: smppAccountRoutes },
  { file: 'routes/sandbox.ts', routes: sandboxRoutes },
  { file: 'routes/vendor-callbacks.ts', plain: vendorCallbackRoutes },
  { file: 'routes/whatsapp-webhook.ts', plain: whatsappWebhookRoutes },
  { file: 'routes/carrier-posts.ts', plain: carrierPostRoutes },
  { file: 'routes/phones.ts', plain: phoneRoutes },

  // The same operations in the formats of other services.
  { file: 'dialects/twilio/routes.ts', plain: twilioRoutes },
  { file: 'dialects/kannel/sendsms.ts', plain: kannelRoutes },
  { file: 'dialects/hooks/routes.ts', plain: hookPostRoutes },

  // Operations that only the console calls; it uses the routes above for everything else.
  { file: 'console/session.ts', routes: sessionRoutes },
  { file: 'console/sign-in.ts', plain: signInRoutes },
  { file: 'console/me.ts', routes: meRoutes },
  { file: 'console/passkeys.ts', routes: passkeyRoutes },
  { file: 'console/views.ts', routes: viewRoutes },
  { file: 'console/users.ts', routes: userRoutes },
  { file: 'console/organisations.ts', routes: organisationRoutes },
  { file: 'console/keys.ts', routes: keyRoutes },
  { file: 'console/overview.ts', routes: overviewRoutes },
  { file: 'console/messages.ts', routes: messageRoutes },
  { file: 'console/search/search.ts', routes: searchRoutes },
  { file: 'console/otps.ts', routes: otpListRoutes },
  { file: 'console/airtime.ts', routes: airtimeConsoleRoutes },
  { file: 'console/operator.ts', routes: operatorRoutes },
  { file: 'console/blocklist.ts', routes: blocklistRoutes },
  { file: 'console/operator/configuration.ts', routes: configurationRoutes },
  { file: 'console/operator/probes.ts', routes: probeRoutes },
  { file: 'console/prices/prices.ts', routes: priceRoutes },
  { file: 'console/prices/costs.ts', routes: costRoutes },
  { file: 'console/prices/margins.ts', routes: marginRoutes },
  { file: 'console/prices/evidence.ts', routes: evidenceRoutes },
  { file: 'console/senders.ts', routes: senderDecisionRoutes },
  { file: 'console/phones.ts', routes: phoneConsoleRoutes },
  { file: 'console/events.ts', plain: eventRoutes },
  { file: 'console/assets.ts', plain: clientRoutes },
]

export function addGroup(app: FastifyInstance, deps: HttpDeps, group: RouteGroup, file_reads?: FileReads): void {
  if ('plain' in group) group.plain(app, deps)
  else addRoutes(app, deps, group.routes(deps), file_reads)
}
