import { isRecord } from '../../values/record.ts'
import type { Taken } from './cloud-api.ts'
import { buttonsOf, seedTemplate, type SeededTemplate } from './templates.ts'

type Choice = { title: string; message: object }

/**
 * What a person sends who answers a message: with the title of one of its buttons or rows they choose it, with an emoji they
 * react, with anything else they write.
 */
export function answerTo(message: Taken | undefined, text: string, templates: readonly SeededTemplate[]): object {
  const chosen = message && choicesOf(message, templates).find(({ title }) => isSame(title, text))
  if (message && chosen) return { ...chosen.message, context: { id: message.wamid } }
  if (message && EMOJI.test(text)) return { type: 'reaction', reaction: { message_id: message.wamid, emoji: text } }
  return { type: 'text', text: { body: text } }
}

const EMOJI = /^\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?$/u

function isSame(title: string, text: string): boolean {
  return title.trim().toLowerCase() === text.trim().toLowerCase()
}

function choicesOf(message: Taken, templates: readonly SeededTemplate[]): Choice[] {
  if (message.template) return quickReplies(message.template, templates)
  const action = fieldsOf(fieldsOf(fieldsOf(message).interactive).action)
  const replies = listOf(action.buttons).map((button) => fieldsOf(button.reply))
  const rows = listOf(action.sections).flatMap((section) => listOf(section.rows))
  return [
    ...replies.map((one) => interactive('button_reply', one)),
    ...rows.map((one) => interactive('list_reply', one)),
  ]
}

function interactive(type: string, chosen: Record<string, unknown>): Choice {
  return { title: String(chosen.title), message: { type: 'interactive', interactive: { type, [type]: chosen } } }
}

/** The buttons of a template; their payloads are in the message. */
function quickReplies(given: NonNullable<Taken['template']>, templates: readonly SeededTemplate[]): Choice[] {
  const template = templates
    .map(seedTemplate)
    .find((one) => one.name === given.name && one.language === given.language.code)
  return (template ? buttonsOf(template) : []).flatMap((button, n) => {
    if (button.type !== 'QUICK_REPLY') return []
    const text = String(button.text)
    const parts = given.components.filter((one) => one.sub_type === 'quick_reply' && Number(one.index) === n)
    const [parameter] = parts.flatMap(({ parameters }) => listOf(parameters))
    const payload = parameter?.payload ?? text
    return [{ title: text, message: { type: 'button', button: { text, payload } } }]
  })
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}
