/** A page gets the rest of its path: on `#/messages/0193…` the page `messages` gets `['0193…']`. */
export type PageProps = { rest: string[] }
