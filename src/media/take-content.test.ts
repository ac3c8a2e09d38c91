import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { takeContent, UnfitFile, type Declared } from './take-content.ts'

const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0])
const MB = 1024 * 1024

/** Pieces of a file, and how many bytes of it were read. */
function pieces(head: Buffer, size: number, piece = 65_536) {
  const read = { bytes: 0 }
  async function* generate(): AsyncGenerator<Buffer> {
    for (let at = 0; at < size; at += piece) {
      const bytes = Buffer.alloc(Math.min(piece, size - at))
      if (at === 0) head.copy(bytes)
      read.bytes += bytes.length
      yield bytes
    }
  }
  return { file: generate(), read }
}

async function take(file: AsyncIterable<Buffer>, declared: Declared = { type: undefined }) {
  const stored: Buffer[] = []
  let at = 0
  const content = await takeContent(file, declared, async (position, bytes) => {
    expect(position).toBe(at)
    at += bytes.length
    stored.push(Buffer.from(bytes))
  })
  return { ...content, stored: Buffer.concat(stored), chunks: stored.map(({ length }) => length) }
}

const of = (text: string): AsyncIterable<Buffer> => Readable.from([Buffer.from(text)])

test('stores a file in chunks of 256 KiB, with its type, size and checksum', async () => {
  const { file } = pieces(JPEG, 600_000)
  const taken = await take(file)
  expect(taken).toMatchObject({ type: 'image/jpeg', size: 600_000, chunks: [262_144, 262_144, 75_712] })
  expect(taken.sha256).toEqual(createHash('sha256').update(taken.stored).digest())
})

describe('refuses', () => {
  test.each<[string, Buffer, number, string]>([
    ['an image above 5 MB', JPEG, 5 * MB, '5 MB'],
    ['a video above 16 MB', Buffer.from('\0\0\0\x18ftypisom'), 16 * MB, '16 MB'],
    ['a document above 100 MB', Buffer.from('%PDF-1.7'), 100 * MB, '100 MB'],
    ['a sticker above 100 KB', Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 100 * 1024, '100 KB'],
    ['an animated sticker above 500 KB', Buffer.from('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x02'), 500 * 1024, '500 KB'],
  ])('%s, and reads no further', async (_, head, most, words) => {
    const discard = (): Promise<void> => Promise.resolve()
    expect((await takeContent(pieces(head, most).file, { type: undefined }, discard)).size).toBe(most)
    const larger = pieces(head, 3 * most)
    const fault: unknown = await takeContent(larger.file, { type: undefined }, discard).catch(
      (thrown: unknown) => thrown,
    )
    expect(fault).toBeInstanceOf(UnfitFile)
    expect(fault).toMatchObject({ is_too_large: true, message: expect.stringContaining(words) })
    // What is read beyond the limit is at most the chunk that is being filled.
    expect(larger.read.bytes).toBeLessThanOrEqual(Math.max(most, 262_144) + 65_536)
  })

  test('a declared type that is not the content’s', async () => {
    await expect(take(pieces(JPEG, 100).file, { type: 'application/pdf' })).rejects.toThrow(
      'declared as application/pdf, but it is image/jpeg',
    )
    await expect(take(of('MZ\x90\0'), { type: 'application/pdf' })).rejects.toThrow('but it is of another type')
  })

  test('content of an unknown type, and a type that WhatsApp does not send', async () => {
    await expect(take(of('\x7fELF\x02'))).rejects.toThrow('of no type that WhatsApp sends')
    await expect(take(of('a,b'), { type: 'text/csv' })).rejects.toThrow('does not send files of the type text/csv')
  })

  test('an empty file', async () => {
    await expect(take(of(''))).rejects.toThrow('The file is empty')
  })

  test('a text whose later part is not UTF-8, or ends within a character', async () => {
    const long = Buffer.concat([Buffer.from('a'.repeat(300_000)), Buffer.from([0xff, 0xfe])])
    await expect(take(Readable.from([long]))).rejects.toThrow('not in UTF-8')
    await expect(take(Readable.from([Buffer.from('Ü').subarray(0, 1)]))).rejects.toThrow('UTF-8')
  })

  test('an old office document of an undeclared kind', async () => {
    const file = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
    await expect(take(Readable.from([file]))).rejects.toThrow('declare which it is')
    expect(await take(Readable.from([file]), { type: 'application/vnd.ms-excel' })).toMatchObject({
      type: 'application/vnd.ms-excel',
    })
  })
})

describe('of a person', () => {
  const received = (type: string): Declared => ({ type, takes_unknown: true })

  test('a document of an unknown type is stored as such', async () => {
    expect(await take(of('PK\x03\x04\0classes.dex'), received('application/zip'))).toMatchObject({
      type: 'application/octet-stream',
    })
    expect(await take(of('a,b\n1,2'), received('text/csv'))).toMatchObject({ type: 'text/plain' })
  })

  test('one that claims a known type is refused', async () => {
    await expect(take(of('MZ\x90\0'), received('application/pdf'))).rejects.toThrow('declared as application/pdf')
  })
})

test('a general container is a video unless it is declared as audio', async () => {
  const file = (): AsyncIterable<Buffer> => of('\0\0\0\x18ftypisom')
  expect([(await take(file())).type, (await take(file(), { type: 'audio/mp4' })).type]).toEqual([
    'video/mp4',
    'audio/mp4',
  ])
})
