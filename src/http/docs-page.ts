export function docsPage(openapi: object): string {
  return `<!doctype html><pre>${JSON.stringify(openapi)}</pre>`
}
