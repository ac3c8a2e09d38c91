import type { Network } from '../carriers/topup-carrier.ts'

/** The operator a number belongs to by its prefix, as far as one knows. Ported numbers keep their prefix. */
export type OperatorOf = (msisdn: string) => string | undefined

const PREFIXES: Record<Network, readonly string[]> = {
  MTN: ['703', '704', '706', '707', '803', '806', '810', '813', '814', '816', '903', '906', '913', '916'],
  Airtel: ['701', '708', '802', '808', '812', '901', '902', '904', '907', '911', '912'],
  Glo: ['705', '805', '807', '811', '815', '905', '915'],
  '9mobile': ['809', '817', '818', '908', '909'],
  NTEL: ['804'],
}

const OPERATORS = new Map(
  Object.entries(PREFIXES).flatMap(([operator, prefixes]) => prefixes.map((prefix) => [`234${prefix}`, operator])),
)
const PREFIX_LENGTH = 6
const NUMBER_LENGTH = 13

/** Nigeria's mobile prefixes, for as long as nobody hands in a better directory. */
export const operatorByPrefix: OperatorOf = (msisdn) =>
  msisdn.length === NUMBER_LENGTH ? OPERATORS.get(msisdn.slice(0, PREFIX_LENGTH)) : undefined
