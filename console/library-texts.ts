import type { Plugin } from 'vite'

/** The languages of the console, as React Aria names its files. */
const SPOKEN = /(en-US|fr-FR)\.m?js$/
const TEXTS = /\/react-(aria|aria-components|stately)\/.*\/intl\/.*\/[a-z]{2}-[A-Z]{2}\.m?js$/

/** React Aria brings its texts in 34 languages; those that the console does not speak are left out of the build. */
export function libraryTexts(): Plugin {
  return {
    name: 'library-texts',
    enforce: 'pre',
    load: (id) => (TEXTS.test(id) && !SPOKEN.test(id) ? 'export default {}' : null),
  }
}
