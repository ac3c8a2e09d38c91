import type { Scenario } from '../scenario/schema.ts'
import { delayCurve, derive, draw, drawDelay, keyOf } from './draw.ts'

/** What a person does with a text. Times are simulated milliseconds since the phone showed it. */
export type Reaction =
  | { kind: 'enter'; token: string; after_ms: number; mistypes: boolean }
  | { kind: 'answer'; text: string; after_ms: number }

/** `count`: the texts that this phone showed before. */
export type React = (number: string, text: string, count: number) => Reaction[]

const DRAW = { enter: 1, enter_after: 2, mistype: 3, answers: 10 }

/** The reactions of people to texts, as functions of the seed, the number and its count of texts. */
export function makePeople({ seed, people }: Pick<Scenario, 'seed' | 'people'>): React {
  const otp = people.otp && {
    ...people.otp,
    pattern: new RegExp(people.otp.pattern, 'u'),
    after: delayCurve(people.otp.after),
  }
  const answers = people.answers.map((answer, n) => ({
    ...answer,
    pattern: new RegExp(answer.pattern, 'u'),
    after: delayCurve(answer.after),
    purpose: DRAW.answers + 2 * n,
  }))
  const people_seed = keyOf(seed, 'people')

  return (number, text, count) => {
    const key = derive(keyOf(people_seed, number), count)
    const found = otp?.pattern.exec(text)
    const token = found?.[1] ?? found?.[0]
    const reactions: Reaction[] = answers
      .filter(({ pattern, share, purpose }) => draw(key, purpose) < share && pattern.test(text))
      .map((answer) => ({
        kind: 'answer',
        text: answer.text,
        after_ms: drawDelay(answer.after, key, answer.purpose + 1),
      }))
    if (otp && token !== undefined && draw(key, DRAW.enter) < otp.enter) {
      const after_ms = drawDelay(otp.after, key, DRAW.enter_after)
      reactions.push({ kind: 'enter', token, after_ms, mistypes: draw(key, DRAW.mistype) < otp.mistype })
    }
    return reactions
  }
}
