import { bind, bindTranslation, type Translations } from './bind.ts'
import type { Compiled } from './message.ts'

type CompiledMessages = Readonly<Record<string, Compiled>>

/** `catalogue` for messages that the build has parsed. */
export const catalogue = (english: CompiledMessages, translations?: Translations): object =>
  bind(Object.keys(english), (key) => english[key], translations)

/** `translation` for messages that the build has parsed. */
export const translation = (messages: CompiledMessages): object =>
  bindTranslation((key) => messages[key])
