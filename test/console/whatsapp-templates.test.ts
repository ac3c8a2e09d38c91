import { describe, expect, test } from 'vitest'
import {
  cardsOf,
  componentsOf,
  draftOf,
  EMPTY,
  isNamed,
  shownOf,
  withAnother,
  type Draft,
} from '../../console/src/pages/templates/whatsapp.ts'
import { checkTemplate } from '../../src/carriers/whatsapp/check-template.ts'
import type { MetaTemplateBody } from '../../src/carriers/whatsapp/template-schema.ts'
import { checkTemplate as checkAsMeta } from '../../src/emulators/whatsapp/check-template.ts'
import type { Fault } from '../../src/values/refusal.ts'

const named: Draft = {
  ...EMPTY,
  name: 'shipped',
  header: 'text',
  header_value: 'Order {{order}}',
  header_sample: '1042',
  body: 'Hello {{name}}, order {{order}} is on its way.',
  samples: { name: 'Ada', order: '1042' },
  footer: 'Reply STOP to opt out',
  buttons: [
    { place: 0, type: 'URL', text: 'Track', value: 'https://shop.example/{{1}}', sample: 'https://shop.example/1042' },
    { place: 1, type: 'PHONE_NUMBER', text: 'Call us', value: '+2348031234567', sample: '' },
    { place: 2, type: 'QUICK_REPLY', text: 'Got it', value: '', sample: '' },
  ],
}
const numbered: Draft = {
  ...EMPTY,
  name: 'sale',
  category: 'marketing',
  header: 'image',
  header_value: '4::aW',
  body: 'Only {{1}} today, {{2}} tomorrow.',
  samples: { 1: '5,000', 2: '6,000' },
  buttons: [{ place: 0, type: 'COPY_CODE', text: '', value: 'SPRING', sample: '' }],
}
const app = { place: 0, package_name: 'com.example.shop', signature_hash: 'K8a/AINcGX7' }
const login: Draft = { ...EMPTY, name: 'login', category: 'authentication' }
const oneTap: Draft = { ...login, otp: { ...EMPTY.otp, otp_type: 'ONE_TAP', autofill_text: 'Fill in', apps: [app] } }
const zeroTap: Draft = {
  ...login,
  otp: { ...EMPTY.otp, otp_type: 'ZERO_TAP', expires_min: '', apps: [app], accepts_terms: true },
}

/** The request of the form. */
function bodyOf(draft: Draft): MetaTemplateBody {
  const { name, language, category } = draft
  return {
    name,
    language,
    category,
    components: componentsOf(draft) as MetaTemplateBody['components'],
    ...(isNamed(draft) ? { parameter_format: 'named' } : {}),
  }
}

function faultsOf(draft: Draft): string[] {
  const faults: Fault[] = []
  checkTemplate(bodyOf(draft), faults)
  return faults.map(({ field }) => field)
}

describe('the form of a WhatsApp template', () => {
  test.each([
    ['named parameters', named],
    ['numbered parameters and a file', numbered],
    ['a code to copy', login],
    ['a code filled in with one tap', oneTap],
    ['a code filled in without a tap', zeroTap],
  ])('submits what the service and Meta accept: %s', (_, draft) => {
    expect(faultsOf(draft)).toEqual([])
    expect(() => checkAsMeta({ ...bodyOf(draft), category: draft.category.toUpperCase() })).not.toThrow()
  })

  test.each([named, numbered])('shows a template as it was submitted', (draft) => {
    const { name, language, category, components } = bodyOf(draft)
    expect(draftOf({ name, language, category, components })).toEqual(draft)
  })

  test('names the fields that the service names', () => {
    expect(faultsOf({ ...named, samples: { order: '1042' } })).toEqual(['components[1].example.body_text_named_params'])
    expect(faultsOf({ ...numbered, samples: {} })).toEqual(['components[1].example.body_text'])
    expect(faultsOf({ ...zeroTap, otp: { ...zeroTap.otp, accepts_terms: false } })).toEqual([
      'components[1].buttons[0].zero_tap_terms_accepted',
    ])
    expect(faultsOf({ ...oneTap, otp: { ...oneTap.otp, apps: [{ ...app, signature_hash: 'short' }] } })).toEqual([
      'components[2].buttons[0].supported_apps[0].signature_hash',
    ])
  })

  test('previews the text that Meta writes for a code', () => {
    expect(shownOf(login)).toMatchObject({
      body: '*{{1}}* is your verification code. For your security, do not share this code.',
      footer: 'This code expires in 10 minutes.',
      buttons: [{ text: 'Copy code' }],
    })
    expect(shownOf(zeroTap).footer).toBe('')
  })

  test('shows the cards of a carousel', () => {
    const card = { components: componentsOf({ ...numbered, buttons: [] }) }
    const cards = cardsOf({
      components: [
        { type: 'BODY', text: 'Look' },
        { type: 'CAROUSEL', cards: [card, card] },
      ],
    })
    expect(cards.map(({ place, header, body }) => [place, header, body])).toEqual([
      [0, 'image', numbered.body],
      [1, 'image', numbered.body],
    ])
  })

  test('gives an added button a place of its own, also after one was removed', () => {
    expect(withAnother(named.buttons.slice(1), { type: 'QUICK_REPLY', text: '' }).map(({ place }) => place)).toEqual([
      1, 2, 3,
    ])
  })
})
