/** The languages there are, with what each calls itself. Another one is a file beside this and a line in each table. */
export const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'fr', label: 'Français' },
] as const
export type Language = (typeof LANGUAGES)[number]['value']

/** How numbers, and how dates and money are written; British English has the day before the month. */
const WRITTEN = { en: { numbers: 'en', dates: 'en-GB' }, fr: { numbers: 'fr', dates: 'fr' } } as const

/**
 * English stands in the code; any other language is one file, of which a browser loads only its own: before anything else
 * what the first view says, and the rest when it is needed (`console/text-parts.ts` cuts it).
 */
const FILES = { fr: { first: () => import('./fr.json?first'), later: () => import('./fr.json?later') } }

/** What of a browser is needed here. */
type Browser = {
  document: { documentElement: { lang: string } }
  localStorage: {
    getItem: (name: string) => string | null
    setItem: (name: string, value: string) => void
    removeItem: (name: string) => void
  }
  location: { reload: () => void }
  navigator: { languages: readonly string[] }
}
const around = globalThis as Partial<Browser>
/** Tests load pages outside of one, and see them in English wherever they run. */
const { document, localStorage, location, navigator }: Partial<Browser> = around.document ? around : {}

const KEPT = 'gangan.spoken'
const BY_ACCOUNT = 'account'

const wanted = wantedLanguage()

/** Undefined where the file does not come: a page is of more use in English than not at all. */
const read = wanted === 'en' ? undefined : await load(FILES[wanted].first)
const language: Language = read ? wanted : 'en'

const known: Record<string, string> = { ...read }
export const texts: Readonly<Record<string, string>> = known
export const chosen = { language, ...WRITTEN[language] }

if (document) document.documentElement.lang = language

type File = { default: Readonly<Record<string, string>> }

async function load(file: () => Promise<File>): Promise<File['default'] | undefined> {
  try {
    return (await file()).default
  } catch {
    return undefined
  }
}

let rest: Promise<void> | undefined

/** To be awaited before a module is loaded that is no part of the first view: it may say its texts as it loads. */
export async function allTexts(): Promise<void> {
  if (language === 'en') return
  rest ??= loadRest(FILES[language].later)
  return rest
}

async function loadRest(later: () => Promise<File>): Promise<void> {
  const more = await load(later)
  Object.assign(known, more)
  // Without them pages are English for now; the next one asks again.
  if (!more) rest = undefined
}

/** Sets the language chosen in this browser; undefined follows the browser's setting. */
export function speak(next: Language | undefined): void {
  keep(next)
}

/** Sets the language of the account. Without one, a language stored by another account in this browser is cleared. */
export function speakAs(account: Language | undefined): void {
  const { by_account } = kept()
  if (account !== undefined) keep(`${account} ${BY_ACCOUNT}`)
  else if (by_account) keep(undefined)
}

/** Texts are chosen while the pages are loaded, so another language loads them again. */
function keep(value: string | undefined): void {
  if (value === undefined) localStorage?.removeItem(KEPT)
  else localStorage?.setItem(KEPT, value)
  if (wantedLanguage() !== wanted) location?.reload()
}

function wantedLanguage(): Language {
  if (!document) return 'en'
  const wishes = navigator?.languages.map((wish) => wish.slice(0, 2)) ?? []
  return kept().language ?? wishes.find(isLanguage) ?? 'en'
}

function kept(): { language: Language | undefined; by_account: boolean } {
  const [word, by] = localStorage?.getItem(KEPT)?.split(' ') ?? []
  return { language: isLanguage(word) ? word : undefined, by_account: by === BY_ACCOUNT }
}

function isLanguage(word: string | undefined): word is Language {
  return LANGUAGES.some(({ value }) => value === word)
}
