import { expect, test } from 'vitest'
import { findRegexes, regexesIn } from './support/regexes.ts'

// The binary takes a fifth of the time; it exists for x64 only.
process.env.RECHECK_BACKEND = process.arch === 'x64' ? 'native' : 'pure'
const { check } = await import('recheck')

/**
 * Regular expressions that take more than linear time, or that the checker cannot decide, with the reason why that is
 * harmless: the bound of the input, or that it is our own. A new entry needs such a reason.
 */
const OWN_FILES = 'reads files of ours, and nothing that is sent'
const OPERATOR = 'reads what the operator writes on the command line or into the configuration'
const HARMLESS: Record<string, string> = {
  // Bounded by their callers.
  '/[0-9][0-9 ().+-]{0,40}$/': 'at most 41 steps from each digit of a content that was cut',
  '/0+$/': 'at most 80 digits: NUMBER has matched them',
  '/^[^\\p{L}\\p{N}]+|[^\\p{L}\\p{N}]+$/gu': 'at most 100 characters: a longer text is no keyword',
  '/^[^\\s\\p{C}@<>"(),:;[\\]\\\\]{1,64}@[^\\s\\p{C}@<>"(),:;[\\]\\\\]{1,189}$/u':
    'at most 255 steps: anchored, counted',
  '/^[^\\p{C}]{1,255}$/u': 'at most 255 steps: anchored, counted',
  '/^Bearer +(\\S{1,1024})$/i': 'a header; at most 1,024 steps after the blanks, which are no part of the token',
  '/^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[\\x20-\\x7e]{0,200})?$/':
    'a header; anchored, every part counted',
  '/^[\\x21-\\x7e]{16,200}$/': OPERATOR,
  '/;\\s*boundary=(?:"([^"]{1,70})"|([^\\s;"]{1,70}))/i':
    'a header; every part counted, and none begins within another',
  '/;\\s*name="([^"]{1,200})"/i': 'the head of a part of a form: at most 1,024 octets',
  '/\\b([A-Za-z]+)\\s*=\\s*(?:"([^"]*)"|\'([^\']*)\')/g': 'the attributes of one tag, in an answer of at most 16 KiB',
  '/\\b(id|stat|err|dlvrd|submit[ _]?date|done[ _]?date)\\s?[:=] ?([^\\s,;\\p{Cc}]*)/giu':
    'the text of one PDU; each word begins at a boundary and nothing has to follow it',
  '/\\bhttps?:\\/\\/[^\\s\\p{Cc}<>"\\u201c\\u201d\\u201e\\u00ab\\u00bb\\u2018\\u2019\\u2026]+/giu':
    'nothing has to follow the link, so nothing is tried twice',
  '/(?<!\\\\)(?:\\\\\\\\)*\\\\u(?:0000|d[89a-f])/':
    'begins only where no backslash stands before: once for each run of them',
  // Where one can begin, the previous one has ended.
  '/(?<=^|[;\\t\\r\\n])(?=\'*[\\s"]*?[=+\\-@\\t\\r\\n＝＋－＠])/g':
    'looks as far as the next character that it begins behind',
  "/(?<=^|[;\\t\\r\\n])'(?='*[\\s\"]*?[=+\\-@\\t\\r\\n＝＋－＠])/g": 'at most 2,000 characters',
  '/"(\\w*(?:token|secret|password|otp|api_?key|authorization|signature))"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"?|[^,}\\]\\s]+)/gi':
    'an answer of ours that was cut',
  '/(?<![\\w-])eyJ[\\w-]{5,}\\.[\\w-]+\\.?[\\w-]*/g': 'begins once for each word, in a content that was cut',
  '/\\b(bearer|basic)\\s+[\\w+/=.~-]+/gi': 'begins once for each word, in a content that was cut',
  '/([?&][\\w.-]*(?:token|key|secret|password|passwd|pass|signature|sig|code|otp|pin)=)[^&\\s"#]*/gi':
    'begins at a character that it does not pass, in a content that was cut',
  '/whatsapp\\/|facebookexternalhit|facebot|google-[\\w-]*preview|googlemessages|skypeuripreview|bingpreview|telegrambot|twitterbot|slackbot|slack-imgproxy|discordbot|linkedinbot|viber\\/|snapchat ?bot|pinterestbot|redditbot|applebot|vkshare|iframely|embedly|outlook-?(?:safelinks|preview)|safelinks|mattermost-bot|teamsbot|microsoftpreview|signal-?preview|line-?poker|kakaotalk-scrap|yahoo link preview|zoominfobot/i':
    'at most 1,024 characters of a header',
  '/^(ECONNREFUSED|ENOTFOUND|EAI_\\w+|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_\\w+|DEPTH_ZERO_\\w+|SELF_SIGNED_\\w+|UNABLE_TO_\\w+|ERR_TLS_CERT_\\w+)$/':
    'reads the code of an error of Node',
  // Not from external input.
  '/(\\?[\\w-]+=).*$/': OPERATOR,
  '/\\/+$/': OPERATOR,
  '/^-+|-+$/g': OPERATOR,
  '/^\\s*(\\S+)()\\s+(.+)$/': OPERATOR,
  '/^\\s*(\\S+)\\s+(\\S+)\\s+(.+)$/': OPERATOR,
  '/^(\\S+)\\s+((?:\\S+\\s+){4}\\S+)\\s+(.*)$/': 'reads a line of ps',
  '/^create function (\\w+)/gm': OWN_FILES,
  "/--[^\\n]*|\\/\\*.*?\\*\\/|\\be'(?:\\\\.|''|[^'\\\\])*'|'[^']*'|\"[^\"]*\"|(\\$\\w*\\$).*?\\1|;/gis": OWN_FILES,
  '/--[^\\n]*|\\/\\*.*?\\*\\//gs': OWN_FILES,
  '/("(?:\\\\.|[^"\\\\])*")(\\s*:)?|-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|\\b(?:true|false|null)\\b/g': OWN_FILES,
  '/^(#{1,6})\\s+(.*)$/': OWN_FILES,
  '/^\\s*(?:[-*]|(\\d+)[.)])\\s+(.*)$/': OWN_FILES,
  '/`([^`]+)`|\\[([^\\]]+)\\]\\(([^)\\s]+)\\)|\\*\\*(.+?)\\*\\*|\\*([^\\s*][^*]*)\\*/g': OWN_FILES,
  '/\\{[^}]*\\}/g': OWN_FILES,
  '/(<(\\w+)>.*?<\\/\\2>)/g': OWN_FILES,
  '/^<(\\w+)>(.*?)<\\/\\1>$/': OWN_FILES,
}

/** Composed of constants, or of escaped text. */
const MADE: Record<string, string> = {
  'src/contacts/types/formats.ts': 'constants; anchored, every part counted',
  'src/emulators/network/model/people.ts': 'of the scenario, which its user writes; on the texts of the simulation',
  'src/emulators/network/scenario/faults.ts': 'of the scenario; on an empty text',
  'src/emulators/vendor/dialects/twilio.ts': 'constants; every part counted',
  'src/messaging/links/codes.ts': 'constants; every part counted',
  'src/organisations/api-key.ts': 'constants; every part counted',
  'src/people/spellings.ts': 'digits with what may stand between two of them, which no digit is',
  'src/requests/mask.ts': 'constants; the name of a field that was cut',
  'src/values/phone/numbering.ts': 'patterns of libphonenumber, for numbers that were cleaned: at most 15 digits',
  'src/values/phone/phone.ts': 'one character',
  'console/src/text/recognised.ts': 'sentences of ours, compared with a sentence of the service',
}

const TIMEOUT_MS = 60_000
/**
 * Expressions with counted repetitions, which the checker cannot decide by an automaton, are tried on generated inputs:
 * the same in every run, and as many as fit into the time of the tests.
 */
const OPTIONS = {
  timeout: TIMEOUT_MS,
  randomSeed: 1,
  maxIteration: 2,
  maxInitialGenerationSize: 50,
  maxGenerationSize: 20,
  crossoverSize: 5,
  mutationSize: 10,
  incubationLimit: 5_000,
  maxFuzzStringSize: 2_000,
  maxAttackStringSize: 20_000,
}

test('no regular expression on external input takes more than linear time', async () => {
  const found = [...findRegexes('src'), ...findRegexes('console/src')]
  expect(found.length).toBeGreaterThan(400)
  const literals = new Map(
    found.flatMap(({ place, source, flags }) =>
      source === undefined ? [] : [[`/${source}/${flags}`, { place, source, flags }]],
    ),
  )
  const made = found.filter(({ source }) => source === undefined).map(({ place }) => place.replace(/:\d+$/, ''))
  expect([...new Set(made)].sort(), 'made at run time, with a reason each').toEqual(Object.keys(MADE).sort())
  expect(
    Object.keys(HARMLESS).filter((one) => !literals.has(one)),
    'reasons for what is no longer there',
  ).toEqual([])
  const wrong: string[] = []
  for (const [code, { place, source, flags }] of literals) {
    if (code in HARMLESS) continue
    const { status } = await check(source, flags, OPTIONS)
    if (status !== 'safe') wrong.push(`${place} ${code}: ${status}`)
  }
  expect(wrong).toEqual([])
}, 600_000)

test('the check finds every regular expression, and one that takes quadratic time', async () => {
  const text = ['const a = /x+$/', "new RegExp('y+z')", 'RegExp(`z`)', "RegExp(a + 'b', 'g')"].join('\n')
  const found = regexesIn('example.ts', text)
  expect(found.map(({ source }) => source)).toEqual(['x+$', 'y+z', 'z', undefined])
  const amount = String.raw`^(?:[A-Z]{3}\s+)?(-?[\d,]+(?:\.\d{1,4})?)\d*$`
  expect((await check(amount, '', OPTIONS)).status).toBe('vulnerable')
}, 120_000)
