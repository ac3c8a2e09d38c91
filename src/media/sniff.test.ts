import { expect, test } from 'vitest'
import { sniffTypes, isAnimatedWebp } from './sniff.ts'

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const ftyp = (brand: string): Buffer => latin1(`\0\0\0\x18ftyp${brand}\0\0\0\0`)
/** The first entries of an archive: a local header of 30 bytes before each name. */
const zip = (...names: string[]): Buffer => latin1(names.map((name) => `PK\x03\x04${'\0'.repeat(26)}${name}`).join(''))

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const SLIDES = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'

test.each<[string, Buffer, string[]]>([
  ['JPEG', latin1('\xff\xd8\xff\xe0\0\x10JFIF'), ['image/jpeg']],
  ['PNG', latin1('\x89PNG\r\n\x1a\n\0'), ['image/png']],
  ['WebP', latin1('RIFF\x10\0\0\0WEBPVP8 '), ['image/webp']],
  ['WAV, the same container as WebP', latin1('RIFF\x10\0\0\0WAVEfmt '), []],
  ['3GP', ftyp('3gp4'), ['video/3gpp']],
  ['M4A', ftyp('M4A '), ['audio/mp4']],
  ['MP4 of a general brand', ftyp('isom'), ['video/mp4', 'audio/mp4']],
  ['HEIC, the same container as MP4', ftyp('heic'), []],
  ['AMR', latin1('#!AMR\n'), ['audio/amr']],
  ['Ogg with Opus', latin1(`OggS${'\0'.repeat(24)}OpusHead`), ['audio/ogg']],
  ['Ogg with Vorbis', latin1(`OggS${'\0'.repeat(24)}\x01vorbis`), []],
  ['MP3 with a tag', latin1('ID3\x04\0\0'), ['audio/mpeg', 'audio/aac']],
  ['MP3 without a tag', latin1('\xff\xfb\x90\x64'), ['audio/mpeg']],
  ['AAC', latin1('\xff\xf1\x50\x80'), ['audio/aac']],
  ['PDF', latin1('%PDF-1.7\n'), ['application/pdf']],
  ['PDF behind some bytes', latin1('\n\n%PDF-1.4'), ['application/pdf']],
  ['Word', zip('[Content_Types].xml', '_rels/.rels', 'word/document.xml'), [WORD]],
  ['Excel', zip('[Content_Types].xml', 'xl/workbook.xml'), [SHEET]],
  ['PowerPoint', zip('[Content_Types].xml', 'ppt/presentation.xml'), [SLIDES]],
  ['an office document whose folder comes later', zip('[Content_Types].xml'), [WORD, SHEET, SLIDES]],
  ['another archive', zip('META-INF/MANIFEST.MF', 'classes.dex'), []],
  [
    'Office 97',
    latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
    ['application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint'],
  ],
  ['a text', Buffer.from('Grüße, 你好'), ['text/plain']],
  ['a text cut within a character', Buffer.from('Grüße 你').subarray(0, -1), ['text/plain']],
  ['HTML, which is a text', Buffer.from('<html><script>alert(1)</script>'), ['text/plain']],
  ['a text in another encoding', latin1('Gr\xfc\xdfe aus K\xf6ln'), []],
  ['a program', latin1('\x7fELF\x02\x01\x01\0'), []],
  ['a program of Windows', latin1('MZ\x90\0\x03'), []],
  ['SVG, which is a text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), ['text/plain']],
  ['nothing', Buffer.alloc(0), []],
])('recognises %s', (_, head, types) => {
  expect(sniffTypes(head)).toEqual(types)
})

test('an animated sticker is one by the flag of its header', () => {
  const webp = (flags: number): Buffer => latin1(`RIFF\x10\0\0\0WEBPVP8X\x0a\0\0\0${String.fromCharCode(flags)}`)
  expect([isAnimatedWebp(webp(0x02)), isAnimatedWebp(webp(0x10)), isAnimatedWebp(latin1('RIFF'))]).toEqual([
    true,
    false,
    false,
  ])
})
