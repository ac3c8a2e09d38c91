/** A form that is measured, and not decoded yet: the handler decodes it, as text or as octets. */
export class FormText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
