import { chosen, texts } from './language.ts'
import { wordingOf } from './wording.ts'

export const { t, plural, Rich, number, percent, percentChange } = wordingOf(chosen, texts)
