/** Something the person at the keyboard can mend, told in one sentence. */
export class OperatorFault extends Error {}
