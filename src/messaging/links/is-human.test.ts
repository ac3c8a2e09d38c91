import { describe, expect, test } from 'vitest'
import { makeIsHuman } from './is-human.ts'

const CHROME =
  'Mozilla/5.0 (Linux; Android 14; TECNO KJ5) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36'
const isHuman = makeIsHuman()
const visit = (user_agent: string | undefined, rest = {}) => ({
  method: 'GET',
  user_agent,
  purpose: undefined,
  ...rest,
})

describe('a person', () => {
  test.each([
    CHROME,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; en) Presto/2.12.423 Version/12.16',
    'Mozilla/5.0 (Linux; Android 13; SM-A057F) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/470.0]',
    'Mozilla/5.0 (Linux; Android 10; Infinix X650) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/95.0 Mobile Safari/537.36 PHX/12.9',
    'Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5',
  ])('%s', (user_agent) => {
    expect(isHuman(visit(user_agent))).toBe(true)
  })
})

describe('not a person', () => {
  test.each([
    'WhatsApp/2.24.13.77 A',
    'WhatsApp/2.2413.51 N',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'Mozilla/5.0 (compatible; Google-Messages-Preview)',
    'Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.36 Chrome/41.0 Safari/537.36 Google-PageRenderer Google (+https://developers.google.com/+/web/snippet/)',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
    'TelegramBot (like TwitterBot)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Googlebot/2.1 (+http://www.google.com/bot.html)',
    'curl/8.5.0',
    'python-requests/2.31',
    'okhttp/4.12.0',
    '',
    undefined,
    'x'.repeat(2_000),
  ])('%s', (user_agent) => {
    expect(isHuman(visit(user_agent))).toBe(false)
  })

  test('HEAD requests and prefetches are not people', () => {
    expect(isHuman(visit(CHROME, { method: 'HEAD' }))).toBe(false)
    expect(isHuman(visit(CHROME, { purpose: 'prefetch;prerender' }))).toBe(false)
    expect(isHuman(visit(CHROME))).toBe(true)
  })

  test('is recognised after the cache was evicted', () => {
    for (let n = 0; n < 5_000; n++) {
      expect(isHuman(visit(`${CHROME} ${n}`))).toBe(true)
      expect(isHuman(visit(`WhatsApp/${n}`))).toBe(false)
    }
  })
})
