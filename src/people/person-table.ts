/** A table with data of people, and what of each of its columns is theirs. */
export type PersonTable = {
  table: string
  /** What it is, to somebody who reads an export. */
  says: string
  /**
   * Whose rows are looked at: the organisation's that asks; those of nobody, which are texts to numbers that belong to
   * no organisation and what operators did; or of a table that knows no organisations all.
   */
  whose: 'organisation' | 'nobody' | 'all'
  /** What it is walked by, beside the organisation: its key or, where that is none, an index. */
  key: Readonly<Record<string, KeyType>>
  /** Columns that are the number. */
  numbers?: readonly string[]
  /** Columns in which it may stand, or a text to or from the person. */
  mentions?: Readonly<Record<string, MentionType>>
  /** Mentions that are unique, such as keys: two spellings of the number must not become the same. */
  unique?: readonly string[]
  /** Characters the database allows in a mention, where it has a limit. */
  longest?: Readonly<Record<string, number>>
  /** Every row is looked at, whatever is in it: the number may be in several rows together. */
  every?: boolean
  /** What rows about the person hold besides, and become when it is erased. */
  emptied?: Readonly<Record<string, null | ''>>
  /** Also of others: an export shows the person's part. */
  shared?: readonly string[]
  /** Shown in an export, and neither a number nor a text. */
  shows?: readonly string[]
  /** Words of the service that say nothing about anybody, and what nobody can read. */
  besides?: readonly string[]
  /** Rows about the person go altogether, or lose what is theirs. */
  then: 'remove' | 'rewrite'
  /** Found by the number itself, without a walk. */
  probe?: boolean
}

/** `segments` are the parts of one text, in which the number may be cut. */
export type MentionType = 'text' | 'jsonb' | 'text[]' | 'segments' | 'bytea'

export type KeyType = 'uuid' | 'text' | 'integer' | 'smallint' | 'bigint'

export const created = 'created_datetime'
