/** A request without an answer. `not_sent`: certainly never left, or refused unseen. `unanswered`: it may have arrived. */
export class SubmitFault extends Error {
  override readonly name = 'SubmitFault'
  readonly fate: 'not_sent' | 'unanswered'
  constructor(fate: SubmitFault['fate'], sentence: string) {
    super(sentence)
    this.fate = fate
  }
}
