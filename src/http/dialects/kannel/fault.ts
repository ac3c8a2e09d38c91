/** A fault in Kannel's words. */
export class KannelFault extends Error {
  readonly status: number

  constructor(sentence: string, status = 400) {
    super(sentence)
    this.name = 'KannelFault'
    this.status = status
  }
}
