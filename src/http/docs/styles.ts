/** Styles of the reference. Colours are named by purpose; each pair has a contrast of at least 4.5 : 1. */
export const STYLES = `
:root {
  color-scheme: light dark;
  --paper: #fdfdfc; --panel: #f5f6f4; --line: #e3e5e1; --ink: #1d2125; --soft: #5a636b; --accent: #0b6b5d;
  --mark: #e3f1ee; --get: #1a5fa8; --post: #0b6b5d; --put: #8a5300; --delete: #b0302b;
  --json-key: #1d2125; --json-string: #0b6b5d; --json-number: #8a4b00; --need: #a3341f;
  --mono: ui-monospace, "SF Mono", SFMono-Regular, "Cascadia Code", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
  --top: 3.25rem; --side: 17rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181b; --panel: #1c2024; --line: #2d3338; --ink: #e2e6e9; --soft: #9ba6af; --accent: #6bcdb9;
    --mark: #1d3a35; --get: #86b9f2; --post: #6bcdb9; --put: #e5b267; --delete: #f2938c;
    --json-key: #e2e6e9; --json-string: #8ad7c6; --json-number: #e8b778; --need: #f0a18e;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: calc(var(--top) + 1rem); -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 var(--sans); overflow-wrap: break-word; }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
code, pre { font-family: var(--mono); font-size: 0.86em; }
p code, li code, td code, dd code { background: var(--panel); border-radius: 3px; padding: 0.1em 0.3em; overflow-wrap: anywhere; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: fixed; left: 1rem; top: -4rem; z-index: 3; padding: 0.5rem 1rem; background: var(--paper); border: 1px solid var(--line); }
.skip:focus { top: 0.4rem; }

.top { position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: 0.75rem; height: var(--top); padding: 0 1.5rem;
  background: var(--paper); border-bottom: 1px solid var(--line); color: var(--soft); font-size: 0.9rem; }
.top a { color: var(--soft); text-decoration: none; }
.top a:hover { color: var(--ink); text-decoration: underline; }
.top .brand { color: var(--ink); font-weight: 650; font-size: 1rem; letter-spacing: -0.01em; }
.top .file { margin-left: auto; font-family: var(--mono); font-size: 0.8rem; }
.top .jump, .menu { display: none; }

.page { display: grid; grid-template-columns: var(--side) minmax(0, 1fr); }
.side { position: sticky; top: var(--top); align-self: start; height: calc(100vh - var(--top)); overflow-y: auto;
  padding: 1.5rem 0.75rem 3rem 1rem; border-right: 1px solid var(--line); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li ul { margin: 0.1rem 0 1.1rem; }
nav a { display: flex; align-items: baseline; gap: 0.6rem; padding: 0.2rem 0.5rem; border-radius: 4px; color: var(--ink);
  font-size: 0.82rem; line-height: 1.45; text-decoration: none; }
nav a:hover { background: var(--panel); }
nav .path { font-family: var(--mono); font-size: 0.78rem; color: var(--soft); min-width: 0; }
nav a:hover .path { color: var(--ink); }
nav .chapter { font-weight: 600; font-size: 0.88rem; }
nav .method { width: 2.9rem; }
.method { flex: none; font: 650 0.68rem/1.5 var(--mono); letter-spacing: 0.03em; color: var(--get); }
.method.post { color: var(--post); } .method.put, .method.patch { color: var(--put); } .method.delete { color: var(--delete); }
.slot { color: var(--soft); font-style: italic; }
nav .slot { color: inherit; }

main { padding: 2.5rem clamp(1rem, 3vw, 3.5rem) 6rem; max-width: 86rem; }
h1, h2, h3, h4, h5 { line-height: 1.25; letter-spacing: -0.012em; margin: 0; font-weight: 650; text-wrap: balance; }
h1 { font-size: 2.1rem; letter-spacing: -0.025em; }
h2 { font-size: 1.5rem; }
h3 { font-size: 1.15rem; }
h4, .wire h3 { font-size: 0.85rem; letter-spacing: 0; font-weight: 600; }
h1 .hint { font: 400 0.9rem var(--mono); vertical-align: 0.25em; }
.lead { margin: 0.5rem 0 0; max-width: 40rem; color: var(--soft); font-size: 1.1rem; }
.introduction { margin-top: 2.5rem; max-width: 44rem; }
.introduction h3 { margin: 2rem 0 0; } .introduction h4, .words h5 { margin: 1.5rem 0 0; }
.introduction .code, .words > .code { margin: 0.75rem 0; }
p, ul, ol { margin: 0.75rem 0; }
main > section + section { margin-top: 4rem; padding-top: 3rem; border-top: 1px solid var(--line); }
.chapter > p { max-width: 44rem; color: var(--soft); margin: 0.4rem 0 0; }
.chapter > .operation { margin-top: 2.75rem; }
.chapter > .operation + .operation { margin-top: 3.5rem; padding-top: 2.75rem; border-top: 1px solid var(--line);
  scroll-margin-top: -2.5rem; }

.operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); grid-template-areas: "title title" "words wire";
  column-gap: clamp(2rem, 2.5vw, 3.5rem); }
.operation > header { grid-area: title; }
.operation h3 a { color: inherit; text-decoration: none; }
.operation h3 a:hover { text-decoration: underline; }
.operation:target h3 a { color: var(--accent); }
.words { grid-area: words; } .wire { grid-area: wire; position: sticky; top: calc(var(--top) + 1rem); align-self: start; }
.guide { max-width: 52rem; } .guide pre { white-space: pre-wrap; } .guide h2 { margin-top: 3.5rem; } .guide h3 { margin-top: 2.25rem; }
.guide table { width: 100%; border-collapse: collapse; font-size: 0.875rem; }
.guide td code { overflow-wrap: break-word; }
.guide th, .guide td { padding: 0.5rem 1rem 0.5rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; }
.words > :first-child, .wire > :first-child { margin-top: 1.1rem; }
.words > p { max-width: 40rem; font-size: 0.95rem; }
.words h4, .wire h4, .wire h3 { margin: 1.6rem 0 0.5rem; }
.line { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 0.6rem; margin: 0.35rem 0 0; }
.line code { font-size: 0.9rem; padding: 0; background: none; }
.line .method { font-size: 0.78rem; }
.open, .hint { color: var(--soft); font-weight: 400; font-size: 0.8rem; }
.open code { font-size: inherit; }
.note { margin: 0.5rem 0; color: var(--soft); font-size: 0.9rem; }

.code { margin: 0; padding: 0.9rem 1.1rem; background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
  font-size: 0.77rem; line-height: 1.65; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; }
.code code { font-size: inherit; }
.curl { user-select: all; -webkit-user-select: all; }
.k { color: var(--json-key); } .s { color: var(--json-string); } .n { color: var(--json-number); }
.code .k { font-weight: 600; }

.fields { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: 0.875rem; line-height: 1.5; }
.fields th, .fields td { padding: 0.5rem 1rem 0.5rem 0; text-align: left; vertical-align: top; font-weight: 400; overflow-wrap: break-word; }
.fields thead th { width: 34%; padding: 0 1rem 0.35rem 0; font-size: 0.78rem; color: var(--soft); }
.fields thead th:nth-child(2) { width: 24%; } .fields thead th:nth-child(3) { width: 42%; }
.fields tbody tr { border-top: 1px solid var(--line); }
.fields tbody tr:last-child { border-bottom: 1px solid var(--line); }
.fields th { position: relative; } .fields th code { font-size: 0.82rem; font-weight: 600; background: none; padding: 0; }
.fields .d1 th { padding-left: 1.1rem; } .fields .d2 th { padding-left: 2.2rem; } .fields .d3 th { padding-left: 3.3rem; } .fields .d4 th { padding-left: 4.4rem; }
.fields .d1 th code, .fields .d2 th code, .fields .d3 th code, .fields .d4 th code { font-weight: 500; }
.need, .maybe { display: block; color: var(--need); font-size: 0.75rem; }
.maybe { color: var(--soft); }
.type { color: var(--ink); }
.bound, .values { display: block; color: var(--soft); font-size: 0.8rem; }
.values { margin-top: 0.15rem; font-size: 0.84rem; }

details { margin-top: 1.1rem; }
.samples { margin-top: 0.5rem; font-size: 0.85rem; } .samples h5 { margin: 0.75rem 0 0.35rem; font-size: 0.8rem; }
details + details { margin-top: 0.4rem; }
summary { width: fit-content; padding: 0.15rem 0; cursor: pointer; border-radius: 3px; }
summary::marker { color: var(--soft); font-size: 0.8rem; }
summary:hover h4 { text-decoration: underline; text-underline-offset: 0.2em; }
.words summary h4 { display: inline; margin: 0; }
details[open] > summary { margin-bottom: 0.5rem; }
.errors { margin: 0; font-size: 0.875rem; }
.errors div { display: flex; gap: 1rem; padding: 0.4rem 0; border-top: 1px solid var(--line); }
.errors div:last-child { border-bottom: 1px solid var(--line); }
.errors dt { flex: none; width: 2.5rem; font-family: var(--mono); font-size: 0.82rem; line-height: 1.7; }
.errors dd { margin: 0; min-width: 0; }

@media (max-width: 82rem) {
  .operation { grid-template-columns: minmax(0, 1fr); grid-template-areas: "title" "words" "wire"; }
  .wire { position: static; }
  .words, .wire { max-width: 52rem; }
}
@media (max-width: 52rem) {
  .page { grid-template-columns: minmax(0, 1fr); }
  .side, .top .file { display: none; }
  .top { padding: 0 1rem; } .top .jump { display: block; margin-left: auto; }
  .menu { display: block; margin-top: 1.5rem; padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 6px; }
  .menu summary { width: auto; font-weight: 600; font-size: 0.9rem; }
  main { padding: 1.75rem 1rem 4rem; }
  nav a { padding: 0.4rem 0.25rem; }
  main > section + section { margin-top: 2.75rem; padding-top: 2.25rem; }
}
@media (max-width: 34rem) {
  .fields, .fields tbody, .fields tr, .fields tbody th, .fields td { display: block; }
  .fields thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .fields tbody tr { padding: 0.6rem 0; }
  .fields tbody th, .fields td { padding: 0; }
  .fields .type { color: var(--soft); }
  .fields .need, .fields .maybe, .fields td .bound { display: inline; margin-left: 0.6rem; }
  .fields .d1 { padding-left: 1rem; } .fields .d2 { padding-left: 2rem; } .fields .d3, .fields .d4 { padding-left: 3rem; }
  .fields .d1 th, .fields .d2 th, .fields .d3 th, .fields .d4 th { padding-left: 0; }
}
@media print {
  .top, .side, .menu, .skip { display: none; }
  .page, .operation { display: block; }
}
`
