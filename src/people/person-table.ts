/** A table with personal data, and which of its columns hold it. */
export type PersonTable = {
  table: string
  /** Describes the table to the reader of an export. */
  says: string
  /**
   * Which rows are scanned: those of the requesting organisation; those without one (texts to numbers that belong to no
   * organisation, actions of operators); or, in a table without organisations, all.
   */
  whose: 'organisation' | 'unowned' | 'all'
  /** The columns that a scan is ordered by, after the organisation: the primary key or an index. */
  key: Readonly<Record<string, KeyType>>
  /** Columns that hold a number. */
  numbers?: readonly string[]
  /** Columns that may contain the number, or a text to or from the person. */
  mentions?: Readonly<Record<string, MentionType>>
  /** Mentions with a unique constraint: two spellings of the number must not become equal. */
  unique?: readonly string[]
  /** Maximum length in characters of a mention, where the column has one. */
  longest?: Readonly<Record<string, number>>
  /** Every row is examined: the number may be split over several rows. */
  every?: boolean
  /** Further columns of rows about the person, with their values after erasure. */
  emptied?: Readonly<Record<string, null | ''>>
  /** Columns with data of several people: an export includes only the person's part. */
  shared?: readonly string[]
  /** Columns included in an export that hold neither a number nor a text. */
  shows?: readonly string[]
  /** Text columns without personal data. */
  besides?: readonly string[]
  /** Whether rows about the person are deleted, or only their personal data. */
  then: 'remove' | 'rewrite'
  /** Found by the number itself, without a scan. */
  probe?: boolean
}

/** `segments` are the parts of one text: the number may be split between two. */
export type MentionType = 'text' | 'jsonb' | 'text[]' | 'segments' | 'bytea'

export type KeyType = 'uuid' | 'text' | 'integer' | 'smallint' | 'bigint'

export const created = 'created_datetime'
