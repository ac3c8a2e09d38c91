import { listAboutRecipient } from '../../callbacks/read/store.ts'
import { readCallback } from '../../callbacks/read/read.ts'
import { findCampaignsOf } from '../../campaigns/messages-store.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/connect.ts'
import { explainMessage } from '../../explain/explain.ts'
import type { ExplainedDelivery } from '../../explain/schema.ts'
import { readHolds } from '../../messaging/dispatch/holds.ts'
import { showDeliveries, type OperatedDelivery } from '../../messaging/operate/show.ts'
import { foundMessage } from '../../messaging/read/search.ts'
import { summarise } from '../../messaging/read/search-store.ts'
import { makeKnowledge } from '../../numbers/knowledge.ts'
import { listNames } from '../../organisations/store.ts'
import { present } from '../../values/record.ts'
import { makeRouting } from '../../wiring/routing.ts'
import { withConfigured } from '../configured.ts'
import type { Result } from '../terminal/result.ts'
import { numberOf, ownerOf, unknownMessage } from './find.ts'

const SHOWN = 20
const SHOWN_CALLBACKS = 20

type Shown = OperatedDelivery & {
  callbacks: Awaited<ReturnType<typeof callbacksOf>>
  explanation?: Omit<ExplainedDelivery, 'recipient' | 'status'>
}

/** Shows a message of any organisation to an operator. */
export async function showMessage(given: { recipient?: string; limit?: string }, id: string): Promise<Result> {
  return withConfigured(async (db, config) => {
    const organisation_id = await ownerOf(db, id)
    const [summary] = await summarise(db, organisation_id, [id], 3)
    if (!summary) throw unknownMessage(id)
    const message = foundMessage(summary, undefined)
    const deps = explainDeps(db, config)
    const wanted = {
      recipient: given.recipient && numberOf(given.recipient, config),
      limit: Number(given.limit ?? SHOWN),
    }
    const { deliveries, has_more } = await showDeliveries(deps, organisation_id, id, wanted)
    const campaign = (await findCampaignsOf(db, organisation_id, [id])).get(id)
    const { explanation } = await explainMessage(
      deps,
      organisation_id,
      id,
      { limit: wanted.limit, ...present('recipient', wanted.recipient) },
      { is_operator: true, campaign: campaign && { id: campaign.id, name: campaign.name } },
    )
    const explained = new Map(explanation.deliveries.map(({ recipient, status: _same, ...rest }) => [recipient, rest]))
    const shown: Shown[] = []
    for (const delivery of deliveries) {
      const { recipient } = delivery
      const callbacks = await callbacksOf(db, organisation_id, id, recipient)
      shown.push({ ...delivery, callbacks, ...present('explanation', explained.get(recipient)) })
    }
    const [owner] = await listNames(db, [organisation_id])
    const organisation = { organisation_id, organisation_name: owner?.name ?? '' }
    return {
      data: { ...organisation, ...message, deliveries: shown },
      text: [
        `${id}, ${message.channel}${message.sender_id === undefined ? '' : ` from ${message.sender_id}`}, of ${organisation.organisation_name} (${organisation_id})`,
        ...(message.content === undefined ? [] : [message.content]),
        ...explanation.sentences,
        '',
        ...shown.map(deliveryText),
      ].join('\n'),
      ...present('note', has_more ? 'There are more recipients; --limit or --recipient shows them.' : undefined),
    }
  })
}

/** As the service has them. */
function explainDeps(db: Db, config: Config) {
  const numbers = makeKnowledge({ db }, config.settings.lookup)
  const { installation, file_tariffs } = makeRouting({ db, numbers, config }, config.settings)
  return {
    db,
    public_url: config.public_url,
    numbers,
    installation,
    pageForm: file_tariffs.live.pageForm,
    readHolds: () => readHolds({ db }, config.settings),
  }
}

function deliveryText({ submissions, events, callbacks, explanation, ...delivery }: Shown): string {
  const { recipient, status, route, carrier, pages, charge } = delivery
  const lines = [
    `${recipient}  ${status}  route ${route}${carrier === undefined ? '' : `, carrier ${carrier}`}, ${pages} page(s), ${charge}`,
  ]
  for (const sentence of explanation?.sentences ?? []) lines.push(`  ${sentence}`)
  for (const one of submissions ?? []) {
    const outcome = one.status === null ? `report due ${one.report_due}` : `${one.status} ${one.code ?? ''}`
    lines.push(`  ${one.carrier} calls segment ${one.segment} of ${one.segments} ${one.carrier_message_id}: ${outcome}`)
  }
  for (const { kind, created_datetime, ...event } of events) {
    const words = [event.status, event.carrier, event.code, event.description, event.send_at, event.url].filter(Boolean)
    lines.push(`  ${created_datetime}  ${kind}${words.length > 0 ? `: ${words.join(' ')}` : ''}`)
  }
  for (const { type, url, status: outcome, attempts, last } of callbacks) {
    lines.push(
      `  callback ${type} to ${url}: ${outcome} after ${attempts} attempt(s)${last ? `, last answer ${last}` : ''}`,
    )
  }
  return `${lines.join('\n')}\n`
}

async function callbacksOf(db: Db, organisation_id: string, message_id: string, recipient: string) {
  const about = await listAboutRecipient(db, organisation_id, message_id, recipient, SHOWN_CALLBACKS)
  return Promise.all(
    about.map(async ({ id }) => {
      const { body: _private, attempts_log, ...callback } = await readCallback({ db }, organisation_id, id)
      const last = attempts_log.at(-1)
      return { ...callback, attempts_log, last: last && String(last.status_code ?? last.reason ?? '') }
    }),
  )
}
