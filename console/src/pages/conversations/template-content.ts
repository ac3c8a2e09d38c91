import type { MetaTemplate } from '../../../../clients/typescript/src/types.ts'
import { t } from '../../text/text.ts'
import { copyChoice, type Choice, type Content } from '../../ui/whatsapp/content.ts'
import { cardsOf, draftOf, parametersOf, shownOf, type Button } from '../templates/whatsapp.ts'

/** A message that was sent as a template, with what only the template at Meta has: its title, footer and buttons. */
export function withTemplate(content: Content, at_meta: readonly MetaTemplate[]): Content {
  const { template, header, buttons, cards } = content
  const known = at_meta.find(({ name, language }) => name === template?.name && language === template.language)
  if (!known) return content
  const draft = shownOf(draftOf(known))
  const known_cards = cardsOf(known)
  return {
    ...content,
    ...(draft.header === 'text' ? { header: { text: filled(draft.header_value, [header?.text ?? '']) } } : {}),
    ...(draft.footer === '' ? {} : { footer: draft.footer }),
    choices: choicesWith(draft.buttons, buttons),
    ...(cards && {
      cards: cards.map((card, n) => ({
        ...card,
        text: filled(known_cards[n]?.body ?? '', card.texts ?? []),
        choices: choicesWith(known_cards[n]?.buttons ?? [], card.buttons),
      })),
    }),
  }
}

function filled(text: string, values: readonly string[]): string {
  const names = parametersOf(text)
  if (names.every((name) => /^\d+$/.test(name))) names.sort((a, b) => Number(a) - Number(b))
  return text.replace(/\{\{([^{}]+)\}\}/g, (_, name: string) => values[names.indexOf(name.trim())] ?? '')
}

function choicesWith(buttons: readonly Button[], given: Content['buttons'] = []): Choice[] {
  return buttons.map(({ place, type, text, value }) => {
    const own = given.find(({ index }) => index === place)
    if (type === 'QUICK_REPLY') return { kind: 'button_reply', id: own?.payload ?? text, title: text }
    if (type === 'COPY_CODE') {
      return own?.code === undefined ? { kind: 'other', title: t('Copy the code') } : copyChoice(own.code)
    }
    const url = type === 'URL' ? filled(value, [own?.url ?? '']) : ''
    return { kind: 'other', title: text, ...(/^https?:\/\//.test(url) ? { url } : {}) }
  })
}
