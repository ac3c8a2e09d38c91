import { STANDARD_PAGES } from '../values/sms/page-form.ts'
import { measureText } from '../values/sms/sms-text.ts'
import { MAX_TEMPLATE } from './schema.ts'
import type { Fault } from '../values/refusal.ts'

export type TextFacts = { token: string; minutes: number; sender_id: string | null }

/**
 * The text of an OTP, and the same with a masked token. With an origin its last line binds the code to that domain, so
 * that phones offer to fill it in there only.
 */
export function writeText(template: string, origin: string, facts: TextFacts): { text: string; shown: string } {
  const whole = origin === '' ? template : `${template}\n\n@${origin} #{{token}}`
  const fill = (token: string): string =>
    whole.replace(PLACEHOLDER, (_, inside: string) => {
      const name = inside.trim()
      if (name === 'token') return token
      return name === 'minutes' ? String(facts.minutes) : (facts.sender_id ?? 'verification')
    })
  return { text: fill(facts.token), shown: fill('*'.repeat(facts.token.length)) }
}

/**
 * Masks the token in a text that the caller wrote, and everything else that could be one. The length and the alphabet
 * stay the same.
 */
export function hideToken(text: string, token: string | undefined): string {
  const hidden = token === undefined ? text : text.replaceAll(token, '*'.repeat(token.length))
  return hidden.replace(/[A-Za-z0-9]+/g, (word) => (isTokenLike(word) ? '*'.repeat(word.length) : word))
}

function isTokenLike(word: string): boolean {
  return word.length >= 4 && /[0-9]/.test(word)
}

// Blanks inside are trimmed separately: matching them here would backtrack for minutes on a text of blanks.
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
const KNOWN = ['token', 'minutes', 'sender']
const MAX_PAGES = 4

export function checkTemplate(template: string, faults: Fault[]): void {
  const field = 'template'
  const too_long = `The text has at most ${MAX_TEMPLATE} characters and ${MAX_PAGES} pages.`
  if (template.length > MAX_TEMPLATE) return void faults.push({ field, message: too_long, type: 'string_too_long' })
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim())
  for (const name of new Set(names)) {
    if (KNOWN.includes(name)) continue
    const message = `There is no placeholder {{${name}}}; known are ${KNOWN.map((known) => `{{${known}}}`).join(', ')}.`
    faults.push({ field, message, type: 'unknown_placeholder' })
  }
  if (!names.includes('token')) faults.push({ field, message: 'The text must have {{token}} in it.', type: 'invalid' })
  if (template.includes('\u0000')) faults.push({ field, message: 'The text holds a NUL character.', type: 'invalid' })
  if (measureText(template, STANDARD_PAGES).pages > MAX_PAGES) {
    faults.push({ field, message: too_long, type: 'string_too_long' })
  }
}
