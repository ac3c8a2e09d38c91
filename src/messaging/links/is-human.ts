import { isbot } from 'isbot'

/** What is known about who opens a link. */
export type Visit = { method: string; user_agent: string | undefined; purpose: string | undefined }

/** Apps that fetch a link to show a preview of it, where the general list does not know them or may forget them. */
const PREVIEWS =
  /whatsapp\/|facebookexternalhit|facebot|google-[\w-]*preview|googlemessages|skypeuripreview|bingpreview|telegrambot|twitterbot|slackbot|slack-imgproxy|discordbot|linkedinbot|viber\/|snapchat ?bot|pinterestbot|redditbot|applebot|vkshare|iframely|embedly|outlook-?(?:safelinks|preview)|safelinks|mattermost-bot|teamsbot|microsoftpreview|signal-?preview|line-?poker|kakaotalk-scrap|yahoo link preview|zoominfobot/i

const PREFETCH = /prefetch|preview|prerender/i

const REMEMBERED = 2_000
/** Nothing a browser sends is longer. */
const LONGEST_AGENT = 1_024

/**
 * Tells people from previews and bots. The lists are long and phones say the same few hundred things about themselves,
 * so the last answers are kept.
 */
export function makeIsHuman(): (visit: Visit) => boolean {
  const known = new Map<string, boolean>()
  return ({ method, user_agent, purpose }) => {
    if (method !== 'GET' || !user_agent || user_agent.length > LONGEST_AGENT) return false
    if (purpose !== undefined && PREFETCH.test(purpose)) return false
    let human = known.get(user_agent)
    if (human === undefined) {
      human = !PREVIEWS.test(user_agent) && !isbot(user_agent)
      if (known.size >= REMEMBERED) known.delete(known.keys().next().value ?? '')
      known.set(user_agent, human)
    }
    return human
  }
}
