import { readdirSync } from 'node:fs'
import { packageFile } from '../../../values/package-files.ts'
import { Type, type Static } from '../../../values/schema/type.ts'
import { readPreset } from './read.ts'

/** A preset of this package, with the values that an account at the vendor has to enter or may choose. */
export const ShownPreset = Type.Object({
  name: Type.String(),
  vendor: Type.String(),
  credentials: Type.Array(Type.Object({ name: Type.String(), about: Type.String(), is_optional: Type.Boolean() })),
  /** With the value that applies if none is chosen. */
  options: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
})
export type ShownPreset = Static<typeof ShownPreset>

/** All presets of this package, by vendor. */
export function listPresets(): ShownPreset[] {
  return readdirSync(packageFile('presets/'))
    .flatMap((file) => shownPreset(file.replace(/\.yaml$/, '')))
    .sort((one, other) => one.vendor.localeCompare(other.vendor, 'en'))
}

function shownPreset(name: string): ShownPreset[] {
  const { preset } = readPreset({ preset: name })
  if (!preset) return []
  const credentials = Object.entries(preset.credentials).map(([key, about]) =>
    typeof about === 'string'
      ? { name: key, about, is_optional: false }
      : { name: key, about: about.about, is_optional: true },
  )
  const options = Object.entries(preset.options).map(([key, value]) => ({ name: key, value }))
  return [{ name, vendor: preset.vendor, credentials, options }]
}
