import type { Answers } from './answers.ts'

type Account = Pick<Answers['GET /balance'], 'balance' | 'credit_limit'>

/** Whether the balance, with the credit limit, covers a charge. */
export function isCovered({ balance, credit_limit = 0 }: Account, charge: number): boolean {
  return balance + credit_limit >= charge
}
