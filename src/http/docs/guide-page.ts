import { anchorOf } from '../../status/check.ts'
import { markdown } from './markdown.ts'
import { STYLES } from './styles.ts'

/** Links to documents that are not served: their text remains. */
const OTHER_DOCUMENT = /\[([^[\]]*)\]\((?!#)[^()]*\)/g

/** A file of docs/ as a page, so that an alert and the console can link to a section of it. */
export function guidePage(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${STYLES}</style>
</head>
<body>
<main id="content" class="words guide">
${markdown(text.replaceAll(OTHER_DOCUMENT, '$1'), 1, anchorOf)}
</main>
</body>
</html>
`
}
