import { isRecord, present } from '../../values/record.ts'
import type { OutgoingContent, OutgoingTemplate, OutgoingWhatsapp } from '../message-carrier.ts'
import { at } from '../vendor-values.ts'
import type { SentContent } from './content-schema.ts'
import { listAt } from './graph.ts'

/**
 * What a message was sent with, in the form in which it was requested: the reverse of `writeValue` in
 * `messaging/compose/whatsapp-content.ts`. Undefined if it is only a text.
 */
export function shownContent(sent: OutgoingWhatsapp): SentContent | undefined {
  const content = 'type' in sent ? contentOf(sent) : templateOf(sent)
  return Object.keys(content).length === 0 ? undefined : content
}

function contentOf({ type, value, reply_to }: OutgoingContent): SentContent {
  const quoted = present('reply_to', reply_to)
  switch (type) {
    case 'text':
      return quoted
    case 'reaction':
      return { ...quoted, ...fieldOf('reaction', at(value, 'emoji')) }
    case 'interactive':
      return { ...quoted, ...interactiveOf(value) }
    default:
      return { ...quoted, [type]: shownFile(value) }
  }
}

function interactiveOf(value: object): SentContent {
  const around = { ...headerOf(at(value, 'header')), ...fieldOf('footer', at(value, 'footer', 'text')) }
  const action = at(value, 'action')
  switch (at(value, 'type')) {
    case 'button':
      return {
        ...around,
        ...fieldOf(
          'reply_buttons',
          listAt(action, 'buttons').map((button) => at(button, 'reply')),
        ),
      }
    case 'list':
      return { ...around, ...fieldOf('list', action) }
    default: {
      const { display_text: title, url } = { ...recordOf(at(action, 'parameters')) }
      return { ...around, ...fieldOf('url_button', { title, url }) }
    }
  }
}

/** The values; what Meta's template adds, such as the titles of buttons, is not stored. */
function templateOf({ name, language, components = [] }: OutgoingTemplate): SentContent {
  const [carousel] = ofType(components, 'carousel')
  const cards = listAt(carousel, 'cards').map((card) => partOf(listAt(card, 'components')))
  return { template: { name, language }, ...partOf(components), ...fieldOf('cards', unlessEmpty(cards)) }
}

/** Header, buttons and, of a card, the values of its text. */
function partOf(components: readonly unknown[]): SentContent {
  const [parameter] = listAt(ofType(components, 'header')[0], 'parameters')
  const location = at(parameter, 'location')
  const texts = listAt(ofType(components, 'body')[0], 'parameters').map((one) => at(one, 'text'))
  return {
    ...(isRecord(location) ? fieldOf('location', placeOf(location)) : headerOf(parameter)),
    ...present('texts', unlessEmpty(texts)),
    ...fieldOf('buttons', unlessEmpty(ofType(components, 'button').map(buttonOf))),
  }
}

/** The values of a template are texts. */
function placeOf({ latitude, longitude, ...names }: Record<string, unknown>): object {
  return { latitude: Number(latitude), longitude: Number(longitude), ...names }
}

function buttonOf(button: unknown): object {
  const [parameter] = listAt(button, 'parameters')
  return {
    index: Number(at(button, 'index')),
    ...present('url', at(parameter, 'text')),
    ...present('payload', at(parameter, 'payload')),
    ...present('code', at(parameter, 'coupon_code')),
  }
}

function ofType(components: readonly unknown[], type: string): unknown[] {
  return components.filter((component) => at(component, 'type') === type)
}

function unlessEmpty<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined
}

function headerOf(header: unknown): SentContent {
  const type = at(header, 'type')
  return typeof type === 'string' ? fieldOf('header', { [type]: shownFile(at(header, type)) }) : {}
}

/** A file of ours is stored as `{ media_id }`. */
function shownFile(value: unknown): unknown {
  if (!isRecord(value) || value.media_id === undefined) return value
  const { media_id: id, ...others } = value
  return { id, ...others }
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

/** What we stored ourselves, in the form in which `readContent` wrote it. */
function fieldOf(name: keyof SentContent, value: unknown): SentContent {
  return value === undefined ? {} : { [name]: value }
}
