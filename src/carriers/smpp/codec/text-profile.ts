/** How a carrier wants texts. */
export type TextProfile = {
  /** What data_coding 0 means there. A text it cannot hold goes as UCS-2. */
  alphabet: 'gsm7' | 'latin1' | 'ascii' | 'gsm7-packed'
  /** How the segments of a long text are numbered; `payload`: not at all, the SMSC splits it. */
  long: 'udh8' | 'udh16' | 'sar' | 'payload'
  /** Shown at once and not stored. */
  flash?: boolean
}
