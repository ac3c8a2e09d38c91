import { isRecord } from '../../values/record.ts'
import { CloudFault } from './errors.ts'

/** A JSON object of a request, of which nothing is known yet. */
export type Given = Record<string, unknown>

export function objectIn(parent: Given, key: string): Given {
  const value = parent[key]
  if (value === undefined) throw new CloudFault(131008, `The parameter ${key} is required.`)
  if (!isRecord(value)) throw new CloudFault(100, `Param ${key} must be a JSON object.`)
  return value
}

export function listIn(parent: Given, key: string, most: number): Given[] {
  const value = parent[key]
  if (value === undefined) throw new CloudFault(131008, `The parameter ${key} is required.`)
  if (!Array.isArray(value)) throw new CloudFault(100, `Param ${key} must be an array.`)
  if (value.length === 0 || value.length > most) {
    throw new CloudFault(131009, `Param ${key} must have 1 to ${most} elements.`)
  }
  return value.map((one) => {
    if (!isRecord(one)) throw new CloudFault(100, `Param ${key} must be an array of JSON objects.`)
    return one
  })
}

/** A required text with at most `most` characters. */
export function textIn(parent: Given, key: string, most: number): string {
  const value = parent[key]
  if (value === undefined || value === '') throw new CloudFault(131008, `The parameter ${key} is required.`)
  if (typeof value !== 'string') throw new CloudFault(100, `Param ${key} must be a string.`)
  if (value.length > most) throw new CloudFault(131009, `Param ${key} must have at most ${most} characters.`)
  return value
}

/** A text that was checked before; anything else is as if it were absent. */
export function textOr(parent: Given, key: string, otherwise: string): string {
  const value = parent[key]
  return typeof value === 'string' ? value : otherwise
}

export function optionalTextIn(parent: Given, key: string, most: number): string | undefined {
  return parent[key] === undefined ? undefined : textIn(parent, key, most)
}

export function numberIn(parent: Given, key: string, least: number, most: number): number {
  const value = parent[key]
  if (value === undefined) throw new CloudFault(131008, `The parameter ${key} is required.`)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !(number >= least && number <= most)) {
    throw new CloudFault(131009, `Param ${key} must be a number between ${least} and ${most}.`)
  }
  return number
}

export function urlIn(parent: Given, key: string): string {
  const value = textIn(parent, key, 2_000)
  if (!/^https?:\/\/\S+$/.test(value)) throw new CloudFault(131009, `Param ${key} must be a URL.`)
  return value
}

/** The distinct variables of a text, in order. */
export function variablesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, name = '']) => name.trim()))]
}
