import * as fc from 'fast-check'

// Characters of two septets or two units move page boundaries, and some carriers' alphabets lack some of these.
const FILLERS = ['a', '€', '[', 'é', 'Δ', '₦', 'ç', '😀', 'aé', 'a€', 'aΔ', 'a😀', '₦😀']
const SPECIALS = ['', '€', '[', '😀', 'Δ', 'é', '₦', 'ç']
const UNITS = [160, 153, 152, 140, 134, 133, 80, 76, 70, 67, 66]

/** Texts with about the length of some pages, up to more than may be sent. */
export const pageTexts: fc.Arbitrary<string> = fc
  .record({
    filler: fc.constantFrom(...FILLERS),
    unit: fc.constantFrom(...UNITS),
    count: fc.integer({ min: 1, max: 12 }),
    more: fc.integer({ min: -3, max: 3 }),
    special: fc.constantFrom(...SPECIALS),
    at: fc.nat(),
  })
  .map(({ filler, unit, count, more, special, at }) => {
    const length = unit * count + more
    const characters = Array.from(filler.repeat(length)).slice(0, length)
    if (special !== '') characters.splice(at % (length + 1), 0, special)
    return characters.join('')
  })
