import type { ChoiceSettings } from './settings.ts'

/** What is wrong with how a route chooses among its carriers. */
export function choiceFaults({ choose, shares, evidence }: ChoiceSettings, carriers: readonly string[]): string[] {
  const { least_percent = {}, most_percent = {} } = evidence
  const faults: string[] = []
  if (choose !== 'order' && carriers.length < 2) faults.push(`choose: ${choose} needs several carriers`)
  if (choose === 'shares' && !shares) faults.push('shares: are missing')
  if (choose !== 'shares' && shares) faults.push('shares: need `choose: shares`')
  const named = { shares, 'evidence.least_percent': least_percent, 'evidence.most_percent': most_percent }
  for (const [key, percents = {}] of Object.entries(named)) {
    const unknown = Object.keys(percents).filter((name) => !carriers.includes(name))
    faults.push(...unknown.map((name) => `${key}.${name}: is no carrier of the route`))
  }
  if (shares && sumOf(shares) === 0) faults.push('shares: at least one must be above 0')
  if (sumOf(least_percent) > 100) faults.push('evidence.least_percent: the sum is above 100')
  for (const [name, most] of Object.entries(most_percent)) {
    if ((least_percent[name] ?? 0) > most) faults.push(`evidence.most_percent.${name}: is below the least percent`)
  }
  if (Object.keys(most_percent).length === carriers.length && sumOf(most_percent) < 100) {
    faults.push('evidence.most_percent: the sum is below 100, and every carrier has one')
  }
  return faults
}

function sumOf(percents: Readonly<Record<string, number>>): number {
  return Object.values(percents).reduce((sum, percent) => sum + percent, 0)
}
