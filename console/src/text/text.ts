import { chosen, texts } from './language.ts'
import { wordingOf } from './wording.ts'

export const { t, plural, Rich, number } = wordingOf(chosen, texts)
