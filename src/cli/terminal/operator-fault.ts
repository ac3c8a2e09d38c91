/** An error that the operator can fix, as one sentence. */
export class OperatorFault extends Error {}
