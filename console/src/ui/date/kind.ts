/**
 * What is picked, and how it is written in `value`: a day is `2026-11-20`, a time of day `21:30`, and a moment an instant
 * such as `2026-11-20T20:30:00.000Z`, shown in the time zone of the organisation. Nothing is ''.
 */
export type Kind = 'day' | 'time' | 'moment'
