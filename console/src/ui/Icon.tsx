/** Strokes on a grid of 20; drawn for this page, one line of path each. */
const PATHS = {
  start: 'M4 3v14M4 4h11l-2.500 3.500L15 11H4',
  overview: 'M3 16.500h14M5.500 16.500v-5M10 16.500v-12M14.500 16.500v-8',
  messages: 'M3 4.500h14v9H9l-4 3v-3H3zM6.500 7.500h7M6.500 10.500h4',
  send: 'M17 3 9 11M17 3l-5 14-3-6-6-3z',
  campaigns: 'M3 10h5M8 10l4-5h5M8 10h9M8 10l4 5h5',
  phones: 'M6 2.500h8v15H6zM9 15h2',
  otp: 'M6.500 9.500v-3a3.500 3.500 0 0 1 7 0v3M4.500 9.500h11v7h-11zM10 12v2',
  airtime: 'M10 17V9M10 9 7 17M10 9l3 8M6 10.500a5 5 0 1 1 8 0M3.500 12.500a8 8 0 1 1 13 0',
  contacts:
    'M7.500 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6M2.500 16.500c0-6 10-6 10 0M13 9.500a2.500 2.500 0 0 0 0-5M14.500 12c2 .5 3 2 3 4.500',
  lookup: 'M9 14.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11M13 13l4 4',
  optouts: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14M5 5l10 10',
  templates: 'M4 3h9l3 3v11H4zM7 8h6M7 11h6M7 14h3',
  senders: 'M3 8v4h3l7 4V4L6 8zM16 8c1 1 1 3 0 4',
  webhooks: 'M8 6.500a3 3 0 1 1 4 2.500l2 4M12 6 8.500 13H4.500M6 13.500a2.500 2.500 0 1 0 4 .500h4.500a2 2 0 1 0-.5-2',
  keys: 'M7 16a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7M9.500 10l7-7M13 6.500l2.500 2.500',
  organisations: 'M4 17V4h7v13M11 8h5v9M3 17h14M6.500 7.500h2M6.500 10.500h2M6.500 13.500h2M13 11.500h1M13 14h1',
  ledger: 'M4 3h12v14l-2-1.500-2 1.500-2-1.500L8 17l-2-1.500L4 17zM7 7h6M7 10.500h6',
  carriers:
    'M4 16.500h12M10 16.500V8M10 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4M5 3.500c-1.500 1.500-1.500 4 0 5.500M15 3.500c1.500 1.500 1.500 4 0 5.500',
  settings: 'M3 6h7M14 6h3M12 4v4M3 14h3M10 14h7M8 12v4',
  users: 'M10 10a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7M3.500 17c0-7 13-7 13 0',
  account: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14M10 10.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4M6.5 15c1-3 6-3 7 0',
  audit: 'M4 4h2M4 10h2M4 16h2M9 4h7M9 10h7M9 16h5',
  menu: 'M3 5h14M3 10h14M3 15h14',
  close: 'M5 5l10 10M15 5 5 15',
  copy: 'M7 7h9v10H7zM4 13V3h9',
  check: 'M4 10.500 8 14.500 16 5.500',
  sun: 'M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6M10 2v2M10 16v2M2 10h2M16 10h2M4.500 4.500l1.500 1.500M14 14l1.500 1.500M4.500 15.500 6 14M14 6l1.500-1.500',
  moon: 'M16.500 12A7 7 0 0 1 8 3.500a7 7 0 1 0 8.500 8.500',
  auto: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14M10 3v14M12 4v12M14 5.500v9',
  plus: 'M10 4v12M4 10h12',
  down: 'M5 8l5 5 5-5',
  right: 'M8 5l5 5-5 5',
  left: 'M12 5l-5 5 5 5',
  again: 'M16 10a6 6 0 1 1-2-4.500M16 3v4h-4',
  export: 'M10 3v9M6.500 8.500 10 12l3.500-3.500M4 16.500h12',
  import: 'M10 12V3M6.500 6.500 10 3l3.500 3.500M4 16.500h12',
  clock: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14M10 6v4.500l3 1.500',
  link: 'M8.500 11.500a3 3 0 0 0 4.200 0l3-3a3 3 0 0 0-4.200-4.200l-1 1M11.500 8.500a3 3 0 0 0-4.200 0l-3 3a3 3 0 0 0 4.200 4.200l1-1',
  warn: 'M10 3 2.500 16.500h15zM10 8v4M10 14v.500',
  out: 'M8 4H4v12h4M12 6.500 15.500 10 12 13.500M15 10H8',
  trash: 'M4 6h12M8 6V4h4v2M5.500 6l1 11h7l1-11',
  edit: 'M4 16l1-4 8-8 3 3-8 8z',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
