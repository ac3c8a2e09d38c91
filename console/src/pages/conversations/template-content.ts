import type { MetaTemplate } from '../../../../clients/typescript/src/types.ts'
import { t } from '../../text/text.ts'
import type { Content } from '../../ui/whatsapp/content.ts'
import { draftOf, shownOf } from '../templates/whatsapp.ts'

/** A message that was sent as a template, with what only the template at Meta has: its title, footer and buttons. */
export function withTemplate(content: Content, at_meta: readonly MetaTemplate[]): Content {
  const { template, header } = content
  const known = at_meta.find(({ name, language }) => name === template?.name && language === template.language)
  if (!known) return content
  const draft = shownOf(draftOf(known))
  const title = draft.header_value.replace(/\{\{[^{}]+\}\}/, () => header?.text ?? '')
  return {
    ...content,
    ...(draft.header === 'text' ? { header: { text: title } } : {}),
    ...(draft.footer === '' ? {} : { footer: draft.footer }),
    reply_buttons: draft.buttons.map(({ type, text }, n) => ({
      id: String(n),
      title: type === 'COPY_CODE' ? t('Copy the code') : text,
    })),
  }
}
