/**
 * Where a list or calendar over this element is rendered: inside the dialog around it, because all else is inert while
 * a modal dialog is open; otherwise the body.
 */
export function overlaysOf(element: Element | null): HTMLElement {
  return element?.closest('dialog')?.querySelector<HTMLElement>(':scope > .dialog-overlays') ?? document.body
}
