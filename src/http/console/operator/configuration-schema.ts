import { ShownPreset } from '../../../carriers/http/preset/list.ts'
import { ChangesMade, ConfiguredEntry } from '../../../live-config/schema.ts'
import { TestSent } from '../../../messaging/dispatch/test-send.ts'
import { Type } from '../../../values/schema/type.ts'
import { RequestMeta } from '../../shapes.ts'

const meta = RequestMeta

export const EntriesAnswer = Type.Object({
  entries: Type.Array(ConfiguredEntry),
  /** The sandbox begins with them, which takes a restart of the service: until then it runs without the changes. */
  needs_restart: Type.Boolean(),
  /** The sandbox ends with them: the service restarts itself within a few seconds. */
  ends_sandbox: Type.Boolean(),
  meta,
})
export const PresetsAnswer = Type.Object({ presets: Type.Array(ShownPreset), meta })
export const EntryAnswer = Type.Object({ entry: ConfiguredEntry, meta })
export const EntryChangedAnswer = Type.Object({
  entry: ConfiguredEntry,
  needs_restart: ChangesMade.properties.needs_restart,
  ends_sandbox: ChangesMade.properties.ends_sandbox,
  meta,
})
export const ChangesAnswer = Type.Object({ ...ChangesMade.properties, meta })
export const TestSentAnswer = Type.Object({ test: TestSent, meta })
