import { NETWORKS, type Network } from '../carriers/topup-carrier.ts'
import { presentOperator } from '../numbers/conclude.ts'
import type { NumberKnowledge } from '../numbers/knowledge.ts'

/** The network of a number by what is stored about it, also if it was ported; without the lookup provider, so it is free. */
export async function findNetwork(
  { numbers }: { numbers: Pick<NumberKnowledge, 'table' | 'find'> },
  msisdn: string,
): Promise<Network | undefined> {
  const known = await numbers.find([msisdn])
  const { operator } = presentOperator(numbers.table.originOf(msisdn), known.get(msisdn))
  return NETWORKS.find((network) => network === operator)
}
