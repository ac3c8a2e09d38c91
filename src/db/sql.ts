/** The result of a statement: its rows, and how many it affected. */
export type Rows<T extends readonly object[]> = T & { readonly count: number }

/**
 * A statement that is sent when it is awaited. Inside another statement it is a fragment of that one.
 */
export type Query<T extends readonly object[] = readonly object[]> = PromiseLike<Rows<T>> & {
  catch<R>(onrejected: (fault: unknown) => R | PromiseLike<R>): Promise<Rows<T> | R>
}

/** SQL with bound values: sql`select … where id = ${id}`. A value is never part of the text. */
export type Sql = <T extends readonly object[] = Record<string, unknown>[]>(
  strings: TemplateStringsArray,
  ...values: readonly unknown[]
) => Query<T>

/**
 * Text and values of a statement. Statements composed of fragments have unboundedly many texts, so they are prepared only
 * if `prepare` was called for the whole or for each fragment.
 */
export type Written = { text: string; values: unknown[]; prepared: boolean }

export type Send = <T extends readonly object[]>(written: Written) => Promise<Rows<T>>

/** Makes the template tag for a pool, or a connection inside a transaction. */
export function makeSql(send: Send): Sql {
  return <T extends readonly object[]>(strings: TemplateStringsArray, ...values: readonly unknown[]) =>
    new Statement<T>(strings, values, send)
}

/**
 * Marks a composed statement that has few texts: the server keeps it prepared. Marks a fragment: it does not keep the
 * statement around it from being prepared.
 */
export function prepare<T extends readonly object[]>(query: Query<T>): Query<T> {
  if (query instanceof Statement) query.prepare()
  return query
}

/** A class, because a fragment must be distinguishable from a value. */
class Statement<T extends readonly object[]> implements Query<T> {
  readonly #strings: TemplateStringsArray
  readonly #values: readonly unknown[]
  readonly #send: Send
  #sent: Promise<Rows<T>> | undefined
  #few_forms = false

  constructor(strings: TemplateStringsArray, values: readonly unknown[], send: Send) {
    this.#strings = strings
    this.#values = values
    this.#send = send
  }

  prepare(): void {
    this.#few_forms = true
  }

  /** Appends this statement to a text under construction. */
  writeTo(written: Written): Written {
    written.text += this.#strings[0]
    for (const [n, value] of this.#values.entries()) {
      if (value instanceof Statement) {
        const prepared = written.prepared && value.#few_forms
        value.writeTo(written)
        written.prepared = prepared
      } else {
        written.values.push(value)
        written.text += `$${written.values.length}`
      }
      written.text += this.#strings[n + 1]
    }
    return written
  }

  then<A = Rows<T>, B = never>(
    onfulfilled?: ((rows: Rows<T>) => A | PromiseLike<A>) | null,
    onrejected?: ((fault: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#sent ??= this.#send<T>(this.#write())
    return this.#sent.then(onfulfilled, onrejected)
  }

  #write(): Written {
    const written = this.writeTo({ text: '', values: [], prepared: true })
    return this.#few_forms ? { ...written, prepared: true } : written
  }

  catch<R>(onrejected: (fault: unknown) => R | PromiseLike<R>): Promise<Rows<T> | R> {
    return this.then((rows) => rows, onrejected)
  }
}
