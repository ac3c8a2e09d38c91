/** A minimal browser: keeps cookies per origin and follows redirects one at a time. */
export type Jar = {
  /** One request, redirects not followed. */
  get(url: string): Promise<Response>
  /** Follows redirects until an address has this prefix, and returns it without requesting it; or the last response. */
  go(url: string, stop_at?: string): Promise<{ url: string; response: Response | undefined }>
  cookie(origin: string): string
}

const MOST_STEPS = 15

export function makeJar(): Jar {
  const cookies = new Map<string, Map<string, string>>()

  function cookie(origin: string): string {
    return [...(cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async function get(url: string): Promise<Response> {
    const { origin } = new URL(url)
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: cookie(origin) } })
    const own = cookies.get(origin) ?? new Map<string, string>()
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';')
      const [name = '', ...value] = pair.split('=')
      const ends = attributes.some((one) => /max-age=0$|expires=Thu, 01 Jan 1970/i.test(one.trim()))
      if (ends) own.delete(name)
      else own.set(name, value.join('='))
    }
    cookies.set(origin, own)
    return response
  }

  async function go(url: string, stop_at?: string) {
    let at = url
    for (let step = 0; step < MOST_STEPS; step += 1) {
      if (stop_at !== undefined && at.startsWith(stop_at)) return { url: at, response: undefined }
      const response = await get(at)
      const next = response.headers.get('location')
      if (next === null) return { url: at, response }
      await response.body?.cancel()
      at = new URL(next, at).href
    }
    throw new Error(`too many redirects, the last to ${at}`)
  }

  return { get, go, cookie }
}
