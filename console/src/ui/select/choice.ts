/** One option of a select. */
export type Choice = { value: string; label: string }
