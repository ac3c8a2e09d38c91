import { CloudFault } from './errors.ts'
import type { MediaStore } from './media.ts'
import { numberIn, optionalTextIn, textIn, urlIn, type Given } from './read.ts'

const CAPTION = 1_024
const CAPTIONED = new Set(['image', 'video', 'document'])

export function checkMedia(type: string, given: Given, { media }: { media: Pick<MediaStore, 'kindOf'> }): void {
  if ((given.id === undefined) === (given.link === undefined)) {
    throw new CloudFault(131009, `Param ${type} must have either id or link.`)
  }
  if (given.link !== undefined) urlIn(given, 'link')
  else if (media.kindOf(textIn(given, 'id', 100)) !== type) {
    throw new CloudFault(100, `Param ${type}['id'] is not a valid whatsapp business account media attachment ID`)
  }
  if (given.caption !== undefined) {
    if (!CAPTIONED.has(type)) throw new CloudFault(100, `Unexpected key caption on param ${type}.`)
    textIn(given, 'caption', CAPTION)
  }
  if (given.filename !== undefined) {
    if (type !== 'document') throw new CloudFault(100, `Unexpected key filename on param ${type}.`)
    textIn(given, 'filename', 240)
  }
}

export function checkLocation(given: Given): void {
  numberIn(given, 'latitude', -90, 90)
  numberIn(given, 'longitude', -180, 180)
  optionalTextIn(given, 'name', 1_000)
  optionalTextIn(given, 'address', 1_000)
}
