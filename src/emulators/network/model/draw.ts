import { durationMs } from '../scenario/duration.ts'
import type { Delay } from '../scenario/schema.ts'

/**
 * Random numbers that are functions of a key, not of the order in which they are drawn: the same seed, carrier, number and
 * attempt have the same fate whatever else happens at the same time.
 */
export function keyOf(seed: number, text: string): number {
  let key = mix(seed ^ GOLDEN)
  for (let n = 0; n < text.length; n++) key = Math.imul(key ^ text.charCodeAt(n), FNV_PRIME)
  return mix(key)
}

export function derive(key: number, purpose: number): number {
  return mix(key + Math.imul(purpose + 1, GOLDEN))
}

/** In [0, 1). Two purposes of one key are independent. */
export function draw(key: number, purpose: number): number {
  return derive(key, purpose) / 4_294_967_296
}

/** The finaliser of MurmurHash3. */
function mix(key: number): number {
  key = Math.imul(key ^ (key >>> 16), 0x85ebca6b)
  key = Math.imul(key ^ (key >>> 13), 0xc2b2ae35)
  return (key ^ (key >>> 16)) >>> 0
}

const GOLDEN = 0x9e3779b9
const FNV_PRIME = 0x01000193

/** A log-normal distribution: its median, and the logarithm by which one standard deviation differs. */
export type DelayCurve = { median_ms: number; sigma: number }

export function delayCurve({ median, p95 }: Delay): DelayCurve {
  const median_ms = durationMs(median)
  const sigma = p95 === undefined ? 0 : Math.log(durationMs(p95) / median_ms) / Z_OF_P95
  return { median_ms, sigma }
}

/** In milliseconds. */
export function drawDelay({ median_ms, sigma }: DelayCurve, key: number, purpose: number): number {
  if (sigma === 0) return median_ms
  const own = derive(key, purpose)
  const radius = Math.sqrt(-2 * Math.log(1 - draw(own, 0)))
  return median_ms * Math.exp(sigma * radius * Math.cos(2 * Math.PI * draw(own, 1)))
}

const Z_OF_P95 = 1.6449
