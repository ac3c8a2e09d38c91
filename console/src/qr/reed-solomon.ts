/** The field of 256 elements over x⁸ + x⁴ + x³ + x² + 1: powers of 2, twice over, and their logarithms. */
const POWERS: number[] = []
const LOGARITHMS: number[] = []
for (let power = 0, value = 1; power < 255; power += 1) {
  POWERS[power] = value
  POWERS[power + 255] = value
  LOGARITHMS[value] = power
  value = value < 128 ? value << 1 : (value << 1) ^ 0x11d
}

function times(a: number, b: number): number {
  if (a === 0 || b === 0) return 0
  return POWERS[(LOGARITHMS[a] ?? 0) + (LOGARITHMS[b] ?? 0)] ?? 0
}

/** What is added to the data so that a reader can mend it: the remainder of a division by (x - 1)(x - 2)(x - 4)… */
export function errorCorrection(data: readonly number[], length: number): number[] {
  const divisor = divisorOf(length)
  const rest = Array.from({ length }, () => 0)
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0)
    rest.push(0)
    for (const [at, coefficient] of divisor.entries()) rest[at] = (rest[at] ?? 0) ^ times(coefficient, factor)
  }
  return rest
}

/** Without its first coefficient, which is 1. */
function divisorOf(length: number): number[] {
  let product = [1]
  for (let power = 0; power < length; power += 1) {
    const root = POWERS[power] ?? 1
    product = [...product, 0].map((value, at) => value ^ times(product[at - 1] ?? 0, root))
  }
  return product.slice(1)
}
