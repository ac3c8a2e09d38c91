import { inject, test } from 'vitest'

/** A test that needs a browser. Where there is none it is left out, and the end of the run says so. */
export const browserTest = inject('has_browser') ? test : test.skip
