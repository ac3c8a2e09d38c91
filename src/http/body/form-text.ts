/** A form within its size limit, not yet decoded: the handler decodes it as text or as octets. */
export class FormText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
