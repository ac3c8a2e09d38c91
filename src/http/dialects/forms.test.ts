import { describe, expect, test } from 'vitest'
import { readForm } from './request.ts'
import { readMultipart } from '../body/forms.ts'

function fieldsOf(body: string, content_type = 'multipart/form-data; boundary=XX') {
  return Object.fromEntries(readForm(readMultipart(Buffer.from(body), content_type)))
}
const part = (name: string, value: string) =>
  `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

describe('a multipart form', () => {
  test('has its text fields read, with line breaks and other alphabets in them', () => {
    const body = `${part('To', '+2348031234567')}${part('Body', 'Ẹ káàárọ̀ 😀\r\n--X')}${part('To', '')}--XX--\r\n`
    expect(fieldsOf(body)).toEqual({ To: ['+2348031234567', ''], Body: ['Ẹ káàárọ̀ 😀\r\n--X'] })
  })

  test('may have a preamble, a quoted boundary, and no part at all', () => {
    expect(fieldsOf(`preamble\r\n${part('a', '1')}--XX--`, 'multipart/form-data; boundary="XX"')).toEqual({ a: ['1'] })
    expect(fieldsOf('--XX--')).toEqual({})
  })

  test.each([
    ['--XX', 'multipart/form-data; boundary=XX'],
    [part('a', '1'), 'multipart/form-data; boundary=XX'],
    [`${part('a', '1')}--XX--`, 'multipart/form-data'],
    [`${part('a', '1')}--XX--`, `multipart/form-data; boundary=${'X'.repeat(71)}`],
    ['--XX\r\nContent-Type: text/plain\r\n\r\n1\r\n--XX--', 'multipart/form-data; boundary=XX'],
    [`--XX\r\nContent-Disposition: form-data; name="a"; filename="a.txt"\r\n\r\n1\r\n--XX--`, 'x; boundary=XX'],
    [`--XX\r\n${'h'.repeat(2_000)}; name="a"\r\n\r\n1\r\n--XX--`, 'multipart/form-data; boundary=XX'],
    [`${part('a', '1').repeat(201)}--XX--`, 'multipart/form-data; boundary=XX'],
  ])('is refused where it is not well formed, has a file, or too many parts (%#)', (body, content_type) => {
    expect(() => fieldsOf(body, content_type)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })

  test('of the largest size is read in one pass', () => {
    const marks = '\r\n--X'.repeat(50_000)
    expect(fieldsOf(`${part('a', marks)}--XX--`)).toEqual({ a: [marks] })
  })
})
