import { isbot } from 'isbot'
import { makeBoundedCache } from '../../values/concurrency/bounded-cache.ts'

/** A request for a link. */
export type Visit = { method: string; user_agent: string | undefined; purpose: string | undefined }

/** Apps that fetch a link to preview it, in addition to the list of `isbot`. */
const PREVIEWS =
  /whatsapp\/|facebookexternalhit|facebot|google-[\w-]*preview|googlemessages|skypeuripreview|bingpreview|telegrambot|twitterbot|slackbot|slack-imgproxy|discordbot|linkedinbot|viber\/|snapchat ?bot|pinterestbot|redditbot|applebot|vkshare|iframely|embedly|outlook-?(?:safelinks|preview)|safelinks|mattermost-bot|teamsbot|microsoftpreview|signal-?preview|line-?poker|kakaotalk-scrap|yahoo link preview|zoominfobot/i

const PREFETCH = /prefetch|preview|prerender/i

const MAX_CACHED = 2_000
/** No browser sends a longer one. */
const MAX_AGENT_LENGTH = 1_024

/** Distinguishes people from previews and bots. The result is cached by user agent, because the lists are long. */
export function makeIsHuman(): (visit: Visit) => boolean {
  const known = makeBoundedCache<string, boolean>(MAX_CACHED)
  return ({ method, user_agent, purpose }) => {
    if (method !== 'GET' || !user_agent || user_agent.length > MAX_AGENT_LENGTH) return false
    if (purpose !== undefined && PREFETCH.test(purpose)) return false
    let human = known.get(user_agent)
    if (human === undefined) {
      human = !PREVIEWS.test(user_agent) && !isbot(user_agent)
      known.set(user_agent, human)
    }
    return human
  }
}
