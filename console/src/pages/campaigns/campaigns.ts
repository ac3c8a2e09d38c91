import type { CampaignBody } from '../../types.ts'
import type {
  Campaign,
  CampaignReportAnswer as CampaignReport,
  CampaignWithOutcomesAnswer as CampaignWithOutcomes,
} from '../../../../clients/typescript/src/types.ts'
import { plural, t } from '../../text/text.ts'
import type { Tone } from '../../ui/Badge.tsx'
import { finished, groupsOf, type Group } from '../contacts/contacts.ts'

export type { Campaign, CampaignReport, CampaignWithOutcomes }

export const CAMPAIGNS = '/campaigns'

export const TONES: Record<Campaign['status'], Tone> = {
  draft: 'calm',
  estimating: 'busy',
  estimated: 'warn',
  scheduled: 'busy',
  running: 'busy',
  paused: 'warn',
  finished: 'good',
  canceled: 'calm',
}

/** A campaign's own words: the language may bend them. */
export const STATES: Record<Campaign['status'], string> = {
  draft: t('draft||a campaign'),
  estimating: t('estimating||a campaign'),
  estimated: t('estimated||a campaign'),
  scheduled: t('scheduled||a campaign'),
  running: t('running||a campaign'),
  paused: t('paused||a campaign'),
  finished: t('finished||a campaign'),
  canceled: t('canceled||a campaign'),
}

/** Why a recipient is left out, as text. */
export const REASONS: Record<string, string> = {
  opted_out: t('Opted out||people'),
  dnd: t('On a do-not-disturb list'),
  no_number: t('No number'),
  bad_number: t('Not a phone number'),
  twice: t('Same number twice'),
  incomplete: t('A value is missing'),
  too_long: t('Text too long'),
  no_route: t('No price or route'),
  no_window: t('Outside WhatsApp’s 24 hours'),
  blocked: t('Blocked by the operator'),
}

export const PAUSES: Record<string, string> = {
  by_hand: t('Paused manually. Nothing more is charged until you resume it.'),
  insufficient_balance: t('The balance is used up. Top it up, then resume the campaign.'),
  spending_limit: t(
    'The API key that started it has reached its daily spending limit. Resume the campaign after midnight UTC, or raise the limit.',
  ),
  price_changed: t('It now costs more than you confirmed. Resuming accepts the new price.'),
  refused: t('It cannot be sent as it is.'),
}

/** What the form holds. */
export type CampaignDraft = {
  name: string
  audience: 'smartlist' | 'file'
  smartlist_id: string
  filters: readonly Group[]
  /** Their place is their name. */
  texts: { place: number; content: string; template_id: string; share: string }[]
  channel: string
  sender_id: string
  route_class: string
  is_trackable: boolean
  send_at: string
  pace_per_hour: string
  quiet_from: string
  quiet_until: string
}

/** The request as the API takes it; null takes away what a draft had before. */
export function bodyOf(draft: CampaignDraft): Record<Exclude<keyof CampaignBody, 'is_incomplete'>, unknown> {
  const texts = draft.texts.map(({ content, template_id, share }) => ({
    content: template_id === '' ? content : undefined,
    template_id: template_id || undefined,
    share: share === '' ? undefined : Number(share),
  }))
  const [only] = texts
  const by_list = draft.audience === 'smartlist'
  return {
    name: draft.name.trim() || undefined,
    smartlist_id: by_list && draft.smartlist_id !== '' ? draft.smartlist_id : null,
    filters: by_list ? finished(draft.filters) : [],
    content: texts.length === 1 ? only?.content : undefined,
    template_id: texts.length === 1 ? only?.template_id : undefined,
    texts: texts.length === 1 ? undefined : texts,
    channel: draft.channel,
    sender_id: draft.sender_id || null,
    external_ref: undefined,
    callback: undefined,
    smart_encoding: undefined,
    is_trackable: draft.is_trackable,
    route_class: draft.route_class,
    send_at: draft.send_at || null,
    pace_per_hour: draft.pace_per_hour === '' ? null : Number(draft.pace_per_hour),
    quiet_from: draft.quiet_from || null,
    quiet_until: draft.quiet_until || null,
  }
}

/** The form of a campaign that is there already. */
export function draftOf(campaign: Campaign): CampaignDraft {
  const { texts, smartlist_id, filters = [] } = campaign
  return {
    name: campaign.name,
    audience: smartlist_id === undefined && campaign.uploaded > 0 ? 'file' : 'smartlist',
    smartlist_id: smartlist_id ?? '',
    filters: groupsOf(filters),
    texts: (texts.length === 0 ? [{ content: '', share: 100 }] : texts).map(
      ({ content, template_id = '', share }, place) => ({
        place,
        content,
        template_id,
        share: texts.length > 1 ? String(share) : '',
      }),
    ),
    channel: campaign.channel,
    sender_id: campaign.sender_id ?? '',
    route_class: campaign.route_class,
    is_trackable: campaign.is_trackable,
    send_at: campaign.send_at ?? '',
    pace_per_hour: campaign.pace_per_hour === undefined ? '' : String(campaign.pace_per_hour),
    quiet_from: campaign.quiet_from ?? '',
    quiet_until: campaign.quiet_until ?? '',
  }
}

export const people = (count: number): string => plural(count, '{n} person', '{n} people')
