/** A part of a language's texts, cut by `console/text-parts.ts`. */
declare module '*.json?first' {
  const texts: Readonly<Record<string, string>>
  export default texts
}

declare module '*.json?later' {
  const texts: Readonly<Record<string, string>>
  export default texts
}
