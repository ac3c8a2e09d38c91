import type { Place } from './keys.ts'
import { literalOf, nameOf, nodeIn, nodesIn, walk, type Node, type Source } from './source.ts'

/** Properties, of elements and of objects, whose texts are shown. */
const READ = (
  'action alt aria-description aria-label confirm detail hint label lead legend loses note placeholder sentence summary ' +
  'title'
).split(' ')

/** Names, which are the same in every language. */
const NAMES =
  /\b(Android|API|cURL|curl|CSV|Ctrl|DND|E\.164|English|Français|GET|Gangan|GSM|HLR|HTTPS?|ID|IP|JSON|K|MTN|OTP|PATCH|PDU|PHP|POST|PUT|Python|QR|SIM|SMPP|SMS|SMSGate|Twilio|TypeScript|UCS|URL|UTC|WhatsApp|YOUR_KEY|authentik|FusionAuth|Keycloak|listmonk|Logto|Novu|Ory Kratos|Private Token|Supabase Auth|Zitadel)\b/g

/** One word with a sign or a digit in it is an example: an address, a column, a time. */
const EXAMPLE = /^\S*(\d|[._/@:{}]\S)\S*$/

/** A value of the API, such as `delete` in `{ action: 'delete' }`. */
const CODE = /^[a-z_]+$/

/** Texts in the source that are shown and not translated: text between tags, labels and the like, and toasts. */
export function findUntranslated(sources: readonly Source[]): Place[] {
  return sources.flatMap((source) =>
    [...walk(source.program)].flatMap(({ node, around }) =>
      shownBy(node, around)
        .filter(({ text }) => isWords(text))
        .map(({ text, at }) => ({ file: source.file, line: source.lineAt(at.start), text: text.trim() })),
    ),
  )
}

function isWords(text: string): boolean {
  const trimmed = text.trim()
  return /\p{L}{2}/u.test(trimmed.replace(NAMES, '')) && !EXAMPLE.test(trimmed)
}

type Shown = { text: string; at: Node }

function shownBy(node: Node, around: Node | undefined): Shown[] {
  switch (node.type) {
    case 'JSXText':
      return [{ text: String(node.value), at: node }]
    case 'JSXExpressionContainer':
      return around?.type === 'JSXAttribute' ? [] : literalsIn(nodeIn(node, 'expression'))
    case 'JSXAttribute':
      return shownByAttribute(node)
    case 'Property':
      return isRead(nodeIn(node, 'key')) ? literalsIn(nodeIn(node, 'value')).filter(({ text }) => !CODE.test(text)) : []
    case 'AssignmentPattern':
      return isRead(nodeIn(node, 'left')) ? literalsIn(nodeIn(node, 'right')) : []
    case 'CallExpression':
      return nameOf(nodeIn(node, 'callee')) === 'say' ? literalsIn(nodesIn(node, 'arguments')[0]) : []
    default:
      return []
  }
}

function shownByAttribute(attribute: Node): Shown[] {
  const value = nodeIn(attribute, 'value')
  const inner = value?.type === 'JSXExpressionContainer' ? nodeIn(value, 'expression') : value
  if (isRead(nodeIn(attribute, 'name'))) return literalsIn(inner)
  // The lines of a <DataList>: names and values.
  if (nameOf(nodeIn(attribute, 'name')) !== 'items' || inner?.type !== 'ArrayExpression') return []
  return nodesIn(inner, 'elements').flatMap((line) =>
    line.type === 'ArrayExpression' ? literalsIn(nodesIn(line, 'elements')[0]) : [],
  )
}

function isRead(name: Node | undefined): boolean {
  return READ.includes(nameOf(name) ?? literalOf(name) ?? '')
}

/** Texts that an expression may show directly. Calls are excluded: they may be `t`. */
function literalsIn(node: Node | undefined): Shown[] {
  if (!node) return []
  const text = literalOf(node)
  if (text !== undefined) return [{ text, at: node }]
  switch (node.type) {
    case 'ConditionalExpression':
      return [...literalsIn(nodeIn(node, 'consequent')), ...literalsIn(nodeIn(node, 'alternate'))]
    case 'LogicalExpression':
    case 'BinaryExpression':
      return COMPARED.test(String(node.operator))
        ? []
        : [...literalsIn(nodeIn(node, 'left')), ...literalsIn(nodeIn(node, 'right'))]
    case 'TemplateLiteral':
      return nodesIn(node, 'quasis').map((quasi) => ({ text: textOf(quasi), at: quasi }))
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
      return literalsIn(nodeIn(node, 'expression'))
    default:
      return []
  }
}

const COMPARED = /[=<>]/

function textOf({ value }: Node): string {
  return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : ''
}
