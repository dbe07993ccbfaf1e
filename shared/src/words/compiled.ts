import { bind, bindTranslation, type Load } from './bind.ts'
import type { Compiled } from './message.ts'
import { loadPlaced } from './placed.ts'

type CompiledMessages = Readonly<Record<string, Compiled>>

/** `catalogue` for messages that the build has parsed; their translations are at `place` in its list. */
export const catalogue = (english: CompiledMessages, place?: number): object =>
  bind(Object.keys(english), (key) => english[key], placed(place))

const placed =
  (place: number | undefined): Load =>
  (language) =>
    place === undefined ? undefined : loadPlaced(language, place)

/** `translation` for messages that the build has parsed. */
export const translation = (messages: CompiledMessages): object =>
  bindTranslation((key) => messages[key])
