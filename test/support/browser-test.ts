import { inject, test } from 'vitest'

/** A test that needs a browser. It is skipped without one, and the end of the run says so. */
export const browserTest = inject('has_browser') ? test : test.skip
