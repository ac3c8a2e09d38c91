export type Template = {
  id: string
  version: number
  name: string
  content: string
  placeholders: { name: string; default?: string }[]
  created_datetime: string
  updated_datetime?: string
}

export const TEMPLATES = '/templates'
