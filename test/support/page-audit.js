/**
 * Finds accessibility barriers in the page it runs in and returns a sentence for each. Plain JavaScript, because its
 * text is sent to the browser. Only visible elements are checked: expand collapsed ones before.
 */
// oxlint-disable-next-line no-unused-vars -- watch-page.ts calls it inside the page
function auditPage() {
  return [...new Set([...landmarks(), ...headings(), ...controls(), ...references(), ...tables(), ...paleTexts()])]
}

function landmarks() {
  const found = []
  if (!document.documentElement.lang) found.push('The page has no language.')
  if (!document.title) found.push('The page has no title.')
  if (seen('main').length !== 1) found.push(`There are ${seen('main').length} main landmarks.`)
  for (const nav of seen('nav')) if (!nav.getAttribute('aria-label')) found.push('A navigation has no label.')
  return found
}

function headings() {
  const found = []
  if (seen('h1').length !== 1) found.push(`There are ${seen('h1').length} headings of level 1.`)
  let before = 0
  for (const heading of seen('h1, h2, h3, h4, h5, h6')) {
    const level = Number(heading.tagName[1])
    if (level > before + 1) found.push(`${show(heading)} follows a heading of level ${before}.`)
    before = level
  }
  return found
}

function controls() {
  const found = []
  for (const control of seen('a, button, summary, input, select, textarea')) {
    if (!nameOf(control)) found.push(`${control.outerHTML.slice(0, 80)} has no name.`)
  }
  for (const image of seen('img')) if (!image.hasAttribute('alt')) found.push('An image has no alternative text.')
  for (const element of all('[tabindex]')) if (element.tabIndex > 0) found.push(`${show(element)} jumps the tab order.`)
  return found
}

function references() {
  const ids = all('[id]').map(({ id }) => id)
  const doubled = ids.filter((id, index) => ids.indexOf(id) !== index)
  const targets = all('a[href^="#"]').map((link) => link.getAttribute('href').slice(1))
  return [
    ...doubled.map((id) => `The id ${id} is there twice.`),
    ...targets.filter((id) => !ids.includes(id)).map((id) => `#${id} leads nowhere.`),
  ]
}

function tables() {
  const found = []
  for (const table of seen('table')) {
    if (!table.caption && !table.getAttribute('aria-label')) found.push('A table has no name.')
    if (table.querySelector('th:not([scope])')) found.push('A header of a table has no scope.')
  }
  return found
}

/** Text needs a contrast of 4.5 : 1, large text of 3 : 1 (WCAG 2, level AA). */
function paleTexts() {
  const found = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement
    if (!texts.currentNode.textContent.trim() || !isSeen(element)) continue
    const { color, fontSize, fontWeight } = getComputedStyle(element)
    const size = parseFloat(fontSize)
    const needed = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5
    const ratio = contrast(color, backgroundOf(element))
    if (ratio < needed) found.push(`${show(element)} has a contrast of ${ratio.toFixed(2)} : 1.`)
  }
  return found
}

function backgroundOf(element) {
  for (let at = element; at; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at)
    if (!/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor)) return backgroundColor
  }
  return 'rgb(255, 255, 255)'
}

function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour) {
  const [red, green, blue] = colour.match(/[\d.]+/g).map((part) => {
    const value = Number(part) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function nameOf(element) {
  const labels = [...(element.labels ?? [])].map((label) => label.textContent).join(' ')
  return (element.getAttribute('aria-label') ?? (labels || element.textContent)).trim()
}

function all(selector) {
  return [...document.querySelectorAll(selector)]
}

function seen(selector) {
  return all(selector).filter(isSeen)
}

function isSeen(element) {
  return element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
}

function show(element) {
  return `<${element.tagName.toLowerCase()}> "${element.textContent.trim().slice(0, 40)}"`
}
